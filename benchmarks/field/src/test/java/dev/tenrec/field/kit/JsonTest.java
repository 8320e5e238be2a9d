// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void write_allKinds_isReadBackTheSame() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("text", "a \"quoted\" \\ line\nand \u0001 and \u00e9");
    value.put("long", 12_345_678_901L);
    value.put("double", 0.125);
    value.put("flag", true);
    value.put("nothing", null);
    value.put("empty", List.of());
    value.put("none", Map.of());
    value.put("list", new ArrayList<>(List.of(1L, "two", List.of(3L))));

    assertThat(JsonText.parse(Json.write(value))).isEqualTo(value);
  }

  @Test
  void write_double_isPlainWithThreePlaces() {
    assertThat(Json.write(0.00012)).isEqualTo("0.000\n");
    assertThat(Json.write(12_345_678.9)).isEqualTo("12345678.900\n");
  }

  @Test
  void write_whatIsNoNumber_isNull() {
    assertThat(Json.write(Double.NaN)).isEqualTo("null\n");
    assertThat(Json.write(Double.POSITIVE_INFINITY)).isEqualTo("null\n");
  }

  @Test
  void write_somethingElse_saysWhat() {
    assertThatThrownBy(() -> Json.write(List.of(Duration.ZERO)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.time.Duration");
  }
}
