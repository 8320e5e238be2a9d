// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.outcome.Receiver;
import io.reactivex.rxjava3.disposables.Disposable;
import org.jspecify.annotations.Nullable;

/** One subscription of a single or maybe: a call that is given up by its disposal. */
public interface RxSubscription extends Disposable {

  /** Begins the call. After onSubscribe; what was disposed by then never runs. */
  void start();

  /**
   * Makes the call of each subscription, a command's or a collapser's.
   *
   * @param <R> what the call returns
   */
  interface Calls<R extends @Nullable Object> {

    /**
     * A subscription that reports to this observer, once started, unless it is disposed before its
     * end.
     */
    RxSubscription notifying(Receiver<R> observer);
  }
}
