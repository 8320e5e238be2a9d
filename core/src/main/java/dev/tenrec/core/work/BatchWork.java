// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a collapser does for all members of a batch at once.
 *
 * @param <A> what one member asks with
 * @param <R> what it is answered
 */
@FunctionalInterface
public interface BatchWork<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Answers all.
   *
   * @param arguments those of the members, in the order they came, equal ones once; never empty;
   *     not to be changed
   * @return an answer for each argument, null being a legal one. A {@link BatchResult} may report
   *     arguments that failed alone. One that is missing fails its members with a {@link
   *     dev.tenrec.core.outcome.MissingAnswerException}; one that was not asked for is logged and
   *     ignored
   * @throws Exception any: the batch fails with it, and all its members do unless a fallback
   *     answers
   */
  Map<A, R> run(List<A> arguments) throws Exception;
}
