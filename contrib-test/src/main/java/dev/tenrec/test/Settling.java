// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits, in real time, for what other threads are still at when a test looks. */
final class Settling {

  /** A guard, for a busy machine: what is waited for comes as soon as its thread runs. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private Settling() {}

  /**
   * What {@code look} finds, as soon as that satisfies {@code wanted}; else what it finds when
   * {@code patience} ends, or when this thread is interrupted, which stays so.
   */
  static <T> T settled(Supplier<T> look, Predicate<? super T> wanted, Duration patience) {
    long begin = Ticker.system().nanoTime();
    T found = look.get();
    while (!wanted.test(found) && Ticker.system().nanoTime() - begin < patience.toNanos()) {
      try {
        TimeUnit.MILLISECONDS.sleep(2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return look.get();
      }
      found = look.get();
    }
    return found;
  }
}
