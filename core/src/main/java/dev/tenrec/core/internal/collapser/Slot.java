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

  /** Of the argument, see {@link Slots#hash}. */
  final int hash;

  /**
   * The slot of another argument with this hash that came before; null if there was none. Written
   * once, before this is added to its batch, read by threads that have found this there, ordered by
   * the batch's lock.
   */
  @Nullable Slot<A, R> older;

  /** A slot with another hash in the same place of the table. Under the batch's lock. */
  @Nullable Slot<A, R> beside;

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

  /**
   * The members that {@link #publish(Throwable)} took, until a thread delivers to them. Several
   * threads may fail a batch. Guarded by this.
   */
  private @Nullable Member<R> settled;

  /**
   * The part whose answers count for it. Written by the thread that starts the batch; volatile for
   * threads that nothing else orders after that.
   */
  private volatile @Nullable Part<A, R> part;

  Slot(Batch<A, R> batch, A argument, int hash) {
    this.batch = batch;
    this.argument = argument;
    this.hash = hash;
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
  synchronized int waitingNow() {
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
    Supplier<Outcome<?>> outcome = asks == null ? null : asks.outcome();
    return outcome == null ? null : outcome.get();
  }

  @Override
  public boolean workBegan() {
    Part<A, R> asks = part;
    return asks != null && asks.workBegan();
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

  /** By the thread that starts the batch: all members have left, and must not keep the batch. */
  void drop() {
    Member<R> member = take();
    while (member != null) {
      Member<R> next = member.next();
      member.forget();
      member = next;
    }
  }

  /** Whether the members were taken. */
  synchronized boolean isTaken() {
    return last == null;
  }

  /**
   * Takes the members out, if they were not taken, and publishes an error to them. In one step, so
   * that another thread that fails the batch delivers only to what is published. Takes no memory.
   */
  synchronized void publish(Throwable error) {
    Member<R> taken = take();
    if (taken != null) {
      publish(taken, null, error);
      settled = taken;
    }
  }

  /** Delivers to those, on other threads, unless another thread has. Takes no memory. */
  void deliver(Deliverer deliverer) {
    deliver(takeSettled(), deliverer, false);
  }

  private synchronized @Nullable Member<R> takeSettled() {
    Member<R> taken = settled;
    settled = null;
    return taken;
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
