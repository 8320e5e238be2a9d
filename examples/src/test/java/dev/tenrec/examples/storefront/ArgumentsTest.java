// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  @Test
  void read_nothing_takesTheDefaults() {
    Scenario scenario = Arguments.read(List.of());

    assertThat(scenario.length()).isEqualTo(Duration.ofSeconds(25));
    assertThat(scenario.visitsPerSecond()).isEqualTo(50);
  }

  @Test
  void read_all_takesAll() {
    Scenario scenario =
        Arguments.read(
            List.of("--seconds", "60", "--visits", "20", "--seed", "7", "--directory", "there"));

    assertThat(scenario).isEqualTo(new Scenario(Duration.ofSeconds(60), 20, 7, Path.of("there")));
  }

  @Test
  void read_wrong_saysWhatWhereAndWhatWasExpected() {
    assertThatThrownBy(() -> Arguments.read(List.of("--seconds", "soon")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--seconds is soon, expected a whole number from 8 to 3600");
    assertThatThrownBy(() -> Arguments.read(List.of("--seconds", "7")))
        .hasMessage("--seconds is 7, expected a whole number from 8 to 3600");
    assertThatThrownBy(() -> Arguments.read(List.of("--seconds")))
        .hasMessage("--seconds has no value");
    assertThatThrownBy(() -> Arguments.read(List.of("-s"))).hasMessage("unknown argument -s");
  }
}
