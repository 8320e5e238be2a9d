// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tenrec.core.kit.GuidedRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any changes of settings, at any level of any scope, come to what the reference says. */
class LevelsJazzer {

  static Stream<byte[]> changes() {
    return GuidedRandom.beginnings(20, 700);
  }

  @MethodSource("changes")
  @FuzzTest(maxDuration = "2m")
  void anyChanges_comeToWhatTheReferenceSays(byte[] lots) {
    LevelsFuzzTest.round(new GuidedRandom(lots));
  }
}
