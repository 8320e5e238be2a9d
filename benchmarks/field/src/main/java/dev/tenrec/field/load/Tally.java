// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * Notes what becomes of each call. Thread-safe; its figures agree when no call is under way.
 * Failures are counted by what they say: the first twenty kinds there are, and any further kind as
 * {@code others}.
 */
final class Tally {

  private static final long MOST_MICROS = Duration.ofHours(2).toNanos() / 1_000;
  private static final int DIGITS = 3;
  private static final int MOST_KINDS_OF_FAILURE = 20;

  private final AtomicLong due = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong mostInFlight = new AtomicLong();
  private final AtomicLong lastAnswerNanos = new AtomicLong();
  private final Histogram sinceSent = new AtomicHistogram(MOST_MICROS, DIGITS);
  private final Histogram sinceIntended = new AtomicHistogram(MOST_MICROS, DIGITS);
  private final Histogram waited = new AtomicHistogram(MOST_MICROS, DIGITS);
  private final Histogram lag = new AtomicHistogram(MOST_MICROS, DIGITS);
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
  private final Seconds seconds = new Seconds(MOST_MICROS, DIGITS);
  private final MeasuringWindow window;

  /**
   * Nothing yet.
   *
   * @param window latencies of what ends outside of it are not noted
   */
  Tally(MeasuringWindow window) {
    this.window = window;
  }

  /** To be asked by the driving thread, more often than once a second. */
  void look(long nowNanos) {
    seconds.look(nowNanos);
  }

  void due(long lagNanos) {
    due.incrementAndGet();
    lag.recordValue(micros(lagNanos));
  }

  void sent() {
    sent.incrementAndGet();
    mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
  }

  void dropped(Throwable why, long intendedNanos, long nowNanos) {
    failure(why);
    window.present(intendedNanos, nowNanos);
    seconds.lost();
    dropped.incrementAndGet();
  }

  void answered(long intendedNanos, long sentNanos, long nowNanos) {
    if (ended(intendedNanos, nowNanos)) {
      sinceIntended.recordValue(micros(nowNanos - intendedNanos));
      sinceSent.recordValue(micros(nowNanos - sentNanos));
      window.answered();
    }
    lastAnswerNanos.accumulateAndGet(nowNanos, Math::max);
    seconds.answered(micros(nowNanos - intendedNanos), micros(nowNanos - sentNanos));
    inFlight.decrementAndGet();
    answered.incrementAndGet();
  }

  void refused(long intendedNanos, long nowNanos) {
    boolean unused = ended(intendedNanos, nowNanos);
    seconds.lost();
    inFlight.decrementAndGet();
    refused.incrementAndGet();
  }

  void failed(Throwable why, long intendedNanos, long nowNanos) {
    failure(why);
    boolean unused = ended(intendedNanos, nowNanos);
    seconds.lost();
    inFlight.decrementAndGet();
    failed.incrementAndGet();
  }

  /** Whether it counts among the latencies. */
  private boolean ended(long intendedNanos, long nowNanos) {
    window.present(intendedNanos, nowNanos);
    boolean measured = window.holds(nowNanos);
    if (measured) {
      waited.recordValue(micros(nowNanos - intendedNanos));
    }
    return measured;
  }

  private void failure(Throwable why) {
    String kind = why.getClass().getSimpleName() + ": " + why.getMessage();
    boolean named = failures.containsKey(kind) || failures.size() < MOST_KINDS_OF_FAILURE;
    String known = named ? kind : "others";
    failures.computeIfAbsent(known, first -> new LongAdder()).increment();
  }

  /** A latency beyond the scale counts as its end: it is two hours, longer than any run. */
  private static long micros(long nanos) {
    return Math.min(Math.max(0, nanos / 1_000), MOST_MICROS);
  }

  Counts counts() {
    // ends before beginnings: so that no call seems to have ended that was not due
    long ended = dropped.get();
    return new Counts(
        answered.get(), failed.get(), refused.get(), ended, sent.get(), due.get(), inFlight.get());
  }

  private Presence presence(Plan plan) {
    if (plan.arrivals() instanceof Arrivals.Closed closed) {
      return window.presence(closed.users(), plan.isOneCallEach() ? Presence.ONE_CALL : "");
    }
    return Presence.OPEN;
  }

  /** To be asked by the driving thread, when no call is under way. */
  Result result(Plan plan, long nowNanos) {
    Map<String, Long> why = new TreeMap<>();
    failures.forEach((kind, count) -> why.put(kind, count.sum()));
    return new Result(
        plan,
        counts(),
        mostInFlight.get(),
        lastAnswerNanos.get(),
        new Latency(sinceIntended.copy()),
        new Latency(sinceSent.copy()),
        new Latency(waited.copy()),
        new Latency(lag.copy()),
        presence(plan),
        why,
        seconds.until(nowNanos));
  }
}
