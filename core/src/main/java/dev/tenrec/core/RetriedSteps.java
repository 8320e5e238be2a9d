// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The steps of closing that may find no memory: each is tried again until it is done, for half a
 * second. What a step throws is reported, and keeps no other step from being tried. Takes no memory
 * of its own. By the thread that closes.
 */
final class RetriedSteps {

  /** How often a step is tried at once, before the thread waits between two tries. */
  private static final int TRIES = 10;

  /** How long a step is tried. */
  private static final long LAST_NANOS = Duration.ofMillis(500).toNanos();

  /** How long the thread waits between two tries. */
  private static final long STEP_NANOS = 200_000;

  private final Ticker ticker;
  private final Waiter waiter;
  private final FailureListener failures;

  RetriedSteps(Ticker ticker, Waiter waiter, FailureListener failures) {
    this.ticker = ticker;
    this.waiter = waiter;
    this.failures = failures;
  }

  /** Ends each of them. Where there is no memory for that, it tries again; the others are ended. */
  <T> void endEach(Collection<? extends T> all, Consumer<? super T> end) {
    long last = 0;
    for (int tries = 1; !isEachEnded(all, end); tries++) {
      last = lastOf(tries, last);
      if (!isTriedAgain(tries, last)) {
        return;
      }
    }
  }

  /** Tries a step until it is done: some times at once, then in steps, for half a second. */
  void insist(BooleanSupplier step) {
    long last = 0;
    for (int tries = 1; !isDone(step); tries++) {
      last = lastOf(tries, last);
      if (!isTriedAgain(tries, last)) {
        return;
      }
    }
  }

  private long lastOf(int tries, long last) {
    return tries == TRIES ? ticker.nanoTime() + LAST_NANOS : last;
  }

  /** After so many tries: a moment later there may be memory. False if it was tried for long. */
  private boolean isTriedAgain(int tries, long last) {
    if (tries < TRIES) {
      Thread.yield();
      return true;
    }
    long now = ticker.nanoTime();
    if (now - last >= 0) {
      return false;
    }
    boolean interrupted = Thread.interrupted(); // or no wait would wait
    waiter.awaitUntil(now + STEP_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private boolean isDone(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (Throwable thrown) { // no memory
      report(thrown);
      return false;
    }
  }

  private <T> boolean isEachEnded(Collection<? extends T> all, Consumer<? super T> end) {
    boolean ended = true;
    try {
      for (T one : all) {
        ended &= isEnded(one, end);
      }
    } catch (Throwable thrown) { // no memory to go through them
      report(thrown);
      return false;
    }
    return ended;
  }

  private <T> boolean isEnded(T one, Consumer<? super T> end) {
    try {
      end.accept(one);
      return true;
    } catch (Throwable thrown) {
      report(thrown);
      return false;
    }
  }

  private void report(Throwable thrown) {
    try {
      failures.failed("closing could not end a call, and tries again", thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }
}
