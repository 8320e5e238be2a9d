// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The time in which a load is measured. Of a closed load it begins when all users have begun, and
 * ends with the load's time, or with the first user that may not call again. Thread-safe.
 */
final class MeasuringWindow {

  private static final long UNKNOWN = Long.MAX_VALUE;

  /** Each is set once, by the first thread that sets it. */
  private final AtomicLong beganNanos = new AtomicLong(UNKNOWN);

  private final AtomicLong endedNanos = new AtomicLong(UNKNOWN);

  /** What is later than this is outside of it. Written before the beginning, read after it. */
  private volatile long lastNanos = UNKNOWN;

  private final LongAdder presentNanos = new LongAdder();
  private final LongAdder answered = new LongAdder();

  /** A window that has not begun. */
  MeasuringWindow() {}

  void begin(long nanos) {
    begin(nanos, UNKNOWN);
  }

  /** Begins. No thread has to report that the load's time is over: it might report late. */
  void begin(long nanos, long latestEndNanos) {
    lastNanos = latestEndNanos;
    boolean unused = beganNanos.compareAndSet(UNKNOWN, nanos);
  }

  void end(long nanos) {
    boolean unused = endedNanos.compareAndSet(UNKNOWN, nanos);
  }

  boolean hasBegun() {
    return beganNanos.get() != UNKNOWN;
  }

  /** When it began; a time beyond all others if it has not. */
  long beganNanos() {
    return beganNanos.get();
  }

  /** Whether a call that ended then is measured. */
  boolean holds(long nanos) {
    return nanos >= beganNanos.get() && nanos <= endNanos();
  }

  /** A user was in a call from then to then; the part inside the window counts. */
  void present(long fromNanos, long toNanos) {
    long began = beganNanos.get();
    if (began != UNKNOWN) {
      presentNanos.add(Math.max(0, Math.min(toNanos, endNanos()) - Math.max(fromNanos, began)));
    }
  }

  private long endNanos() {
    return Math.min(endedNanos.get(), lastNanos);
  }

  void answered() {
    answered.increment();
  }

  /** To be asked when no call is under way. */
  Presence presence(int users, String exempt) {
    long began = beganNanos.get();
    long ended = endedNanos.get();
    if (began == UNKNOWN || ended == UNKNOWN || ended <= began) {
      return new Presence(users, 0, 0, answered.sum(), exempt);
    }
    double nanos = ended - began;
    return new Presence(users, nanos / 1e9, presentNanos.sum() / nanos, answered.sum(), exempt);
  }
}
