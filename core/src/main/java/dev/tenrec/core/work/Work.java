// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;

/**
 * What a command does: one call to something that can fail or hang.
 *
 * <p>It runs on the caller's thread (semaphore) or on one of Tenrec's (pool, virtual thread),
 * several times at once. It may be interrupted when its time is up, and should then stop soon.
 *
 * @param <A> what it is called with
 * @param <R> what it returns
 */
@FunctionalInterface
public interface Work<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Does the work.
   *
   * @param argument what the command was executed with; null if that was null
   * @return the result; null is a legal one
   * @throws Exception any: it is a failure of this execution, unless the command was built to
   *     ignore it
   */
  R run(A argument) throws Exception;
}
