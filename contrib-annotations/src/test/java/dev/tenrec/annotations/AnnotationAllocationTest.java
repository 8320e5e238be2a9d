// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What the annotation adds to a call, on the caller's thread. */
class AnnotationAllocationTest {

  private static final int CALLS = 20_000;

  /** With the proxy and its invocation, which are Spring's. */
  private static final long BUDGET_BYTES = 200;

  private final AnnotationConfigApplicationContext context = Contexts.of(Counter.class);

  @AfterEach
  void close() {
    context.close();
  }

  static class Counter {

    @Command(isolation = IsolationStrategy.SEMAPHORE, timeout = "none")
    public String next(String before) {
      return before;
    }
  }

  private static long bytesPerCall(Runnable call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 8; round++) { // the first of them warm up
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        call.run();
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
    }
    return least;
  }

  @Test
  void annotation_addsAtMostItsBudget() {
    Counter counter = context.getBean(Counter.class);
    var direct =
        context
            .getBean(Tenrec.class)
            .command("Direct", (String before) -> before)
            .isolation(Isolation.semaphore(10))
            .withoutTimeout()
            .build();
    String argument = "x";

    long annotated = bytesPerCall(() -> sink(counter.next(argument)));
    long alone = bytesPerCall(() -> sink(direct.execute(argument)));

    assertThat(annotated - alone)
        .as("bytes a call, annotated %s", annotated)
        .isLessThanOrEqualTo(BUDGET_BYTES);
  }

  private static void sink(String answer) {
    if (answer == null) {
      throw new AssertionError("no answer");
    }
  }
}
