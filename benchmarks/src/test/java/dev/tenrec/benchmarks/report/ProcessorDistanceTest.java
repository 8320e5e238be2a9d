// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.metrics.OwnThread;
import org.junit.jupiter.api.Test;

class ProcessorDistanceTest {

  @Test
  @OwnThread
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
