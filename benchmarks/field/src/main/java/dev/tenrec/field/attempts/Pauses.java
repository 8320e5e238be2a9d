// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.field.kit.RunClock;

/** A service that stands still again and again, as for a collection or a failover. Thread-safe. */
final class Pauses {

  private final RunClock clock;
  private final long everyNanos;
  private final long nanos;

  /**
   * The first pause begins with the clock.
   *
   * @param everyMillis from the beginning of one to that of the next
   * @param millis how long each takes
   */
  Pauses(RunClock clock, int everyMillis, int millis) {
    this.clock = clock;
    this.everyNanos = everyMillis * 1_000_000L;
    this.nanos = millis * 1_000_000L;
  }

  /** Waits for the end of the pause, if there is one. */
  void await() throws InterruptedException {
    long nowNanos = clock.nanos();
    long begunNanos = nowNanos - nowNanos % everyNanos;
    clock.awaitNanos(begunNanos + nanos);
  }
}
