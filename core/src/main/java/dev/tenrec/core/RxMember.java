// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.collapser.Member;
import dev.tenrec.core.execution.BatchDoor;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a collapser: a member that joins with it and leaves by its disposal.
 *
 * @param <A> what the collapser is called with
 * @param <R> what the member is answered
 */
final class RxMember<A extends @Nullable Object, R extends @Nullable Object> extends Member<R>
    implements RxSubscription {

  private final BatchDoor<A, R> door;
  private final A argument;
  private final Receiver<R> observer;

  RxMember(BatchDoor<A, R> door, A argument, Receiver<R> observer) {
    this.door = door;
    this.argument = argument;
    this.observer = observer;
  }

  @Override
  public void start() {
    if (!isDisposed()) {
      door.enter(argument, this);
    }
  }

  @Override
  public void onValue(R value) {
    observer.onValue(value);
  }

  @Override
  public void onError(Throwable error) {
    observer.onError(error);
  }

  @Override
  public void dispose() {
    boolean unused = leave();
  }

  @Override
  public boolean isDisposed() {
    return isSettled();
  }
}
