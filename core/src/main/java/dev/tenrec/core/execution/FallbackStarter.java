// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.context.CallContext;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Lets the fallback answer, on the thread that calls: the caller's if it waits, else the one that
 * ended the work. If there is none to ask, or it fails, the caller gets the first cause.
 */
class FallbackStarter<A extends @Nullable Object, R extends @Nullable Object> {

  final CommandRuntime runtime;
  final Ending<A, R> ending;
  private final @Nullable Fallback<A, R> fallback;
  final Listeners listeners;

  FallbackStarter(CommandRuntime runtime, @Nullable Fallback<A, R> fallback, Ending<A, R> ending) {
    this.runtime = runtime;
    this.fallback = fallback;
    this.ending = ending;
    this.listeners = runtime.engine.listeners();
  }

  /** The ending waits for its fallback, and this thread is the one to run it. */
  void start(Execution<A, R> execution) {
    NoFallback refusal = runtime.fallbackGate.enter(execution.plan, fallback());
    if (refusal == null) {
      run(execution);
    } else {
      refused(execution, refusal);
    }
  }

  /** What the gate is asked for; null if there is none. */
  @Nullable Object fallback() {
    return fallback;
  }

  /** Past the gate: lets it answer. */
  void run(Execution<A, R> execution) {
    R value = null;
    Throwable failure = null;
    boolean asked = false;
    boolean callers = Thread.currentThread() == execution.caller;
    Scope scope = CallContext.NOTHING_TO_CLOSE;
    try {
      scope = execution.contextHere().open();
      A argument = execution.argument();
      if (execution.isAtFallback()) { // else a canceller has dropped the argument by now, or will
        Throwable cause = Thrown.present(execution.cause);
        asked = true;
        listeners.fallbackStarts(execution, cause);
        value = Thrown.present(fallback).apply(argument, cause);
      }
    } catch (Throwable thrown) { // Errors too: the caller is owed its first cause
      failure = thrown;
    }
    failure = CallContext.close(scope, failure);
    Thrown.keepInterrupt(failure, callers);
    runtime.fallbackGate.leave(fallback);
    ending.leaveIfHolder(execution);
    if (!execution.claimFallback()) {
      return; // cancelled meanwhile
    }
    if (failure == null) {
      execution.value = value;
      listeners.fallbackAnswered(execution, value);
      ending.answer(execution, EventType.FALLBACK_SUCCESS);
    } else {
      if (asked) { // else its context failed
        listeners.fallbackFailed(execution, failure);
      }
      unanswered(execution, EventType.FALLBACK_FAILURE, failure);
    }
  }

  /** There is nobody to run it: the callback executor is full. */
  void startNowhere(Execution<A, R> execution) {
    refused(execution, runtime.fallbackGate.refuse(execution.plan, fallback()));
  }

  private void refused(Execution<A, R> execution, NoFallback refusal) {
    ending.leaveIfHolder(execution);
    if (execution.claimFallback()) {
      unanswered(
          execution, refusal.event(), refusal.error(runtime.commandKey, runtime.stackTraces));
    }
  }

  final void unanswered(
      Execution<A, R> execution, EventType event, @Nullable Throwable fallbackError) {
    execution.add(event);
    runtime.recorder.count(event, runtime.engine.ticker().nanoTime());
    execution.fallbackError = fallbackError;
    Throwable cause = Thrown.present(execution.cause);
    execution.error =
        Thrown.withFallbackError(
            cause, execution.hasOwnCause(), fallbackError, runtime.stackTraces);
    ending.answer(execution, EventType.EXCEPTION_THROWN);
  }
}
