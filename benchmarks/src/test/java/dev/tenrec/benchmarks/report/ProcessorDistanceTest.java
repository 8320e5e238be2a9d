// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProcessorDistanceTest {

  @Test
  @Timeout(20)
  void measure_isThatOfAWordThatReallyCrosses() {
    double nanos = new ProcessorDistance().measure();

    // no word comes back from another processor within a nanosecond, nor from one that is stuck
    assertThat(nanos).isBetween(1.0, 1e9);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("processor-distance");
  }
}
