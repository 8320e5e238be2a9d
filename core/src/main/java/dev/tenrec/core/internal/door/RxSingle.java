// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.outcome.Receiver;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.core.SingleObserver;
import org.jspecify.annotations.Nullable;

/**
 * A call as a cold single.
 *
 * @param <R> what the call returns
 */
public final class RxSingle<R extends @Nullable Object> extends Single<R> {

  private final String key;
  private final RxSubscription.Calls<R> calls;

  public RxSingle(String key, RxSubscription.Calls<R> calls) {
    this.key = key;
    this.calls = calls;
  }

  @Override
  protected void subscribeActual(SingleObserver<? super R> observer) {
    RxSubscription call =
        calls.notifying(
            new Receiver<>() {
              @Override
              public void onValue(R value) {
                if (value == null) {
                  observer.onError(nothing());
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

  private Throwable nothing() {
    try {
      return new NullPointerException(
          key + " returned null, which a Single cannot carry: use toMaybe");
    } catch (OutOfMemoryError e) { // the observer has to have something
      return e;
    }
  }
}
