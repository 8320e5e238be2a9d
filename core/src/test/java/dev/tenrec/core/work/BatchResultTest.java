// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchResultTest {

  /** To be compared with nothing of another hash code. */
  private record Own(int id) {

    @Override
    public boolean equals(Object other) {
      assertThat(other).hasSameHashCodeAs(this);
      return other instanceof Own own && id == own.id;
    }

    @Override
    public int hashCode() {
      return id;
    }
  }

  @Test
  void lookup_goesByTheHashCode() {
    BatchResult<Own, String> result =
        BatchResult.of(Map.of(new Own(1), "a", new Own(2), "b", new Own(3), "c"));
    for (int id = 1; id <= 3; id++) {
      assertThat(result.containsKey(new Own(id))).isTrue();
    }
    assertThat(result.get(new Own(2))).isEqualTo("b");
    assertThat(result.containsKey(new Own(4))).isFalse();
    assertThat(result.get(new Own(4))).isNull();
    assertThat(result.containsKey(null)).isFalse();
    assertThat(result.answered(null, "none").get(null)).isEqualTo("none");
  }

  @Test
  void of_copies_andShowsAnswersAsAMap() {
    Map<Integer, String> found = new HashMap<>(Map.of(1, "a"));
    BatchResult<Integer, String> result = BatchResult.of(found).answered(2, null);
    found.clear();
    Map<Integer, String> expected = new HashMap<>();
    expected.put(1, "a");
    expected.put(2, null);
    assertThat((Map<Integer, String>) result).isEqualTo(expected);
    assertThatThrownBy(result::clear).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void failed_isKeptBesideTheAnswers() {
    Exception gone = new Exception("gone");
    BatchResult<Integer, String> result = BatchResult.of(Map.of(1, "a")).failed(2, gone);
    assertThat(result.failures()).containsExactly(Map.entry(2, gone));
    assertThat(result.keySet()).containsExactly(1);
    assertThat(result).hasToString("{1=a}, failed {2=java.lang.Exception: gone}");
    assertThat((Map<Integer, String>) result).isEqualTo(Map.of(1, "a"));
    assertThatThrownBy(() -> result.failed(3, null)).isInstanceOf(NullPointerException.class);
  }
}
