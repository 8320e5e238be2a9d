// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import org.openjdk.jmh.infra.Blackhole;

/**
 * What every benchmark puts behind its guard, so that all guard the same: about 8 ns of work that
 * the compiler can neither drop nor fold.
 */
public final class ProtectedCall {

  /** What {@link #fail} throws: made once, for making it costs far more than any guard. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // see above
  public static final IllegalStateException DOWN = new Down();

  private static final long TOKENS = 8;

  private ProtectedCall() {}

  /** Answers with what it was asked. */
  public static String answer(String question) {
    Blackhole.consumeCPU(TOKENS);
    return question;
  }

  /** Works as long, and fails. */
  public static String fail(String question) {
    Blackhole.consumeCPU(TOKENS);
    throw DOWN;
  }

  private static final class Down extends IllegalStateException {
    Down() {
      super("down");
    }

    /** One exception for all threads has no stack of its own. */
    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
