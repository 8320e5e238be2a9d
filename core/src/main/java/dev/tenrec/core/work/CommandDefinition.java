// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import dev.tenrec.core.outcome.MissingFallbackException;
import org.jspecify.annotations.Nullable;

/**
 * A command as a class: the work and, if overridden, its fallback and its cache key. {@code
 * tenrec.command(key, definition)} takes it wherever a lambda would do. What the builder is given
 * explicitly wins over what is overridden here.
 *
 * @param <A> what it is called with
 * @param <R> what it returns
 */
public interface CommandDefinition<A extends @Nullable Object, R extends @Nullable Object>
    extends Work<A, R> {

  /**
   * Answers instead of {@link #run}. Unless a class overrides it, the command has no fallback;
   * inherited overrides count. An override that calls this one, as that of a proxy does, says by
   * the exception that there is none.
   *
   * @param argument what the command was executed with
   * @param cause why the work did not answer; never null
   * @return the answer
   * @throws Exception any: the caller then gets {@code cause}
   */
  default R fallback(A argument, Throwable cause) throws Exception {
    throw new MissingFallbackException(getClass().getName() + " overrides no fallback");
  }

  /**
   * By what calls of one request count as equal, so that they share one run. Unless a class
   * overrides it, they never are.
   *
   * @param argument what the command was executed with
   * @return compared by equals; null for a call that shares nothing
   */
  default @Nullable Object cacheKey(A argument) {
    return null;
  }
}
