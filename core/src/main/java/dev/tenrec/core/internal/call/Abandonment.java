// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The endings that are not the work's own: its deadline came, or its caller does not want it any
 * more.
 */
public final class Abandonment<A extends @Nullable Object, R extends @Nullable Object> {

  private static final long PATIENCE_NANOS = CallbackExecutor.PATIENCE.toNanos();

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;
  private final Completion<A, R> completion;

  Abandonment(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
    this.completion = pipeline.completion;
  }

  /** The deadline has come, found by the caller that waits, or by the thread that ends the work. */
  public void timedOut(Execution<A, R> execution) {
    if (endsWithLastFailure(execution)) {
      pipeline.conclude(execution, EventType.FAILURE, execution.cause);
      return;
    }
    Throwable cause;
    try {
      cause = execution.timeoutError();
    } catch (OutOfMemoryError e) { // the caller waits, and its fallback has to be asked
      cause = Errors.BARE_TIMEOUT;
    }
    EventType event = execution.lateness();
    if (!completion.claimed(execution, event, null, cause)) {
      return;
    }
    // a stream's own worker, at its late item, is past the work: the fallback may be next there
    if (execution.plan.settings.interruptOnTimeout() && !execution.isOnWorker()) {
      interruptApart(execution);
    }
    cancelHereOrApart(execution);
    pipeline.conclude(execution, event, cause);
  }

  /**
   * The deadline has come, found by the timer's thread, which runs no user code and does not wait:
   * it publishes the ending, unless a fallback has to run, and hands over the rest. All that takes
   * memory is made before the claim; if there is none, the timer tries again.
   */
  void expired(Execution<A, R> execution) {
    Throwable cause = execution.timeoutError();
    CallbackTask cancellers = CallbackTask.of(execution::runCancellers);
    boolean interrupts = execution.plan.settings.interruptOnTimeout();
    CallbackTask interrupt = interrupts ? CallbackTask.of(execution::interruptWork) : null;
    CallbackShare interrupting = interrupts ? runtime.interrupts() : null;
    Execution<A, R> whole = execution.whole();
    CallbackTask delivery = completion.delivery(whole);
    FallbackTask<A, R> fallback = new FallbackTask<>(whole, delivery);
    // one that is followed only from now on has its own made then
    StagePermitTimeout permit = execution.following ? new StagePermitTimeout(execution) : null;
    EventType event = execution.lateness();
    if (endsWithLastFailure(execution)) {
      concludeApart(execution, delivery, fallback);
      return;
    }
    if (!completion.claimed(execution, event, null, cause, permit)) {
      boolean unused = watchOwner(execution);
      return;
    }
    if (execution.handsOver(event, cause)) {
      openFallback(whole, fallback);
    }
    if (interrupt != null && interrupting != null) {
      interrupting.execute(interrupt);
    }
    if (execution.cancelsStageOnly()) { // its permit comes back with it, so not behind user code
      runtime.engine.stageCancels().execute(cancellers);
    } else if (execution.hasCancellers()) { // a canceller registered from now on runs at once
      runtime.callbacks().execute(cancellers);
    }
  }

  /** Its time is over between two attempts: none had a time-out, so the last failure says more. */
  private boolean endsWithLastFailure(Execution<A, R> execution) {
    return pipeline.further != null && pipeline.further.outOfTime(execution);
  }

  /**
   * By the owner of an ending that is decided, on a thread that must run no user code: answers, or
   * has the fallback answer.
   */
  public void concludeApart(Execution<A, R> execution) {
    CallbackTask delivery = completion.delivery(execution);
    concludeApart(execution, delivery, new FallbackTask<>(execution, delivery));
  }

  private void concludeApart(
      Execution<A, R> execution, @Nullable CallbackTask delivery, FallbackTask<A, R> fallback) {
    if (execution.awaitsFallback()) {
      openFallback(execution, fallback);
    } else if (execution.isUnpublished()) { // else its fallback is open, which needs its argument
      completion.answerApart(execution, delivery);
    }
  }

  /** On the timer's thread, or another one that must run no user code. */
  private void openFallback(Execution<A, R> execution, FallbackTask<A, R> fallback) {
    if (execution.openFallback()) {
      if (execution.callerStays) { // it is in its work, and answers itself when that returns
        runtime.engine.waiter().wake(execution.caller);
      } else {
        fallback.open();
      }
    }
  }

  /** An interrupt may close a channel, which may wait: no answer does. */
  private void interruptApart(Execution<A, R> execution) {
    if (!execution.hasBegun() || execution.hasStopped()) {
      return;
    }
    try {
      runtime.interrupts().execute(CallbackTask.of(execution::interruptWork));
    } catch (Throwable thrown) { // no memory
      execution.interruptWork();
    }
  }

