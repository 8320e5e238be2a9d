// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ArgumentsTest {

  private static Scenario read(String... words) {
    return CommandLine.populateCommand(new Arguments(), words).scenario();
  }

  @Test
  void scenario_nothing_takesTheDefaults() {
    Scenario scenario = read();

    assertThat(scenario.length()).isEqualTo(Duration.ofSeconds(25));
    assertThat(scenario.visitsPerSecond()).isEqualTo(50);
  }

  @Test
  void scenario_all_takesAll() {
    assertThat(read("--seconds", "60", "--visits", "20", "--seed", "7", "--directory", "there"))
        .isEqualTo(new Scenario(Duration.ofSeconds(60), 20, 7, Path.of("there")));
  }

  @Test
  void scenario_short_isTenSeconds() {
    assertThat(read("--short").length()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void scenario_wrong_saysWhatWhereAndWhatWasExpected() {
    assertThatThrownBy(() -> read("--seconds", "soon"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContainingAll("--seconds", "soon", "int");
    assertThatThrownBy(() -> read("--seconds", "7"))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--seconds is 7, expected a whole number from 8 to 3600");
    assertThatThrownBy(() -> read("--seconds"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--seconds");
    assertThatThrownBy(() -> read("-s"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("-s");
  }
}
