// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.outcome.Outcome;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a batch, and all members that ask with it. Changed under the batch's lock until
 * it starts; from then on by the one thread that takes the members out.
 */
final class Slot<A extends @Nullable Object, R extends @Nullable Object> implements Place<R> {

  final A argument;
  private final Batch<A, R> batch;

  /**
   * The one that joined last; null once they are taken. Written under the batch's lock until it
   * starts, which orders what comes after; then under the lock of this.
   */
  private @Nullable Member<R> last;

  /** How many members have not left. Until the start. */
  private int waiting;

  /** The slot that joined the batch after this one. Under its lock, until it is taken. */
  @Nullable Slot<A, R> after;

  /** The members that {@link #publish(Throwable)} took. By the thread that fails the batch. */
  private @Nullable Member<R> settled;

  /** The part whose answers count for it. Written by the thread that starts the batch. */
  private @Nullable Part<A, R> part;

  Slot(Batch<A, R> batch, A argument) {
    this.batch = batch;
    this.argument = argument;
  }

  /** Whether that made this an argument that a member waits for. */
  boolean add(Member<R> member) {
    boolean counts = member.stand(this, last);
    last = member;
    return counts && waiting++ == 0;
  }

  /** Whether no member waits for this argument any more. */
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

  /**
   * Takes the members out, for the one thread that answers them: the batch's ending, or its watch.
   *
   * @return the last one, from which {@link Member#next} leads to the others; null if they were
   *     taken before
   */
  synchronized @Nullable Member<R> take() {
    Member<R> taken = last;
    last = null;
    return taken;
  }

  /** Whether the members were taken. */
  synchronized boolean isTaken() {
    return last == null;
  }

  /**
   * Takes the members out, if they were not taken, and publishes an error to them. Takes no memory.
   */
  void publish(Throwable error) {
    settled = take();
    publish(settled, null, error);
  }

  /** Delivers to those, on other threads. Takes no memory. */
  void deliver(Deliverer deliverer) {
    deliver(settled, deliverer, false);
    settled = null;
  }

  /** Publishes to all of them. By the thread that took them. */
  static <R extends @Nullable Object> void publish(
      @Nullable Member<R> taken, @Nullable R value, @Nullable Throwable error) {
    for (Member<R> member = taken; member != null; member = member.next()) {
      boolean unused = member.publish(value, error);
    }
  }

  /** Delivers to all of them, after that. */
  static <R extends @Nullable Object> void deliver(
      @Nullable Member<R> taken, Deliverer deliverer, boolean here) {
    Member<R> member = taken;
    while (member != null) {
      Member<R> next = member.next();
      member.forget();
      if (here) {
        member.deliverHereOrApart(deliverer);
      } else {
        member.deliverApart(deliverer);
      }
      member = next;
    }
  }
}
