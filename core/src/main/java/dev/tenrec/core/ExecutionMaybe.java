// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.Pipeline;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.MaybeObserver;
import org.jspecify.annotations.Nullable;

/** A command as a cold maybe: empty on a null result. */
final class ExecutionMaybe<A extends @Nullable Object, R extends @Nullable Object>
    extends Maybe<R> {

  private final Pipeline<A, R> pipeline;
  private final A argument;

  ExecutionMaybe(Pipeline<A, R> pipeline, A argument) {
    this.pipeline = pipeline;
    this.argument = argument;
  }

  @Override
  protected void subscribeActual(MaybeObserver<? super R> observer) {
    RxReceiver<A, R> receiver =
        new RxReceiver<>(pipeline) {
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
        };
    observer.onSubscribe(receiver);
    receiver.start(argument);
  }
}
