// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PairsTest {

  @Test
  void read_whatTextMade_isTheSame() {
    Map<String, String> values = new TreeMap<>(Map.of("a", "1", "b", "x=y", "c", ""));

    assertThat(Pairs.text(values)).isEqualTo("a=1 b=x=y c=");
    assertThat(Pairs.read(Pairs.text(values))).isEqualTo(values);
    assertThat(Pairs.read("")).isEmpty();
  }

  @Test
  void read_somethingElse_saysWhatWasExpected() {
    assertThatThrownBy(() -> Pairs.read("a=1 b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("b, expected name=value");
  }
}
