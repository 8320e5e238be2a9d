// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The steps of closing that may find no memory: each is tried again until it is done, for half a
 * second. What a step throws is reported, and keeps no other step from being tried. By the thread
 * that closes.
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
    insist(() -> isEachEnded(all, end));
  }

  /** What is to be ended. Where there is no memory for a list of it, it tries again. */
  <T> List<T> listed(Supplier<? extends List<T>> what) {
    return made(what, List.of());
  }

  /** What a step makes; or something else, if there is no memory for that in the end. */
  <R> R made(Supplier<? extends R> what, R otherwise) {
    AtomicReference<R> made = new AtomicReference<>(otherwise);
    insist(
        () -> {
          made.set(what.get());
          return true;
        });
    return Objects.requireNonNull(made.get());
  }

  /** Tries a step until it is done: some times at once, then in steps, for half a second. */
  void insist(BooleanSupplier step) {
    for (int i = 0; i < TRIES; i++) {
      if (isDone(step)) {
        return;
      }
      Thread.yield();
    }
    long now = ticker.nanoTime();
    long last = now + LAST_NANOS;
    boolean interrupted = false;
    while (!isDone(step) && now - last < 0) {
      interrupted |= Thread.interrupted(); // or no wait would wait
      waiter.awaitUntil(now + STEP_NANOS);
      now = ticker.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
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
    for (T one : all) {
      try {
        end.accept(one);
      } catch (Throwable thrown) {
        ended = false;
        report(thrown);
      }
    }
    return ended;
  }

  private void report(Throwable thrown) {
    try {
      failures.failed("closing could not end a call, and tries again", thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }
}
