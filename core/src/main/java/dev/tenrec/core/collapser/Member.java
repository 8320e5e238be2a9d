// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a collapser: a node in the batch it joined, and what is told of the answer, so that a
 * member costs one object. The doors are its kinds. It is settled once: answered, failed, or left
 * by its own caller, and told of nothing after that.
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
   * Where it stands in its batch. Written by the joining thread under the batch's lock; read by who
   * leaves, who settled it before: one of both sees the other.
   */
  private volatile @Nullable Slot<?, R> slot;

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
    Slot<?, R> stands = slot;
    if (stands != null) {
      stands.left(this);
    }
    return true;
  }

  /** Whether it was answered, failed, or left. */
  public final boolean isSettled() {
    return settled;
  }

  /** Fails it, unless it is settled. What its receiver throws is logged. */
  public final void fail(Throwable error) {
    if (!settle()) {
      return;
    }
    try {
      onError(error);
    } catch (Throwable thrown) { // it is settled; there is nobody left to tell
      logFailed(thrown);
    }
  }

  final void answer(R value) {
    if (!settle()) {
      return;
    }
    try {
      onValue(value);
    } catch (Throwable thrown) { // as above
      logFailed(thrown);
    }
  }

  /**
   * How the batch ended that is about to settle it: for {@link #onValue} and {@link #onError} only.
   * Null if there is none that started.
   */
  protected final @Nullable Outcome<?> batchOutcome() {
    Slot<?, R> stands = slot;
    Supplier<Outcome<?>> told = stands == null ? null : stands.outcome();
    return told == null ? null : told.get();
  }

  private boolean settle() {
    return !settled && SETTLED.compareAndSet(this, false, true);
  }

  private static void logFailed(Throwable thrown) {
    LOG.warn("the receiver of a batch's member failed", thrown);
  }

  // By its slot, under the batch's lock.

  /** Whether it counts from now on: not if it has left while it was joining. */
  boolean stand(Slot<?, R> stands, @Nullable Member<R> before) {
    slot = stands;
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

  /** It is settled: a future that is kept must not keep the others of its batch. */
  void forget() {
    next = null;
    slot = null;
  }
}
