// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Work that only starts something and returns a stage for its end. The execution ends with the
 * stage; its permit is held until then.
 *
 * @param <A> what it is called with
 * @param <R> what the stage brings
 */
@FunctionalInterface
public interface AsyncWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Starts the work, without waiting for it. A start that blocks on a thread of Tenrec's is
   * interrupted at the deadline, unless {@code execution.isolation.thread.interruptOnTimeout} is
   * false; on the caller's thread it is not.
   *
   * @param argument what the command was executed with
   * @return the stage of its end; never null (a null stage is a failure). Its deadline cancels it,
   *     as far as {@code toCompletableFuture().cancel(true)} reaches
   * @throws Exception any: the execution fails with it
   */
  CompletionStage<R> start(A argument) throws Exception;
}
