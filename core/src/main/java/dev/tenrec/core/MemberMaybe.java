// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.BatchDoor;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.MaybeObserver;
import org.jspecify.annotations.Nullable;

/** A collapsed call as a cold maybe: empty on a null answer. */
final class MemberMaybe<A extends @Nullable Object, R extends @Nullable Object> extends Maybe<R> {

  private final BatchDoor<A, R> door;
  private final A argument;

  MemberMaybe(BatchDoor<A, R> door, A argument) {
    this.door = door;
    this.argument = argument;
  }

  @Override
  protected void subscribeActual(MaybeObserver<? super R> observer) {
    RxMember<R> member =
        new RxMember<>() {
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
    observer.onSubscribe(member);
    if (!member.isDisposed()) {
      door.enter(argument, member);
    }
  }
}
