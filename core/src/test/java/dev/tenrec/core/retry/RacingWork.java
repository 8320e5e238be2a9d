// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work whose attempts take different times, which are what it does and not what a test waits for:
 * none, about a hedge's delay of a millisecond, or more than the time-out. One of so many fails.
 */
final class RacingWork {

  private final AtomicInteger attempts = new AtomicInteger();
  private final int failsEvery;

  RacingWork(int failsEvery) {
    this.failsEvery = failsEvery;
  }

  private static long micros(int attempt) {
    return switch (attempt % 4) {
      case 0 -> 0;
      case 1 -> 1_000 + attempt % 100;
      case 2 -> 2_000 + attempt % 100;
      default -> 20_000;
    };
  }

  Integer run(Integer i) throws Exception {
    int attempt = attempts.incrementAndGet();
    TimeUnit.MICROSECONDS.sleep(micros(attempt)); // returns at once for none
    if (attempt % failsEvery == 0) {
      throw new IOException("again");
    }
    return i;
  }

  CompletableFuture<Integer> start(Integer i) {
    int attempt = attempts.incrementAndGet();
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    Executor later =
        CompletableFuture.delayedExecutor(micros(attempt), TimeUnit.MICROSECONDS, Runnable::run);
    later.execute(
        () -> {
          boolean unused =
              attempt % failsEvery == 0
                  ? stage.completeExceptionally(new IOException("again"))
                  : stage.complete(i);
        });
    return stage;
  }
}