  /** By a thread that waits for no interrupt: what runs for the execution has to end now. */
  void interruptAllApart(Execution<A, R> execution) {
    if (!execution.hasThreadToInterrupt()) {
      return;
    }
    try {
      runtime.interrupts().execute(CallbackTask.of(execution::interruptAll));
    } catch (Throwable thrown) { // no memory
      execution.interruptAll();
    }
  }

  /**
   * The calling thread can do no more for this execution, whose ending is decided or about to be.
   * Throws nothing.
   */
  public void leaveToOwner(Execution<A, R> execution) {
    boolean watched = false;
    try {
      watched = watchOwner(execution);
    } catch (Throwable thrown) { // no memory, no timer
      runtime.failedToSettle(thrown);
    }
    if (!watched) {
      completion.publishForDead(execution);
    }
  }

  /**
   * Another thread owns the ending: the timer goes on with it, if the owner does not. False if all
   * is closed.
   */
  private boolean watchOwner(Execution<A, R> execution) {
    return !execution.isUnpublished()
        || runtime.engine.timer().arm(new OwnerWatch(execution, pipeline.now() + PATIENCE_NANOS));
  }

  /** The timer's node for the moment when the owner of an ending counts as lost. */
  private final class OwnerWatch extends Timeout {

    private final Execution<A, R> execution;

    private OwnerWatch(Execution<A, R> execution, long deadlineNanos) {
      super(deadlineNanos);
      this.execution = execution;
    }

    @Override
    protected boolean isEnded() {
      return !execution.isUnpublished();
    }

    @Override
    public void closed() {
      completion.publishForOwner(execution); // no fallback is asked any more
    }

    @Override
    protected void expired() {
      FallbackTask<A, R> fallback = new FallbackTask<>(execution, completion.delivery(execution));
      if (!execution.awaitsFallback() || !execution.openFallback()) {
        completion.publishForOwner(execution);
      } else if (execution.callerStays) {
        runtime.engine.waiter().wake(execution.caller);
      } else {
        fallback.open();
      }
    }
  }

  /**
   * Runs the cancellers in the command's share: they are user code, and nothing waits for them. A
   * bare stage is cancelled here: that runs no user code, and its permit is back with it.
   */
  private void cancelHereOrApart(Execution<A, R> execution) {
    try {
      if (execution.cancelsStageOnly()) {
        execution.runCancellers();
      } else if (execution.hasCancellers()) { // a canceller registered from now on runs at once
        runtime.callbacks().execute(CallbackTask.of(execution::runCancellers));
      }
    } catch (Throwable thrown) { // no memory: the answer must not wait for that
      runtime.failedToSettle(thrown);
    }
  }

  /**
   * The caller gives up, or another thread does in its place.
   *
   * @param error what the receiver gets; null if the receiver's own side gave up
   * @return whether this ended it
   */
  boolean cancel(Execution<A, R> execution, boolean interrupt, @Nullable Throwable error) {
    StackReserve.check(); // it throws before anything is given up, rather than half-way
    Throwable why = error != null ? error : cancelled();
    CallbackTask delivery = error == null ? null : completion.delivery(execution);
    if (!claimedCancelled(execution, why)) {
      return false;
    }
    answer(execution, error != null, delivery);
    try {
      stopAll(execution, interrupt);
    } catch (Throwable thrown) { // no memory, no stack: it is answered, which has to be shown
      runtime.failedToSettle(thrown);
    }
    return true;
  }

  /**
   * No call waits any more for a run that calls have shared: it is cancelled, wherever it is.
   * Throws nothing: no other thread would do it.
   *
   * @param here whether this is the side of a caller, whose thread may cancel a stage; the timer's
   *     must not
   */
  public void drop(Execution<A, R> run, boolean interrupt, boolean here) {
    try {
      if (!claimedCancelled(run, cancelled())) {
        return;
      }
      completion.answerQuietly(run);
      if (here) {
        stopAll(run, interrupt);
      } else {
        stopAllApart(run, interrupt);
      }
    } catch (Throwable thrown) { // no memory, no stack
      runtime.failedToSettle(thrown);
    }
  }

  /** Claims whichever ending there is to claim: of the work, of its attempts, of its fallback. */
  private boolean claimedCancelled(Execution<A, R> execution, Throwable why) {
    if (completion.claimed(execution, EventType.CANCELLED, null, why)
        || pipeline.further != null && pipeline.further.cancels(execution, why)) {
      return true;
    }
    ExecutionState.FallbackClaim claim = execution.claimFallback();
    if (claim == ExecutionState.FallbackClaim.LOST) {
      return false;
    }
    execution.decideFallback(EventType.CANCELLED, null, null, why); // at once
    if (claim == ExecutionState.FallbackClaim.DURING_FALLBACK) {
      runtime.abandonedRunning();
    }
    return true;
  }

