// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * What goes on when a stream does not: it failed, timed out, was rejected, or the circuit was open.
 * Items that were passed on before stay; the fallback's follow them.
 *
 * <p>Called on the thread that ended the work, or, for time-outs, on Tenrec's callback executor;
 * never on the timer's thread.
 *
 * @param <A> what the command was subscribed with
 * @param <R> one item; never null
 */
@FunctionalInterface
public interface StreamFallback<A extends @Nullable Object, R> {

  /**
   * Makes the publisher that goes on. It has no time-out of its own.
   *
   * @param argument what the command was subscribed with
   * @param cause why the work did not go on: its own exception, or one of Tenrec's; never null
   * @return asked for what the subscriber has asked for and not got; never null
   * @throws Exception any: the subscriber then gets {@code cause}
   */
  Publisher<R> apply(A argument, Throwable cause) throws Exception;
}
