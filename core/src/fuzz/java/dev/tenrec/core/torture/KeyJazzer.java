// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.AfterEach;

/**
 * Whatever text the key of a command, its pool, cache, rate and batch is, it is one, or refused.
 */
class KeyJazzer {

  private final KeyFuzzTest keys = new KeyFuzzTest();

  @AfterEach
  void close() {
    keys.close();
  }

  @FuzzTest(maxDuration = "2m")
  void anyKey_isAKeyAsAnyOther_orRefused(FuzzedDataProvider input) {
    keys.play(input.consumeRemainingAsString());
  }
}
