// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import dev.tenrec.core.outcome.Outcome;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a batch, and all members that ask with it. Changed under the batch's lock until
 * it starts; from then on by the one thread that answers its part.
 */
final class Slot<A extends @Nullable Object, R extends @Nullable Object> implements Place<R> {

  final A argument;
  private final Batch<A, R> batch;

  /** The one that joined last; null once answered. */
  private @Nullable Member<R> last;

  /** How many members have not left. Until the start. */
  private int waiting;

  /** Whose answers count for it. Written by the thread that starts the batch. */
  private @Nullable Part<A, R> part;

  Slot(Batch<A, R> batch, A argument) {
    this.batch = batch;
    this.argument = argument;
  }

  /** Whether that made this an argument somebody waits for. */
  boolean add(Member<R> member) {
    boolean counts = member.stand(this, last);
    last = member;
    return counts && waiting++ == 0;
  }

  /** Whether nobody waits for this argument any more. */
  boolean remove(Member<R> member) {
    return member.uncount() && --waiting == 0;
  }

  @Override
  public void left(Member<R> member) {
    batch.left(this, member);
  }

  /** How many members wait now; they may leave at any time. */
  int waitingNow() {
    int count = 0;
    for (Member<R> member = last; member != null; member = member.next()) {
      count += member.isSettled() ? 0 : 1;
    }
    return count;
  }

  void belongTo(Part<A, R> asks) {
    part = asks;
  }

  @Nullable Part<A, R> part() {
    return part;
  }

  boolean isOf(Part<A, R> asks) {
    return part == asks;
  }

  @Override
  public @Nullable Outcome<?> outcome() {
    Part<A, R> asks = part;
    Supplier<Outcome<?>> told = asks == null ? null : asks.outcome();
    return told == null ? null : told.get();
  }

  void answer(R value) {
    Member<R> member = last;
    last = null;
    while (member != null) {
      Member<R> next = member.next();
      member.answer(value);
      member.forget();
      member = next;
    }
  }

  void fail(Supplier<? extends Throwable> error) {
    Member<R> member = last;
    last = null;
    while (member != null) {
      Member<R> next = member.next();
      if (!member.isSettled()) {
        member.fail(error.get());
      }
      member.forget();
      member = next;
    }
  }
}
