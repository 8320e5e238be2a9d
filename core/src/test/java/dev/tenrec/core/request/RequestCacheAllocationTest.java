// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Section 5 of the design: a hit allocates nothing, and a request elsewhere costs others nothing.
 */
class RequestCacheAllocationTest {

  private static final int CALLS = 20_000;
  private static final int ROUNDS = 10;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void execute_hit_allocatesNothing() {
    try (Tenrec tenrec = Tenrec.create()) {
      Command<String, String> command =
          tenrec
              .command("Get", (String s) -> s + "!")
              .timeout(Duration.ofMinutes(1))
              .cacheKey(s -> s)
              .build();
      try (RequestContext request = tenrec.openRequest()) {
        assertThat(leastBytesPerCall(command, "a")).isZero();
        assertThat(request.log().dropped()).isPositive();
      }
    }
  }

  @Test
  void execute_onCallerWithoutRequest_allocatesNothing() {
    try (Tenrec tenrec = Tenrec.create()) {
      Command<String, String> command =
          tenrec
              .command("Get", (String s) -> s)
              .isolation(Isolation.semaphore(10))
              .timeout(Duration.ofMinutes(1))
              .build();
      tenrec.openRequest().close();
      assertThat(leastBytesPerCall(command, "a")).isZero();
    }
  }

  private long leastBytesPerCall(Command<String, String> command, String argument) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int call = 0; call < CALLS; call++) {
        if (command.execute(argument) == null) {
          throw new AssertionError("no answer");
        }
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least / CALLS;
  }
}
