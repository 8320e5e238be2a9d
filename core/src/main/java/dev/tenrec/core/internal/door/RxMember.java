// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.batch.BatchDoor;
import dev.tenrec.core.internal.collapser.Member;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a collapser: a member that joins with it and leaves by its disposal.
 *
 * @param <A> what the collapser is called with
 * @param <R> what the member is answered
 */
public final class RxMember<A extends @Nullable Object, R extends @Nullable Object>
    implements RxSubscription {

  private final BatchDoor<A, R> door;
  private final A argument;
  private final Member<R> member;

  public RxMember(BatchDoor<A, R> door, A argument, Member<R> member) {
    this.door = door;
    this.argument = argument;
    this.member = member;
  }

  @Override
  public void start() {
    if (!isDisposed()) {
      door.enter(argument, member);
    }
  }

  @Override
  public void dispose() {
    member.dismiss();
  }

  @Override
  public boolean isDisposed() {
    return member.isSettled();
  }
}
