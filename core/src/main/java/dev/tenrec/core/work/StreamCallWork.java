// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * {@link StreamWork} that looks at its own call.
 *
 * @param <A> what the command is subscribed with
 * @param <R> one item; never null
 */
@FunctionalInterface
public interface StreamCallWork<A extends @Nullable Object, R> {

  /**
   * Makes the publisher, as {@link StreamWork#start} does.
   *
   * @param argument what the command was subscribed with
   * @param call this execution, as its work may see it; {@link Call#remaining} is the time left for
   *     the first item
   * @return the items; never null
   * @throws Exception any: the execution fails with it
   */
  Publisher<R> start(A argument, Call call) throws Exception;
}
