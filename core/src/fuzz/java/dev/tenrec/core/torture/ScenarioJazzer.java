// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tenrec.core.kit.GuidedRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any program of calls, endings, changes and time does what a model of the rules says. */
class ScenarioJazzer {

  static Stream<byte[]> programs() {
    return GuidedRandom.beginnings(20, 250);
  }

  @MethodSource("programs")
  @FuzzTest(maxDuration = "2m")
  void anyProgram_doesWhatTheModelSays(byte[] lots) throws Exception {
    new ScenarioProgram(new GuidedRandom(lots)).play();
  }
}
