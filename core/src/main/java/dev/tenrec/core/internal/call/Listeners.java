// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.listening.GuardedListener;
import dev.tenrec.core.internal.listening.GuardedListener.Step;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each step of a call to the listeners. Without listeners, a step is one look at a field.
 * Nothing comes out of here, whatever a listener throws. Only calls whose start was reported are
 * reported on.
 *
 * <p>What comes before the work and in it is reported where it happens, and the call waits for it.
 * The ending is reported after it was published, in the command's share of the callback threads, so
 * no call waits for that. It is also where a step could not be reported for want of memory or
 * stack.
 */
public final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final GuardedListener[] all;

  /**
   * Those of one Tenrec.
   *
   * @param listeners in the order they are to be notified
   */
  public Listeners(List<CommandListener> listeners) {
    this.all = listeners.stream().map(GuardedListener::new).toArray(GuardedListener[]::new);
  }

  /** Whether there are no listeners. */
  public boolean isEmpty() {
    return all.length == 0;
  }

  /** On the caller's thread, before the gates. One that has ended already is not reported. */
  void starts(Execution<?, ?> execution) {
    if (isEmpty() || !execution.startBegins()) {
      return;
    }
    report(Step.START, execution, listener -> listener.onStart(execution));
    carryContext(execution);
    reportedOneStep(execution);
  }

  /** The ending is reported on another thread, also of a call that never leaves its caller's. */
  private static void carryContext(Execution<?, ?> execution) {
    try {
      execution.context = CallContext.capture(execution.pipeline.runtime.engine.propagators());
    } catch (Throwable thrown) { // a propagator is user code; a call that needs it asks again
      warn(execution.commandKey(), thrown);
    }
  }

  /** On the caller's thread. */
  public void cacheHit(Execution<?, ?> execution) {
    if (isEmpty()) {
      return;
    }
    execution.hitBegins();
    report(Step.CACHE_HIT, execution, listener -> listener.onCacheHit(execution));
    if (execution.context == CallContext.NONE) {
      carryContext(execution);
    }
    reportedOneStep(execution);
  }

  /**
   * A collapser's call was answered with what another's was asked for: both steps, on a thread of
   * the share.
   *
   * @param context the caller's
   */
  public void memberHit(
      ListenedCall call, CallContext context, @Nullable Object value, @Nullable Throwable error) {
    Scope scope = open(context, call.commandKey());
    try {
      reportToAll(Step.CACHE_HIT, call.commandKey(), listener -> listener.onCacheHit(call));
      reportToAll(
          Step.CACHE_HIT_END,
          call.commandKey(),
          listener -> listener.onCacheHitEnd(call, value, error));
    } finally {
      close(scope, call.commandKey());
    }
  }

  /** On the work's thread, which has the caller's context. */
  void workStarts(Execution<?, ?> attempt, boolean away) {
    Execution<?, ?> execution = attempt.whole(); // one call to listeners, however often attempted
    if (isSilent(execution)) {
      return;
    }
    if (away && execution.reportBegins()) {
      try {
        attempt.threadReported();
        reportHere(Step.THREAD_START, execution, listener -> listener.onThreadStart(execution));
      } finally {
        reportedOneStep(execution);
      }
    }
    if (execution.reportBegins()) {
      try {
        execution.workReported();
        reportHere(Step.WORK_START, execution, listener -> listener.onWorkStart(execution));
      } finally {
        reportedOneStep(execution);
      }
    }
  }

  /** On the thread that is about to begin a further attempt. */
  public void attemptStarts(Execution<?, ?> execution, int attempt, Throwable failure) {
    if (!isSilent(execution)) {
      reportStep(
          Step.ATTEMPT, execution, listener -> listener.onAttempt(execution, attempt, failure));
    }
  }

  /** On the thread that is about to begin an attempt beside those that are under way. */
  public void hedgeStarts(Execution<?, ?> execution, int attempt) {
    if (!isSilent(execution)) {
      reportStep(Step.HEDGE, execution, listener -> listener.onHedge(execution, attempt));
    }
  }

  /** A stream's work has an item. */
  public void emits(Execution<?, ?> execution, @Nullable Object item) {
    if (!isSilent(execution)) {
      reportStep(Step.EMIT, execution, listener -> listener.onEmit(execution, item));
    }
  }

  /** On the thread on which the work ended, before that ends the call. */
  void workEnds(
      Execution<?, ?> attempt, EventType event, @Nullable Object value, @Nullable Throwable cause) {
    Execution<?, ?> execution = attempt.whole();
    if (isSilent(execution)) {
      return;
    }
    if (execution.isWorkReported()
        && attempt.hasBegunIfFurther()
        && !attempt.isClaimed()
        && execution.reportBegins()) {
      try {
        reportWorkEnd(execution, event, value, cause);
      } finally {
        reportedOneStep(execution);
      }
    }
    threadEnds(attempt);
  }

  private void reportWorkEnd(
      Execution<?, ?> execution,
      EventType event,
      @Nullable Object value,
      @Nullable Throwable cause) {
    if (event == EventType.SUCCESS) {
      report(Step.WORK_SUCCESS, execution, listener -> listener.onWorkSuccess(execution, value));
    } else if (event != EventType.CANCELLED && cause != null) {
      report(Step.WORK_ERROR, execution, listener -> listener.onWorkError(execution, cause));
    }
  }

  /** On the work's thread, once the work has stopped; the second time nothing happens. */
  void threadEnds(Execution<?, ?> attempt) {
    Execution<?, ?> execution = attempt.whole();
    if (!isSilent(execution) && attempt.takeThreadReported()) {
      boolean beforeTheEnding = execution.reportBegins();
      try {
        report(Step.THREAD_END, execution, listener -> listener.onThreadEnd(execution));
      } finally {
        if (beforeTheEnding) {
          reportedOneStep(execution);
        }
      }
    }
  }

  /** On the fallback's thread, which has the caller's context. */
  public void fallbackStarts(Execution<?, ?> execution, Throwable cause) {
    if (!isSilent(execution) && execution.reportBegins()) {
      try {
        execution.fallbackReported();
        reportHere(
            Step.FALLBACK_START, execution, listener -> listener.onFallbackStart(execution, cause));
      } finally {
        reportedOneStep(execution);
      }
    }
  }

  /** A stream's fallback has an item. */
  public void fallbackEmits(Execution<?, ?> execution, @Nullable Object item) {
    if (!isSilent(execution)) {
      reportStep(
          Step.FALLBACK_EMIT, execution, listener -> listener.onFallbackEmit(execution, item));
    }
  }

  /** A step before the ending: the ending is reported once this has been. */
  private void reportStep(Step step, Execution<?, ?> execution, Consumer<CommandListener> what) {
    if (execution.reportBegins()) {
      try {
        report(step, execution, what);
      } finally {
        reportedOneStep(execution);
      }
    }
  }

  /**
   * By the thread that published the ending. It does not wait for a thread that reports a step of
   * the call, which may be this thread further up its stack: that thread has the ending reported
   * after its step.
   */
  void ended(Execution<?, ?> execution) {
    if (!isEmpty() && execution.endingDue()) {
      reportEndingApart(execution);
    }
  }

  private void reportedOneStep(Execution<?, ?> execution) {
    if (execution.reportEnds()) {
      reportEndingApart(execution);
    }
  }

  private void reportEndingApart(Execution<?, ?> execution) {
    try {
      execution
          .pipeline
          .runtime
          .callbacks()
          .execute(CallbackTask.of(() -> reportEnding(execution)));
    } catch (OutOfMemoryError e) { // no task: each start still gets its ending, if it can be
      reportEndingHere(execution);
    }
  }

  /** The call is answered, and the thread may have more to do for it: throws nothing. */
  private void reportEndingHere(Execution<?, ?> execution) {
    try {
      reportEnding(execution);
    } catch (Throwable noMemory) {
      return;
    }
  }

  private void reportEnding(Execution<?, ?> execution) {
    Throwable error = execution.error;
    Object value = execution.value;
    if (!execution.isStartReported()) {
      report(
          Step.CACHE_HIT_END,
          execution,
          listener -> listener.onCacheHitEnd(execution, value, error));
      execution.argument = null;
      return;
    }
    Throwable cause = execution.cause;
    boolean answered = execution.has(EventType.FALLBACK_SUCCESS);
    boolean told = execution.isFallbackReported();
    if (answered && !told && cause != null) { // a value that answered where listeners may not run
      report(
          Step.FALLBACK_START, execution, listener -> listener.onFallbackStart(execution, cause));
      told = true;
    }
    if (told) {
      Throwable failure = execution.fallbackError;
      if (answered) {
        report(
            Step.FALLBACK_SUCCESS,
            execution,
            listener -> listener.onFallbackSuccess(execution, value));
      } else if (execution.has(EventType.FALLBACK_FAILURE) && failure != null) {
        report(
            Step.FALLBACK_ERROR,
            execution,
            listener -> listener.onFallbackError(execution, failure));
      }
    }
    if (error == null) {
      report(Step.SUCCESS, execution, listener -> listener.onSuccess(execution, value));
    } else if (execution.has(EventType.CANCELLED)) {
      report(Step.CANCEL, execution, listener -> listener.onCancel(execution, error));
    } else {
      report(Step.ERROR, execution, listener -> listener.onError(execution, error));
    }
    execution.argument = null; // the timer may hold the execution for longer
  }

  /** In the command's share: a transition happens in the middle of a call. */
  public void transition(String commandKey, Transition transition) {
    if (!isEmpty()) {
      reportToAll(Step.TRANSITION, commandKey, l -> l.onTransition(commandKey, transition));
    }
  }

  /** On the thread that brought the change, or on one that was reporting then. */
  public void settingChanged(SettingChange change) {
    reportToAll(Step.SETTING_CHANGE, change.key(), listener -> listener.onSettingChange(change));
  }

  private boolean isSilent(Execution<?, ?> execution) {
    return isEmpty() || !execution.isStartReported();
  }

  /** Where the caller's context has to be installed first. */
  private void report(Step step, Execution<?, ?> execution, Consumer<CommandListener> what) {
    CallContext context = execution.contextHere();
    if (context == CallContext.NONE) {
      reportHere(step, execution, what);
      return;
    }
    Scope scope = open(context, execution.commandKey());
    try {
      reportHere(step, execution, what);
    } finally {
      close(scope, execution.commandKey());
    }
  }

  private static @Nullable Scope open(CallContext context, String commandKey) {
    try {
      return context.open();
    } catch (Throwable thrown) { // a propagator is user code; the step is still reported
      warn(commandKey, thrown);
      return null;
    }
  }

  private static void close(@Nullable Scope scope, String commandKey) {
    try {
      if (scope != null) {
        scope.close();
      }
    } catch (Throwable thrown) { // a propagator is user code
      warn(commandKey, thrown);
    }
  }

  private static void warn(String commandKey, Throwable thrown) {
    try {
      LOG.warn("{}: its context failed around its listeners", commandKey, thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }

  private void reportHere(Step step, Execution<?, ?> execution, Consumer<CommandListener> what) {
    reportToAll(step, execution.commandKey(), what);
  }

  private void reportToAll(Step step, String key, Consumer<CommandListener> what) {
    boolean interrupted = Thread.currentThread().isInterrupted();
    for (GuardedListener listener : all) {
      listener.report(step, key, what);
    }
    if (interrupted) { // an interrupt that came meanwhile stays as well
      Thread.currentThread().interrupt();
    }
  }
}
