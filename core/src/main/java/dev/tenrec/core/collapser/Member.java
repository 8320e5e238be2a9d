// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a collapser: a node in the batch it joined, and what is told of the answer, so that a
 * member costs one object. The doors are its kinds. It is settled once: answered, failed, or left
 * by its own caller, and told of nothing after that. It waits in a batch, or at another {@link
 * Place} for one that does.
 *
 * @param <R> what it is answered
 */
public abstract class Member<R extends @Nullable Object> implements Receiver<R> {

  private static final Logger LOG = LoggerFactory.getLogger(Member.class);
  private static final VarHandle SETTLED;

  static {
    try {
      SETTLED = MethodHandles.lookup().findVarHandle(Member.class, "settled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Set once by a CAS, by the batch or by the caller that leaves; read by both. */
  private volatile boolean settled;

  /**
   * Where it waits. Written by who brings it there, in a batch under its lock; read by who leaves,
   * who settled it before: one of both sees the other.
   */
  private volatile @Nullable Place<R> place;

  /** Whether its slot counts it. Under the batch's lock only. */
  private boolean counted;

  /** The one that joined the slot before. Written under the batch's lock, read after its start. */
  private @Nullable Member<R> next;

  /**
   * Its caller does not want the answer any more. Before the batch's start it is taken out of it;
   * later that has no effect on the batch.
   *
   * @return whether this settled it: then it is told nothing more
   */
  public final boolean leave() {
    if (!settle()) {
      return false;
    }
    Place<R> waited = place;
    if (waited != null) {
      waited.left(this);
    }
    return true;
  }

  /** Whether it was answered, failed, or left. */
  public final boolean isSettled() {
    return settled;
  }

  /** Fails it, unless it is settled. What its receiver throws is logged. */
  public final void fail(Throwable error) {
    if (settle()) {
      tellError(error);
    }
  }

  final void answer(R value) {
    if (settle()) {
      tell(value);
    }
  }

  /**
   * Takes it upon the caller to tell it how it ended, by one of the next two; true for one only.
   */
  public final boolean settle() {
    return !settled && SETTLED.compareAndSet(this, false, true);
  }

  /** By who settled it. What its receiver throws is logged. */
  public final void tell(R value) {
    try {
      onValue(value);
    } catch (Throwable thrown) { // it is settled; there is nobody left to tell
      logFailed(thrown);
    }
  }

  /** By who settled it. What its receiver throws is logged. */
  public final void tellError(Throwable error) {
    try {
      onError(error);
    } catch (Throwable thrown) { // as above
      logFailed(thrown);
    }
  }

  /**
   * How the batch ended that is about to settle it: for {@link #onValue} and {@link #onError} only.
   * Null if there is none that started.
   */
  protected final @Nullable Outcome<?> batchOutcome() {
    Place<R> waits = place;
    return waits == null ? null : waits.outcome();
  }

  /** The part of a started batch that is to answer it; null if there is none yet. */
  public final @Nullable Object waitsFor() {
    return place instanceof Slot<?, R> slot ? slot.part() : null;
  }

  /**
   * Brings it to a place that is not in a batch. It may have left before: who brings it looks at
   * {@link #isSettled} when it is there.
   */
  public final void waitAt(Place<R> brought) {
    place = brought;
  }

  private static void logFailed(Throwable thrown) {
    LOG.warn("the receiver of a batch's member failed", thrown);
  }

  /** It is settled: a future that is kept must not keep all that it waited with. */
  public final void forget() {
    next = null;
    place = null;
  }

  // By its slot, under the batch's lock.

  /** Whether it counts from now on: not if it has left while it was joining. */
  boolean stand(Slot<?, R> slot, @Nullable Member<R> before) {
    place = slot;
    next = before;
    counted = !settled;
    return counted;
  }

  /** Whether it counted until now. */
  boolean uncount() {
    boolean before = counted;
    counted = false;
    return before;
  }

  // By the one thread that answers its part.

  @Nullable Member<R> next() {
    return next;
  }
}
