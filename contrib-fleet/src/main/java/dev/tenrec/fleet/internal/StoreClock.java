// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.metrics.time.Ticker;

/**
 * The store's clock, as an instance reckons it: read from the store now and then, and by this JVM's
 * monotonic time in between. So what has an end ends together on instances whose own clocks differ,
 * also while the store is away. Not thread-safe.
 */
final class StoreClock {

  private static final long NANOS = 1_000_000;

  private final Ticker ticker;
  private long readMillis;
  private long readNanos;

  StoreClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /** The store's clock shows this now. */
  void set(long millis) {
    readMillis = millis;
    readNanos = ticker.nanoTime();
  }

  long nowMillis() {
    return readMillis + (ticker.nanoTime() - readNanos) / NANOS;
  }

  /** When it will show {@code millis}, on the ticker's scale; a year from now for what is later. */
  long nanosAt(long millis) {
    long year = 365L * 24 * 60 * 60 * 1_000;
    long span = millis == Long.MAX_VALUE ? year : Math.min(year, millis - readMillis);
    return readNanos + span * NANOS;
  }
}
