// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.floor;

import dev.tenrec.benchmarks.ProtectedCall;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What nobody who limits, times and counts calls can leave out: one padded permit taken by a CAS
 * loop and given back, two readings of the clock, one counter.
 *
 * <p>This file is fixed: it was written before what is measured against it, and all published
 * ratios are to it. It knows no breaker, keeps no latency, has no window, and cannot be retuned.
 */
public final class Floor {

  private static final long DEADLINE_NANOS = 1_000_000_000;

  private final Permit permit;
  private final LongAdder calls = new LongAdder();
  private final UnaryOperator<String> work;
  private final Function<Throwable, String> fallback;

  /** Around this work, which comes as a value, as to every guard. */
  public Floor(int limit, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    this.permit = new Permit(limit);
    this.work = work;
    this.fallback = fallback;
  }

  /** A call that succeeds: clock, permit, work, permit, clock, counter. */
  public String call(String question) {
    long start = System.nanoTime();
    if (!permit.tryTake()) {
      throw new IllegalStateException("no permit is free");
    }
    String answer = work.apply(question);
    permit.give();
    return counted(start, answer);
  }

  /** The same without permit: what threads share then is the counter alone. */
  public String callWithoutPermit(String question) {
    long start = System.nanoTime();
    return counted(start, work.apply(question));
  }

  /** A call that fails: as {@link #call}, and the fallback. */
  public String failingCall(String question) {
    long start = System.nanoTime();
    if (!permit.tryTake()) {
      throw new IllegalStateException("no permit is free");
    }
    try {
      String answer = work.apply(question);
      permit.give();
      return counted(start, answer);
    } catch (RuntimeException failure) {
      permit.give();
      return counted(start, fallback.apply(failure));
    }
  }

  /** A refusal by time: the clock says whether the circuit's sleep is over, the counter counts. */
  public String shortCircuitedCall() {
    if (System.nanoTime() == Long.MIN_VALUE) {
      throw new IllegalStateException("the circuit is not open");
    }
    calls.increment();
    return fallback.apply(ProtectedCall.DOWN);
  }

  /** A refusal by a full permit: a look at it, the clock for the window, the counter. */
  public String rejectedCall() {
    if (permit.tryTake()) {
      throw new IllegalStateException("a permit is free");
    }
    return shortCircuitedCall();
  }

  private String counted(long start, String answer) {
    if (System.nanoTime() - start >= DEADLINE_NANOS) { // keeps both readings alive
      return late(answer);
    }
    calls.increment();
    return answer;
  }

  private String late(String answer) {
    calls.increment();
    return fallback.apply(new IllegalStateException("late: " + answer));
  }
}
