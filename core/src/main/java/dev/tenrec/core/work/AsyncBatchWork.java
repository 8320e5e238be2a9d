// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@link BatchWork} that only starts something and returns a stage for its end, as {@link
 * AsyncWork} does.
 *
 * @param <A> what one member asks with
 * @param <R> what it is answered
 */
@FunctionalInterface
public interface AsyncBatchWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Starts the work for all, without waiting for it.
   *
   * @param arguments those of the members, in the order they came, equal ones once; never empty;
   *     not to be changed
   * @return the stage of the answers, as {@link BatchWork#run} returns them; never null
   * @throws Exception any: the batch fails with it
   */
  CompletionStage<? extends Map<A, R>> start(List<A> arguments) throws Exception;
}
