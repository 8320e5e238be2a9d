// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProcessorDistanceTest {

  @Test
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void measure_isOfWordsThatAreAllAnswered() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "spinning needs two processors");
    ProcessorDistance distance = new ProcessorDistance();

    double nanos = distance.measure();

    assertThat(nanos).isGreaterThan(1);
    assertThat(distance.answers).isEqualTo(ProcessorDistance.ROUNDS * ProcessorDistance.TRIPS);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("processor-distance");
  }
}
