// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.work.Canceller;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The user code that runs for one execution, work or fallback: since when it runs, and what stops
 * it. A layer of {@link Execution}, as {@link ExecutionResult} is.
 *
 * @param <R> what the command returns
 */
public abstract class RunningWork<R extends @Nullable Object> extends ExecutionResult<R> {

  private static final VarHandle CANCELLERS;

  static {
    try {
      CANCELLERS =
          MethodHandles.lookup().findVarHandle(RunningWork.class, "cancellers", Cancellers.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** In the place of the work's start. */
  private static final long NEVER_RAN = Long.MIN_VALUE;

  /**
   * Written by the worker just before begin, and again after begin if the work never runs; read by
   * the thread that claims the ending during the work. Volatile, because nothing else orders the
   * second write and the read.
   */
  private volatile long workStartNanos;

  /**
   * Whether the work is a stage by now, which ends without a thread of ours. Written by the thread
   * that started the stage, before it looks whether the call is given up; read by the thread that
   * gives the call up, after its claim. So at least one of the two arms {@link StagePermitTimeout}.
   */
  volatile boolean following;

  /**
   * Whether closing has noted that the stage may go on. Written by the closing thread before it
   * adds this to {@link RunningStages} and looks whether the work has stopped; read by the thread
   * that ends the stage, after its stop: one of the two takes this out again.
   */
  volatile boolean noted;

  /**
   * Written once, by a CAS of the first registration, before it looks whether the call is given up;
   * read by the thread that gives the call up, after its claim: one of the two sees the other. No
   * lock on this object, because users have it as their call.
   */
  private volatile @Nullable Cancellers cancellers;

  /**
   * The stay of a thread of ours at its fallback. Written by that thread before it marks the
   * fallback as begun, read by a thread that has claimed the ending after that.
   */
  private volatile @Nullable FallbackThread fallbackStay;

  RunningWork(long deadlineNanos) {
    super(deadlineNanos);
  }

  /**
   * This thread, one of ours, begins the fallback; until {@link #endFallback} an interrupt is meant
   * for it. False if the ending was claimed meanwhile.
   */
  boolean beginFallback() {
    FallbackThread stay = new FallbackThread();
    fallbackStay = stay;
    boolean begins = fallbackBegins();
    if (!begins) { // else the interrupt might hit what the thread does next
      stay.end();
    }
    return begins;
  }

  /**
   * This thread has ended the fallback. Whether that was busy although the call had been answered.
   */
  boolean endFallback() {
    FallbackThread stay = fallbackStay;
    if (stay != null) {
      stay.end();
    }
    return fallbackEnds();
  }

  /** Whether a thread of ours is at the work, or has been at the fallback. */
  boolean hasThreadToInterrupt() {
    return isOnInterruptibleThread() || fallbackStay != null;
  }

  /** Interrupts the thread of ours that is at the fallback, if one is. */
  void interruptFallback() {
    FallbackThread stay = fallbackStay;
    if (stay != null) {
      stay.interrupt();
    }
  }

  /** It was begun only to find that its deadline has passed. */
  void workNeverRan() {
    workStartNanos = NEVER_RAN;
  }

  /** Whether the user's work was started. */
  public boolean hasRun() {
    return hasBegun() && workStartNanos != NEVER_RAN;
  }

  /** On the thread that is about to ask whether the work may begin. */
  protected void workBegins(long now) {
    workStartNanos = now;
  }

  /** How long the work took until {@code now}, -1 if it did not begin. */
  public long workedNanos(long now) {
    return hasRun() ? Math.max(0, now - workStartNanos) : -1;
  }

  /** For {@link dev.tenrec.core.work.Call#onCancel}. On any thread. */
  public void onCancel(Canceller canceller) {
    cancellers().add(Objects.requireNonNull(canceller, "canceller"));
  }

  Cancellers cancellers() {
    Cancellers present = cancellers;
    if (present == null) {
      Cancellers made = new Cancellers();
      present = CANCELLERS.compareAndSet(this, null, made) ? made : cancellers;
      if (present == null) {
        throw new AssertionError("set once, and never taken away");
      }
      if (wasAbandonedRunning()) {
        present.giveUp();
      }
    }
    return present;
  }

  /** Runs what was registered to stop the work, and what will be. */
  void runCancellers() {
    Cancellers present = cancellers;
    if (present != null) {
      present.giveUp();
    }
  }

  /** As {@link #runCancellers}, but leaves to the calling thread where what was registered runs. */
  Cancellers.@Nullable Node takeCancellers() {
    Cancellers present = cancellers;
    return present == null ? null : present.takeAll();
  }

  boolean hasCancellers() {
    return cancellers != null;
  }

  /** Whether all there is to cancel is a stage of the JDK's own, on which nothing else hangs. */
  boolean cancelsStageOnly() {
    Cancellers present = cancellers;
    return present != null && present.isBareStage();
  }
}
