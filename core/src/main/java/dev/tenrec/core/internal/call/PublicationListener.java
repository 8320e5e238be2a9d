// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * A receiver with two moments: its ending is seen by threads that wait for it or look at it, and
 * after that it is received, which may run user code. The first may be on any thread, the timer's
 * too, so that nothing that blocks can delay it.
 *
 * @param <R> what is received
 */
public interface PublicationListener<R extends @Nullable Object> extends Receiver<R> {

  /**
   * The ending is there: wakes the threads that wait for it. Runs no user code, does not wait, and
   * throws nothing. {@link #onValue} or {@link #onError} follows, perhaps on another thread.
   */
  void publish(R value, @Nullable Throwable error);
}
