// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void parse_everyKindOfValue_isRead() {
    assertThat(
            Json.parse(" {\"a\": [1, -2.5e1, true, false, null], \"b\\n\\u0041\": {}, \"c\": []} "))
        .isEqualTo(
            Map.of(
                "a", java.util.Arrays.asList(1.0, -25.0, true, false, null),
                "b\nA", Map.of(),
                "c", List.of()));
  }

  @Test
  void parse_whatEndsEarly_saysWhere() {
    assertThatThrownBy(() -> Json.parse("[1, 2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not JSON: expected ']' at character 5 of 5");
    assertThatThrownBy(() -> Json.parse("")).hasMessageContaining("expected a value");
    assertThatThrownBy(() -> Json.parse("[] []")).hasMessageContaining("expected the end");
    assertThatThrownBy(() -> Json.parse("\"\\u00")).hasMessageContaining("hexadecimal");
  }
}
