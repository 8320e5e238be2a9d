// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one ending of an execution, in four steps:
 *
 * <ol>
 *   <li>{@link #claimed}: one thread owns it, and writes the answer at once.
 *   <li>Settled: permits go back, counts are made, the breaker is notified. None of that runs user
 *       code or waits, and if one part of it fails, the others and all that follows happen still.
 *   <li>Published: waiting threads see it. That is a change of state and a wake-up.
 *   <li>Delivered and reported: receivers, dependents of futures, listeners of the ending. That is
 *       user code, which may block or throw; nothing of the call waits for it.
 * </ol>
 *
 * <p>The thread that owns the ending does the first three. The fourth is done on that thread, if it
 * may run user code; else in the command's share of the callback threads.
 */
public final class Completion<A extends @Nullable Object, R extends @Nullable Object> {

  private static final Logger LOG = LoggerFactory.getLogger(Completion.class);

  private final CommandRuntime runtime;

  Completion(CommandRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * Claims the one ending, writes it down and settles it. Throws nothing once it is claimed.
   *
   * @param cause why there is no value; null for SUCCESS
   * @return false if another thread was faster
   */
  boolean claimed(
      Execution<A, R> execution, EventType event, @Nullable R value, @Nullable Throwable cause) {
    return claimed(execution, event, value, cause, null);
  }

  /**
   * As {@link #claimed(Execution, EventType, Object, Throwable)}.
   *
   * @param permit for a stage that does not end; null if there is none, or none was made before
   */
  boolean claimed(
      Execution<A, R> execution,
      EventType event,
      @Nullable R value,
      @Nullable Throwable cause,
      @Nullable StagePermitTimeout permit) {
    ExecutionState.Claim claim = execution.claim();
    if (claim == ExecutionState.Claim.LOST) {
      return false;
    }
    execution.decide(event, value, cause);
    if (claim == ExecutionState.Claim.BEFORE_WORK && execution.share != null) {
      try {
        execution.share.endedItself(event);
      } catch (Throwable thrown) { // no memory for a first count
        runtime.failedToSettle(thrown);
      }
      return true;
    }
    try {
      release(execution, claim, permit);
    } catch (Throwable thrown) { // no memory
      runtime.failedToSettle(thrown);
    }
    try {
      record(execution, claim, event);
    } catch (Throwable thrown) { // no memory for a thread's first count, or for a transition
      runtime.failedToSettle(thrown);
    }
    return true;
  }

  private void release(
      Execution<A, R> execution, ExecutionState.Claim claim, @Nullable StagePermitTimeout permit) {
    // no switch: see Pipeline.stopped
    if (claim == ExecutionState.Claim.BEFORE_WORK) {
      leave(execution);
      execution.plan.starter.abandoned();
    } else if (claim == ExecutionState.Claim.DURING_WORK) {
      runtime.abandonedRunning();
      if (execution.following) {
        StagePermitTimeout.arm(
            execution, permit, runtime.engine.timer(), runtime.engine.ticker().nanoTime());
      }
    } else if (claim == ExecutionState.Claim.AFTER_WORK) {
      runtime.engine.closing().left(); // closing may wait for this, and the permit came back before
    } // else its caller is at the gates, and gives back what it got there
  }

  private void record(Execution<A, R> execution, ExecutionState.Claim claim, EventType event) {
    // after the claim: what was read before it may be older than the launch that the claim saw
    Permission permission =
        claim == ExecutionState.Claim.BEFORE_LAUNCH ? Permission.UNGUARDED : execution.permission;
    long now = runtime.engine.ticker().nanoTime();
    if (event == EventType.CANCELLED && execution.hasAnsweredInPart()) {
      runtime.recorder.cutShort(permission, now);
    }
    execution.executionNanos = execution.workedNanos(now);
    if (!execution.isCause(event)) {
      runtime.recorder.givenUp(permission, now); // the whole call counts why it ended
      return;
    }
    runtime.recorder.decided(
        execution.plan, permission, event, execution.cause, execution.executionNanos, now);
  }

  /**
   * Claims the ending from its fallback, and writes down what that brought.
   *
   * @param failure why it brought nothing, if that is known
   * @return false if another thread was faster
   */
  public boolean claimedFallback(
      Execution<A, R> execution,
      EventType event,
      @Nullable R value,
      @Nullable Throwable failure,
      @Nullable Throwable toCaller) {
    if (execution.claimFallback() == ExecutionState.FallbackClaim.LOST) {
      return false;
    }
    execution.decideFallback(event, value, failure, toCaller);
    return true;
  }

  /** Publishes the ending, and delivers it here: on a thread that may run user code. */
  public void answer(Execution<A, R> execution) {
    if (published(execution, false)) {
      runtime.engine.listeners().ended(execution); // first: what is delivered to may block
      deliver(execution);
    }
  }

  /**
   * Publishes the ending on a thread that must run no user code: it is delivered in the command's
   * share.
   *
   * @param delivery made by {@link #delivery} before the ending was claimed, so that nothing is
   *     left to fail for want of memory
   */
  public void answerApart(Execution<A, R> execution, @Nullable CallbackTask delivery) {
    if (published(execution, false)) {
      if (delivery != null) {
        runtime.callbacks().execute(delivery);
      }
      runtime.engine.listeners().ended(execution);
    }
  }

  /** Publishes the ending and delivers nothing: the receiver's own side gave up. */
  public void answerQuietly(Execution<A, R> execution) {
    if (published(execution, true)) {
      runtime.engine.listeners().ended(execution);
    }
  }

  /**
   * By a thread that waits for an ending which its owner does not come to publish: the owner may
   * have died, or be held up. Does nothing if a thread counts the answer, or has: it is about to
   * publish. Nor if a fallback has to be asked first.
   */
  void publishForOwner(Execution<A, R> execution) {
    if (execution.isUnpublished() && !execution.isAccounted() && !execution.awaitsFallback()) {
      answerApart(execution, delivery(execution));
    }
  }

  /**
   * Publishes an ending that even the thread that has counted its answer does not come to publish.
   */
  void publishForDead(Execution<A, R> execution) {
    if (execution.isUnpublished()) {
      answerApart(execution, delivery(execution));
    }
  }

  /** What delivers the ending of this execution in the command's share; null if nothing has to. */
  public @Nullable CallbackTask delivery(Execution<A, R> execution) {
    Receiver<? super R> receiver = execution.receiver;
    if (receiver instanceof LastingReceiver<? super R> lasting) {
      return lasting;
    }
    return receiver == null ? null : CallbackTask.of(() -> deliver(execution));
  }

  /** Has an ending delivered that is published, after a while: there was no memory for it. */
  public void deliverLater(Execution<A, R> execution) {
    if (execution.receiver instanceof LastingReceiver<? super R> lasting) {
      runtime.callbacks().executeLater(lasting);
    }
  }

  /**
   * The step after which every thread sees the ending.
   *
   * @param quietly whether the receiver's own side gave up, and gets nothing
   * @return false if another thread did this
   */
  private boolean published(Execution<A, R> execution, boolean quietly) {
    try {
      account(execution);
    } catch (Throwable thrown) { // no memory for a first count, or for the log of the request
      runtime.failedToSettle(thrown);
    }
    // not at its fallback, nor between attempts, which need it: this thread may come too late
    if (execution.isAccounted()
        && (runtime.engine.listeners().isEmpty() || execution.whole() != execution)) {
      execution.argument = null;
    } // else when its ending was reported, which that of a further attempt is not
    if (!execution.publish()) {
      return false;
    }
    if (execution.callerStays && Thread.currentThread() != execution.caller) {
      runtime.engine.waiter().wake(execution.caller);
    }
    if (!quietly && execution.receiver instanceof PublicationListener<? super R> visible) {
      try {
        visible.publish(execution.value(), execution.error);
      } catch (Throwable thrown) { // no memory for those that share it: they get it delivered
        runtime.failedToSettle(thrown);
      }
    }
    return true;
  }

  private void account(Execution<A, R> execution) {
    if (!execution.takeAccount()) {
      return;
    }
    EventType event = execution.takeAnswerEvent();
    long now = runtime.engine.ticker().nanoTime();
    execution.callerNanos = now - execution.startNanos;
    runtime.recorder.answered(event, execution.admitted ? execution.callerNanos : -1, now);
    execution.writeLog();
    execution.writeFlight();
  }

  private void deliver(Execution<A, R> execution) {
    Receiver<? super R> receiver = execution.receiver;
    if (receiver == null) {
      return;
    }
    try {
      if (execution.error == null) {
        receiver.onValue(execution.value());
      } else {
        receiver.onError(execution.error);
      }
    } catch (VirtualMachineError noMemory) { // or no stack
      if (receiver instanceof LastingReceiver<? super R> lasting && lasting.runsAgain()) {
        runtime.callbacks().executeLater(lasting);
      } else {
        warn(noMemory);
      }
    } catch (Throwable thrown) { // the execution has ended already: only the receiver is concerned
      warn(thrown);
    }
  }

  private void warn(Throwable thrown) {
    try {
      LOG.warn("{}: its receiver failed", runtime.commandKey, thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }

  /** Gives back what the gates gave, once: the work has really stopped, or never began. */
  void leave(Execution<A, R> execution) {
    if (execution.holdsPermit) {
      execution.holdsPermit = false;
      execution.plan.bulkhead.leave();
    }
  }

  /** Gives back what the gates gave, if this thread has kept it to run the fallback. */
  public void leaveIfHolder(Execution<A, R> execution) {
    if (execution.permitHolder == Thread.currentThread()) {
      leave(execution);
    }
  }
}
