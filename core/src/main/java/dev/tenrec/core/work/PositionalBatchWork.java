// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link BatchWork} that answers by position.
 *
 * @param <A> what one member asks with
 * @param <R> what it is answered
 */
@FunctionalInterface
public interface PositionalBatchWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Answers all.
   *
   * @param arguments those of the members, in the order they came, equal ones once; never empty;
   *     not to be changed
   * @return as many answers as arguments, in their order; null is a legal one. Any other number of
   *     them fails the batch: no answer could be assigned to its argument
   * @throws Exception any: the batch fails with it
   */
  List<R> run(List<A> arguments) throws Exception;
}
