// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@link AsyncBatchWork} that looks at its own call: that of its batch, which all members wait for.
 *
 * @param <A> what one member asks with
 * @param <R> what it is answered
 */
@FunctionalInterface
public interface AsyncBatchCallWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Starts the work for all, without waiting for it.
   *
   * @param arguments those of the members, in the order they came, equal ones once; never empty;
   *     not to be changed
   * @param call the batch's execution, as its work may see it
   * @return as {@link AsyncBatchWork#start}
   * @throws Exception any: the batch fails with it
   */
  CompletionStage<? extends Map<A, R>> start(List<A> arguments, Call call) throws Exception;
}
