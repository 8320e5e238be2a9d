// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.work.Call;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Work that takes longer than it may. */
final class Lateness {

  private static final Duration WITHOUT_TIMEOUT = Duration.ofNanos(Long.MAX_VALUE);

  private Lateness() {}

  static void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  /**
   * Goes on until the deadline has passed, and ends in any case with an exception: the work must
   * not run after it.
   */
  static void outlast(Call call, @Nullable VirtualTime time) throws Exception {
    Duration left = call.remaining();
    if (left.equals(WITHOUT_TIMEOUT)) {
      throw new IllegalStateException(
          "'" + call.commandKey() + "' has no time-out, so its call cannot time out");
    }
    if (time != null) {
      time.advance(left.plusNanos(1));
    } else {
      sleep(left.plusNanos(1));
    }
    awaitGivenUp(call);
    throw new TimeoutException("'" + call.commandKey() + "' was made to time out");
  }

  /**
   * Another thread notices the deadline, and gives the call up; on its caller's thread none does,
   * and the clock is looked at when the work has ended.
   */
  private static void awaitGivenUp(Call call) throws InterruptedException {
    boolean onCallersThread =
        call instanceof ListenedCall listened
            && listened.isolation() == IsolationStrategy.SEMAPHORE;
    if (!onCallersThread) {
      boolean unused = Settling.settled(call::isGivenUp, gone -> gone, Settling.PATIENCE);
      if (Thread.interrupted()) { // as the work that it stands for would be
        throw new InterruptedException();
      }
    }
  }
}
