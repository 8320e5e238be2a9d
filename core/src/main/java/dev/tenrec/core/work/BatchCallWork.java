// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link BatchWork} that looks at its own call: that of its batch, which all members wait for.
 *
 * @param <A> what one member asks with
 * @param <R> what it is answered
 */
@FunctionalInterface
public interface BatchCallWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Answers all.
   *
   * @param arguments those of the members, in the order they came, equal ones once; never empty;
   *     not to be changed
   * @param call the batch's execution, as its work may see it
   * @return as {@link BatchWork#run}
   * @throws Exception any: the batch fails with it
   */
  Map<A, R> run(List<A> arguments, Call call) throws Exception;
}
