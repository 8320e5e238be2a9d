// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The endings that are not the work's own: its deadline came, or its caller does not want it any
 * more.
 */
final class GivingUp<A extends @Nullable Object, R extends @Nullable Object> {

  /** How long an ending may wait for the callback executor to begin with it. */
  private static final long PATIENCE_NANOS = 1_000_000_000L;

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;
  private final Ending<A, R> ending;

  GivingUp(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
    this.ending = pipeline.ending;
  }

  /** The deadline has come, found by the caller that waits, or by the worker. */
  void timedOut(Execution<A, R> execution) {
    if (ending.claimed(execution, EventType.TIMEOUT)) {
      answerAndStop(execution, execution.timeoutError());
    }
  }

  /**
   * The deadline has come, found by the timer, whose thread runs nothing of the user's: it claims,
   * and hands over.
   */
  void expired(Execution<A, R> execution) {
    if (!ending.claimed(execution, EventType.TIMEOUT)) {
      return;
    }
    CommandTimeoutException cause = execution.timeoutError();
    if (execution.callerStays) {
      // it is in its work, and answers itself when that returns; the cancellers cannot wait for it
      Runnable cancellers = execution::runCancellers;
      handOver(execution, cancellers, cancellers);
      pipeline.conclude(execution, EventType.TIMEOUT, null, cause);
      return;
    }
    handOver(
        execution,
        () -> answerAndStop(execution, cause),
        () -> {
          execution.cause = cause;
          execution.openFallback();
          pipeline.fallbackStarter.startNowhere(execution);
          stopWork(execution, execution.plan.settings.interruptOnTimeout());
        });
  }

  /** On a thread that may run user code. */
  private void answerAndStop(Execution<A, R> execution, CommandTimeoutException cause) {
    if (execution.plan.settings.interruptOnTimeout()) {
      execution.interruptWork();
    }
    // the user's cancellers apart from the answer, so that neither waits for the other; a stage's
    // cancellation is ours, and gives its permit back before the answer
    boolean left = pipeline.showsCall();
    if (!left) {
      execution.runCancellers();
    } else if (cancelApart(execution)) {
      left = false;
    }
    pipeline.conclude(execution, EventType.TIMEOUT, null, cause);
    if (left) {
      execution.runCancellers();
    }
  }

  private boolean cancelApart(Execution<A, R> execution) {
    Runnable cancellers = execution::runCancellers;
    return runtime.engine.callbacks().tryExecute(newHandOver(execution, cancellers, cancellers));
  }

  /**
   * To the callback executor. If that has no room, or does not come to it for a second because
   * others' fallbacks and dependants block there, the bare answer goes to the thread of last
   * resort: one command's slow fallbacks must not keep the time-outs of others waiting.
   */
  private void handOver(Execution<A, R> execution, Runnable task, Runnable bare) {
    HandOver whole = newHandOver(execution, task, bare);
    if (!TimedHandOver.tryBegin(runtime.engine, PATIENCE_NANOS, whole, bare)) {
      runtime.engine.callbacks().overflow(bare);
    }
  }

  private HandOver newHandOver(Execution<A, R> execution, Runnable task, Runnable bare) {
    return new HandOver(runtime.engine.handedOver(), execution, task, bare);
  }

  /**
   * The caller gives up, or somebody else does in its place.
   *
   * @param error what the receiver is told; null if it is the one that gave up
   * @return whether this ended it
   */
  boolean cancel(Execution<A, R> execution, boolean interrupt, @Nullable Throwable error) {
    boolean claimed = ending.claimed(execution, EventType.CANCELLED);
    if (!claimed && !execution.claimFallback()) {
      return false;
    }
    execution.error = error != null ? error : Thrown.cancelled(runtime.commandKey);
    if (claimed) {
      execution.cause = execution.error; // else it has one, and was at its fallback
    }
    EventType event = claimed ? null : EventType.CANCELLED; // counted with the claim
    if (error != null) {
      ending.answer(execution, event);
    } else {
      ending.answerQuietly(execution, event);
    }
    stopWork(execution, interrupt);
    return true;
  }

  /** Its subscriber broke the rules, which is the caller's fault. */
  void misused(Execution<A, R> execution, Throwable how) {
    if (ending.claimed(execution, EventType.BAD_REQUEST)) {
      pipeline.conclude(execution, EventType.BAD_REQUEST, null, how);
      stopWork(execution, false);
    } else {
      boolean unused = cancel(execution, false, how); // it may be at its fallback
    }
  }

  /** The thread that waits was interrupted: its work is not wanted any more. */
  void interrupted(Execution<A, R> execution) {
    if (ending.claimed(execution, EventType.CANCELLED)) {
      execution.cause = Thrown.interrupted(runtime.commandKey, runtime.stackTraces);
      execution.error = execution.cause;
      ending.answer(execution, null);
      stopWork(execution, true);
    }
  }

  /** Its pool was shut down between the gate and the hand-over, and never heard of it. */
  void foundClosed(Execution<A, R> execution) {
    execution.workBegins(pipeline.now());
    if (execution.begin(null)) {
      if (execution.stop() == Lifecycle.Stop.FORSAKEN) {
        runtime.forsakenStopped();
      }
      ending.leave(execution);
      pipeline.ended(execution, EventType.CANCELLED, null, Thrown.closed(runtime.commandKey));
    }
  }

  /**
   * A stage outlived its deadline for too long: its permit is free again, whatever becomes of it.
   */
  void abandoned(Execution<A, R> execution) {
    if (execution.stop() != Lifecycle.Stop.AGAIN) {
      runtime.engine.stages().remove(execution);
      runtime.abandoned();
      ending.leave(execution);
    }
  }

  /** Work that nobody waits for: its thread is interrupted, its cancellers run. */
  private void stopWork(Execution<A, R> execution, boolean interrupt) {
    CacheShare<A, R> share = execution.share;
    if (share != null) { // the work is not its own
      share.leave(interrupt);
      return;
    }
    if (interrupt) {
      execution.interruptWork();
    }
    execution.runCancellers();
  }
}
