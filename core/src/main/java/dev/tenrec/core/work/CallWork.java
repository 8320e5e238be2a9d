// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;

/**
 * {@link Work} that looks at its own call: to see when it is given up, or how much time is left.
 *
 * @param <A> what it is called with
 * @param <R> what it returns
 */
@FunctionalInterface
public interface CallWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Does the work.
   *
   * @param argument what the command was executed with
   * @param call this execution, as its work may see it
   * @return the result; null is a legal one
   * @throws Exception any, as {@link Work#run}
   */
  R run(A argument, Call call) throws Exception;
}
