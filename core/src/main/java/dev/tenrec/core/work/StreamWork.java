// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Work that answers with any number of items. The execution ends with the publisher's end, or when
 * the subscriber cancels; its permit is held until then.
 *
 * @param <A> what the command is subscribed with
 * @param <R> one item; never null
 */
@FunctionalInterface
public interface StreamWork<A extends @Nullable Object, R> {

  /**
   * Makes the publisher, once per subscription, which is then subscribed to once, on the thread
   * that made it. Neither should wait for items. What blocks here on a thread of Tenrec's is
   * interrupted at a time-out, unless {@code execution.isolation.thread.interruptOnTimeout} is
   * false, and when the subscriber cancels, if {@code interruptOnFutureCancel} says so; on the
   * subscriber's thread it is not. A publisher that sends its items here is not interrupted for an
   * item that comes too late, or at which the subscriber cancels: its subscription is cancelled.
   *
   * @param argument what the command was subscribed with
   * @return asked for as many items as the subscriber asks for, and cancelled when it cancels or a
   *     limit passes; never null (null is a failure)
   * @throws Exception any: the execution fails with it
   */
  Publisher<R> start(A argument) throws Exception;
}
