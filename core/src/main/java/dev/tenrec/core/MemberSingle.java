// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.BatchDoor;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.core.SingleObserver;
import org.jspecify.annotations.Nullable;

/** A collapsed call as a cold single. */
final class MemberSingle<A extends @Nullable Object, R extends @Nullable Object> extends Single<R> {

  private final BatchDoor<A, R> door;
  private final A argument;

  MemberSingle(BatchDoor<A, R> door, A argument) {
    this.door = door;
    this.argument = argument;
  }

  @Override
  protected void subscribeActual(SingleObserver<? super R> observer) {
    RxMember<R> member =
        new RxMember<>() {
          @Override
          public void onValue(R value) {
            if (value == null) {
              observer.onError(
                  new NullPointerException(
                      door.key() + " returned null, which a Single cannot carry: use toMaybe"));
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
