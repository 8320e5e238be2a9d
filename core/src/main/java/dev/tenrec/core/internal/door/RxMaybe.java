// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.outcome.Receiver;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.MaybeObserver;
import org.jspecify.annotations.Nullable;

/**
 * A call as a cold maybe: empty on a null result.
 *
 * @param <R> what the call returns
 */
public final class RxMaybe<R extends @Nullable Object> extends Maybe<R> {

  private final RxSubscription.Calls<R> calls;

  public RxMaybe(RxSubscription.Calls<R> calls) {
    this.calls = calls;
  }

  @Override
  protected void subscribeActual(MaybeObserver<? super R> observer) {
    RxSubscription call =
        calls.notifying(
            new Receiver<>() {
              @Override
              public void onValue(R value) {
                if (value == null) {
                  observer.onComplete();
                } else {
                  observer.onSuccess(value);
                }
              }

              @Override
              public void onError(Throwable error) {
                observer.onError(error);
              }
            });
    observer.onSubscribe(call);
    call.start();
  }
}
