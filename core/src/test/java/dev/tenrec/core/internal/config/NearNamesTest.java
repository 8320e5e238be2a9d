// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearNamesTest {

  @ParameterizedTest
  @CsvSource({
    "command, command, 0",
    "COMMAND, command, 0",
    "comand, command, 1",
    "commmand, command, 1",
    "cammand, command, 1",
    "ocmmand, command, 2",
    "'', command, 7",
    "command, '', 7",
    "kitten, sitting, 3",
    "saturday, sunday, 3"
  })
  void apart_always_isTheNumberOfEdits(String mistyped, String name, int edits) {
    assertThat(NearNames.apart(mistyped, name)).isEqualTo(edits);
    assertThat(NearNames.apart(name, mistyped)).isEqualTo(edits);
  }

  @Test
  void apart_ofAnEnormousName_isFarWithoutALook() {
    assertThat(NearNames.apart("x".repeat(256), "x".repeat(256))).isZero();
    assertThat(NearNames.apart("x".repeat(257), "x".repeat(257))).isEqualTo(256);
  }

  @Test
  void of_always_areTheThreeNearest_andInTheirOrderWhereTheyAreEquallyNear() {
    List<String> names = List.of("bb", "ab", "aa", "cccc", "zzzzzz");
    assertThat(NearNames.of("aa", names)).containsExactly("aa", "ab", "bb");
    assertThat(NearNames.of("ca", names)).containsExactly("aa", "ab", "bb");
    assertThat(NearNames.of("zzzzz", names)).startsWith("zzzzzz");
  }

  /** A full key has the name of an instance before the property's. */
  @Test
  void of_aFullKey_goesByItsNearestTail() {
    List<String> names = List.of("coreSize", "maxQueueSize", "permits", "keepAliveTimeMinutes");
    assertThat(NearNames.of("tenrec.threadpool.A.b.coreSze", names)).startsWith("coreSize");
    assertThat(NearNames.of("x".repeat(1_000) + ".permit", names)).startsWith("permits");
    assertThat(NearNames.of("a.permits.", names)).hasSize(3);
  }
}
