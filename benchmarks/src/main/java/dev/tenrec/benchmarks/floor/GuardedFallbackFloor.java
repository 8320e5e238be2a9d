// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.floor;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * {@link Floor}'s failing call, and what cannot be left out either when the fallback has a bound of
 * its own and its caller's latency is measured beside the work's: a second permit, a third reading
 * of the clock. No gate is relative to it; it shows how much of a failing call these two are.
 */
public final class GuardedFallbackFloor {

  private static final long DEADLINE_NANOS = 1_000_000_000;

  private final Permit permit;
  private final Permit fallbackPermit;
  private final LongAdder calls = new LongAdder();
  private final UnaryOperator<String> work;
  private final Function<Throwable, String> fallback;

  /** Around this work, which always throws. */
  public GuardedFallbackFloor(
      int limit, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    this.permit = new Permit(limit);
    this.fallbackPermit = new Permit(limit);
    this.work = work;
    this.fallback = fallback;
  }

  /** Clock, permit, work, permit, clock, permit, fallback, permit, clock, counter. */
  public String failingCall(String question) {
    long start = System.nanoTime();
    take(permit);
    RuntimeException cause;
    try {
      String answer = work.apply(question);
      permit.give();
      return answer;
    } catch (RuntimeException failure) {
      permit.give();
      cause = failure;
    }
    inTime(start);
    take(fallbackPermit);
    String answer = fallback.apply(cause);
    fallbackPermit.give();
    inTime(start);
    calls.increment();
    return answer;
  }

  private static void take(Permit permit) {
    if (!permit.tryTake()) {
      throw new IllegalStateException("no permit is free");
    }
  }

  private static void inTime(long start) {
    if (System.nanoTime() - start >= DEADLINE_NANOS) { // keeps the reading alive
      throw new IllegalStateException("late");
    }
  }
}
