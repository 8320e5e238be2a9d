// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@link AsyncWork} that looks at its own call.
 *
 * @param <A> what it is called with
 * @param <R> what the stage brings
 */
@FunctionalInterface
public interface AsyncCallWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Starts the work, without waiting for it.
   *
   * @param argument what the command was executed with
   * @param call this execution, as its work may see it
   * @return the stage of its end; never null
   * @throws Exception any: the execution fails with it
   */
  CompletionStage<R> start(A argument, Call call) throws Exception;
}
