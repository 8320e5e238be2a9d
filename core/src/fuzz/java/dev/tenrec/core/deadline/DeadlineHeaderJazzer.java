// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.time.Duration;

/**
 * Whatever a header has, it is the time that is written there, or refused; and never a later one.
 */
class DeadlineHeaderJazzer {

  @FuzzTest(maxDuration = "2m")
  void anyText_andAnyTime(FuzzedDataProvider input) {
    // consumeLong(0, Long.MAX_VALUE) may be negative
    long seconds = input.consumeLong() & Long.MAX_VALUE;
    DeadlineHeaderFuzzTest.time(Duration.ofSeconds(seconds, input.consumeInt(0, 999_999_999)));
    DeadlineHeaderFuzzTest.text(input.consumeRemainingAsString());
  }
}
