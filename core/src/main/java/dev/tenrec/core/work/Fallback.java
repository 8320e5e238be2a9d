// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;

/**
 * What answers when the work did not: it failed, timed out, was rejected, or the circuit was open.
 *
 * <p>It should not wait for anything. Where it runs: on the caller's thread if the caller waits
 * there, else on the thread that ended the call (a pool's, the stage's, the calling one for a call
 * that was refused), and for time-outs that no caller waits for, on Tenrec's callback executor.
 * Never on the timer's thread.
 *
 * @param <A> what the command was called with
 * @param <R> what it returns
 */
@FunctionalInterface
public interface Fallback<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Answers instead of the work.
   *
   * @param argument what the command was executed with
   * @param cause why the work did not answer: its own exception, or one of Tenrec's; never null
   * @return the answer; null is a legal one
   * @throws Exception any: the caller then gets {@code cause}, and this one is kept in the outcome
   */
  R apply(A argument, Throwable cause) throws Exception;
}
