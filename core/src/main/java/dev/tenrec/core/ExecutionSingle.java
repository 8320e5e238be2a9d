// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.Pipeline;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.core.SingleObserver;
import org.jspecify.annotations.Nullable;

/** A command as a cold single. */
final class ExecutionSingle<A extends @Nullable Object, R extends @Nullable Object>
    extends Single<R> {

  private final Pipeline<A, R> pipeline;
  private final A argument;

  ExecutionSingle(Pipeline<A, R> pipeline, A argument) {
    this.pipeline = pipeline;
    this.argument = argument;
  }

  @Override
  protected void subscribeActual(SingleObserver<? super R> observer) {
    RxReceiver<A, R> receiver =
        new RxReceiver<>(pipeline) {
          @Override
          public void onValue(R value) {
            if (value == null) {
              observer.onError(
                  new NullPointerException(
                      pipeline.commandKey()
                          + " returned null, which a Single cannot carry: use toMaybe"));
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
