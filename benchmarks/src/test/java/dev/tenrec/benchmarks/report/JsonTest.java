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
                "a", java.util.Arrays.asList(1, -25.0, true, false, null),
                "b\nA", Map.of(),
                "c", List.of()));
  }

  @Test
  void parse_whatIsNoJson_saysWhere() {
    for (String text : List.of("[1, 2", "", "[] []", "\"\\u00", "{\"a\" 1}", "nul")) {
      assertThatThrownBy(() -> Json.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("not JSON: ")
          .hasMessageContaining("line: 1");
    }
  }
}
