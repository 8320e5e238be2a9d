// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import dev.tenrec.core.internal.cache.Sharer;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.SharedRunPart;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call's part in a run it shares: the call's execution has no work of its own, passes no gates,
 * and is answered with what the run ends with, unless its own deadline or caller comes first.
 *
 * <p>The first caller takes part as the later ones do, but what is counted for the run is counted
 * for the first caller: it has no deadline but the run's, and counts nothing itself, from its
 * launch on. So all calls add up.
 *
 * <p>Whatever ends a call but the run, it leaves the run. The last to leave has the run cancelled.
 *
 * @param execution the call's
 * @param run what it shares
 * @param first whether the run was begun for this call
 */
public record CacheWaiter<A extends @Nullable Object, R extends @Nullable Object>(
    Execution<A, R> execution, CacheEntry<A, R> run, boolean first)
    implements Sharer<Outcome<R>>, SharedRunPart {

  @Override
  public void ended(Outcome<R> result) {
    CommandRuntime runtime = execution.pipeline.runtime;
    Throwable interrupted = // this caller was not
        !first && result.error() instanceof CommandInterruptedException
            ? Errors.sharedRunInterrupted(runtime.commandKey)
            : null;
    CallbackTask delivery = execution.pipeline.completion.delivery(execution);
    Duration worked = result.executionLatency(); // before the claim, as all that takes memory
    if (execution.claim() == ExecutionState.Claim.LOST) {
      return;
    }
    execution.adopt(result, worked);
    if (first) {
      execution.log = null; // the run is written down, for this call
    } else {
      execution.answeredFromCache();
      if (interrupted != null) {
        execution.error = interrupted;
      }
    }
    execution.decided();
    if (!first) {
      count(execution, runtime);
    }
    // dependents of one call's future must not hold up other calls that share the run
    execution.pipeline.completion.answerApart(execution, delivery);
  }

  /** On a result that is there already. */
  static <A extends @Nullable Object, R extends @Nullable Object> void answer(
      Execution<A, R> execution, Outcome<R> result) {
    Duration worked = result.executionLatency(); // before the claim, as it takes memory
    if (execution.claim() != ExecutionState.Claim.LOST) {
      execution.adopt(result, worked);
      execution.answeredFromCache();
      execution.decided();
      count(execution, execution.pipeline.runtime);
      execution.pipeline.completion.answer(execution);
    }
  }

  private static void count(Execution<?, ?> execution, CommandRuntime runtime) {
    try {
      runtime.recorder.count(EventType.RESPONSE_FROM_CACHE, execution.pipeline.now());
    } catch (Throwable thrown) { // no memory for a first count
      runtime.failedToSettle(thrown);
    }
  }

  /**
   * By the thread that claimed the call's ending in its own right: the cache does not answer it.
   */
  @Override
  public void endedItself(EventType event) {
    try {
      if (!first) {
        execution.add(EventType.RESPONSE_FROM_CACHE);
        Pipeline<?, ?> pipeline = execution.pipeline;
        pipeline.runtime.recorder.sharerEnded(event, pipeline.now());
      }
    } finally { // also if there is no memory for a first count
      if (event != EventType.CANCELLED) { // else its caller's side says how it leaves
        leaveApart(interruptsAfter(event));
      }
    }
  }

  private boolean interruptsAfter(EventType event) {
    return event == EventType.TIMEOUT || event == EventType.DEADLINE_EXCEEDED
        ? execution.plan.settings.interruptOnTimeout()
        : execution.interruptsOnCancel();
  }

  @Override
  public void leave(boolean interrupt) {
    leave(interrupt, true);
  }

  @Override
  public void leaveApart(boolean interrupt) {
    leave(interrupt, false);
  }

  /** A call that was given up before its launch leaves on the thread that launches it. */
  private void leave(boolean interrupt, boolean here) {
    if (execution.isLaunched() && run.leave(this)) {
      run.drop(interrupt, here);
    }
  }

  /** By the thread that could not launch it, because it had ended. */
  void leaveUnlaunched() {
    if (run.leave(this)) {
      run.drop(execution.interruptsOnCancel(), true);
    }
  }

  @Override
  public boolean workBegan() {
    Execution<A, R> begun = run.execution();
    return begun != null && begun.workBegan();
  }

  @Override
  public boolean isUndecided() {
    Execution<A, R> begun = run.execution();
    return begun != null && !execution.isClaimed() && begun.isUndecided();
  }

  @Override
  public int attempts() {
    Outcome<R> ended = run.result();
    return ended == null ? 1 : ended.attempts();
  }

  @Override
  public @Nullable List<Throwable> failedAttempts() {
    Outcome<R> ended = run.result();
    return ended == null ? null : ended.failedAttempts();
  }

  // one part in a run is no other's, whatever it has

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