  /** For a thread that may not come again: what it gives up with, also if there is no memory. */
  private Throwable cancelled() {
    try {
      return Errors.cancelled(runtime.commandKey);
    } catch (OutOfMemoryError e) {
      return Errors.BARE_CANCELLATION;
    }
  }

  private void answer(
      Execution<A, R> execution, boolean delivers, @Nullable CallbackTask delivery) {
    if (delivers) {
      completion.answerApart(execution, delivery);
    } else {
      completion.answerQuietly(execution);
    }
  }

  /** Its subscriber broke the rules, which is the caller's fault. */
  public void misused(Execution<A, R> execution, Throwable how) {
    if (completion.claimed(execution, EventType.BAD_REQUEST, null, how)) {
      pipeline.conclude(execution, EventType.BAD_REQUEST, how);
      stopWork(execution, false);
    } else {
      boolean unused = cancel(execution, false, how); // it may be at its fallback
    }
  }

  /** The thread that waits was interrupted: its work is not wanted any more. */
  void interrupted(Execution<A, R> execution) {
    Throwable why;
    try {
      why = Errors.interrupted(runtime.commandKey, runtime.stackTraces);
    } catch (OutOfMemoryError e) { // the caller waits, and gets that
      why = e;
    }
    if (completion.claimed(execution, EventType.CANCELLED, null, why)) {
      completion.answer(execution);
      if (execution.share != null) {
        execution.share.leave(true);
      } else {
        interruptApart(execution);
        cancelHereOrApart(execution);
      }
    }
  }

  /**
   * An attempt is not wanted any more, because its call has ended. On any thread; runs no user code
   * here and waits for nothing. Throws nothing.
   *
   * @param event what it ends with, unless its call counts it otherwise
   * @param interrupt whether its thread is interrupted
   * @return false if it has ended
   */
  public boolean giveUp(
      Execution<A, R> attempt, EventType event, Throwable cause, boolean interrupt) {
    if (!completion.claimed(attempt, event, null, cause)) {
      return false;
    }
    completion.answerQuietly(attempt);
    if (interrupt) {
      interrupt(attempt);
    }
    cancelApart(attempt);
    return true;
  }

  /** Something may hang on a stage by the time it is cancelled, and run with it. */
  private void cancelApart(Execution<A, R> attempt) {
    try {
      if (attempt.cancelsStageOnly()) {
        runtime.engine.stageCancels().execute(CallbackTask.of(attempt::runCancellers));
      } else if (attempt.hasCancellers()) { // a canceller registered from now on runs at once
        runtime.callbacks().execute(CallbackTask.of(attempt::runCancellers));
      }
    } catch (Throwable thrown) { // no memory: the answer must not wait for that
      runtime.failedToSettle(thrown);
    }
  }

  /** Interrupts the thread that is at the work of an attempt that was given up, elsewhere. */
  public void interrupt(Execution<A, R> attempt) {
    interruptApart(attempt);
  }

  /** Its starter was shut between the gate and the hand-over, and has not taken it. */
  void foundClosed(Execution<A, R> execution) {
    execution.workNeverRan();
    if (execution.begin(null)) {
      if (execution.stop() == ExecutionState.Stop.ABANDONED_RUNNING) {
        runtime.abandonedStopped(execution);
      }
      completion.leave(execution);
      pipeline.ended(execution, EventType.CANCELLED, null, Errors.closed(runtime.commandKey));
    }
  }

  /**
   * A stage outlived its deadline for too long: its permit is free again, whatever becomes of it.
   */
  void abandoned(Execution<A, R> execution) {
    if (execution.stop() != ExecutionState.Stop.AGAIN) {
      try {
        runtime.engine.stages().remove(execution);
        runtime.abandoned(execution);
      } finally { // no memory: it has stopped, so the timer does not come again
        completion.leave(execution);
      }
    }
  }

  /** Its caller may have to see the ending yet, so this thread waits for no interrupt. */
  private void stopAll(Execution<A, R> execution, boolean interrupt) {
    if (interrupt) {
      interruptAllApart(execution);
    }
    stopWork(execution, interrupt);
  }

  /** As {@link #stopAll}; runs no user code here and waits for nothing. */
  private void stopAllApart(Execution<A, R> execution, boolean interrupt) {
    if (interrupt) {
      interruptAllApart(execution);
    }
    SharedRunPart share = execution.share;
    if (share != null) { // the work is not its own
      share.leaveApart(interrupt);
    } else {
      cancelApart(execution);
    }
  }

  /** Work that is not wanted any more is left to others, or its cancellers run. */
  private void stopWork(Execution<A, R> execution, boolean interrupt) {
    SharedRunPart share = execution.share;
    if (share != null) { // the work is not its own
      share.leave(interrupt);
    } else {
      cancelHereOrApart(execution);
    }
  }
}
