// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.kinds.FreshHystrix;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a command on a semaphore allocates, its instance included. */
@ExtendWith(FreshHystrix.class)
class SemaphoreAllocationTest {

  private static final int CALLS = 5_000;

  /** A third of Hystrix's 4,205. */
  private static final long BUDGET_BYTES = 1_400;

  @Test
  void execute_onASemaphore_staysWithinAThirdOfHystrix() {
    HystrixCommand.Setter setter =
        TestCommand.setter("Cheap", TestCommand.settings(ExecutionIsolationStrategy.SEMAPHORE));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 8; round++) { // the first of them warm up
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        assertSame(TestCommand.of(setter, () -> "answer").execute());
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
    }

    assertThat(least).isLessThanOrEqualTo(BUDGET_BYTES);
  }

  private static void assertSame(String answer) {
    if (!"answer".equals(answer)) {
      throw new AssertionError(answer);
    }
  }
}
