// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.context.CallContext;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.execution.GuardedListener.Step;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.timeout.CallbackExecutor;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who listen, step by step: when there are none, each step is one look at that. Nothing
 * comes out of here, whatever a listener throws. Only calls whose start was told are told of.
 */
public final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final GuardedListener[] all;
  private final TransitionTeller transitions;

  /**
   * Those of one Tenrec.
   *
   * @param listeners who listens, in the order to tell them
   * @param callbacks where transitions are told
   * @param handedOver is told what runs there
   */
  public Listeners(
      List<CommandListener> listeners, CallbackExecutor callbacks, HandOver.Running handedOver) {
    this.all = listeners.stream().map(GuardedListener::new).toArray(GuardedListener[]::new);
    this.transitions = new TransitionTeller(callbacks, handedOver);
  }

  /** Whether nobody listens. */
  boolean isEmpty() {
    return all.length == 0;
  }

  /** On the caller's thread, before the gates. One that has ended already is told nobody of. */
  void starts(Execution<?, ?> execution) {
    if (isEmpty() || execution.isDecided()) {
      return;
    }
    tell(Step.START, execution, listener -> listener.onStart(execution));
    if (!execution.startTold()) { // given up meanwhile, by who left it to us to tell
      while (!execution.isAnswered()) {
        Thread.yield(); // by another thread, which is about to publish it
      }
      tellEnding(execution);
    }
  }

  /** On the caller's thread. */
  void cacheHit(Execution<?, ?> execution) {
    if (!isEmpty()) {
      tell(Step.CACHE_HIT, execution, listener -> listener.onCacheHit(execution));
    }
  }

  /** On the work's thread, which has the caller's context. */
  void workStarts(Execution<?, ?> execution, boolean away) {
    if (isSilent(execution)) {
      return;
    }
    if (away && execution.tellingBegins()) {
      execution.threadTold();
      tellHere(Step.THREAD_START, execution, listener -> listener.onThreadStart(execution));
      toldOneStep(execution);
    }
    if (execution.tellingBegins()) {
      execution.workTold();
      tellHere(Step.WORK_START, execution, listener -> listener.onWorkStart(execution));
      toldOneStep(execution);
    }
  }

  /** A stream's work has an item. */
  void emits(Execution<?, ?> execution, @Nullable Object item) {
    if (!isSilent(execution) && execution.tellingBegins()) {
      tell(Step.EMIT, execution, listener -> listener.onEmit(execution, item));
      toldOneStep(execution);
    }
  }

  /** By who claimed the ending because the work ended. */
  void workEnded(
      Execution<?, ?> execution,
      EventType event,
      @Nullable Object value,
      @Nullable Throwable cause) {
    if (isSilent(execution) || !execution.isWorkTold()) {
      return;
    }
    if (event == EventType.SUCCESS) {
      tell(Step.WORK_SUCCESS, execution, listener -> listener.onWorkSuccess(execution, value));
    } else if (event != EventType.CANCELLED && cause != null) {
      tell(Step.WORK_ERROR, execution, listener -> listener.onWorkError(execution, cause));
    }
    threadEnds(execution);
  }

  /** On the work's thread, once the work has stopped; the second time nothing happens. */
  void threadEnds(Execution<?, ?> execution) {
    if (!isSilent(execution) && execution.takeThreadTold()) {
      boolean beforeTheEnding = execution.tellingBegins();
      tell(Step.THREAD_END, execution, listener -> listener.onThreadEnd(execution));
      if (beforeTheEnding) {
        toldOneStep(execution);
      }
    }
  }

  /** On the fallback's thread, which has the caller's context. */
  void fallbackStarts(Execution<?, ?> execution, Throwable cause) {
    if (!isSilent(execution) && execution.tellingBegins()) {
      tellHere(
          Step.FALLBACK_START, execution, listener -> listener.onFallbackStart(execution, cause));
      toldOneStep(execution);
    }
  }

  /** A stream's fallback has an item. */
  void fallbackEmits(Execution<?, ?> execution, @Nullable Object item) {
    if (!isSilent(execution) && execution.tellingBegins()) {
      tell(Step.FALLBACK_EMIT, execution, listener -> listener.onFallbackEmit(execution, item));
      toldOneStep(execution);
    }
  }

  /** By the owner of the ending. */
  void fallbackAnswered(Execution<?, ?> execution, @Nullable Object value) {
    if (!isSilent(execution)) {
      tell(
          Step.FALLBACK_SUCCESS,
          execution,
          listener -> listener.onFallbackSuccess(execution, value));
    }
  }

  /** By the owner of the ending. */
  void fallbackFailed(Execution<?, ?> execution, Throwable error) {
    if (!isSilent(execution)) {
      tell(Step.FALLBACK_ERROR, execution, listener -> listener.onFallbackError(execution, error));
    }
  }

  /**
   * By the owner of the ending, when all of it is written down, before it is published. It does not
   * wait for who is at a step of the call, whom it may be called by: that one tells the ending
   * then.
   */
  void ended(Execution<?, ?> execution) {
    if (!isSilent(execution) && execution.endingDue()) {
      tellEnding(execution);
    }
  }

  /** Steps of the owner of the ending need no such word: there is no ending without it. */
  private void toldOneStep(Execution<?, ?> execution) {
    if (execution.tellingEnds()) {
      tellEnding(execution);
    }
  }

  private void tellEnding(Execution<?, ?> execution) {
    Throwable error = execution.error;
    if (error == null) {
      Object value = execution.value;
      tell(Step.SUCCESS, execution, listener -> listener.onSuccess(execution, value));
    } else if (execution.has(EventType.CANCELLED)) {
      tell(Step.CANCEL, execution, listener -> listener.onCancel(execution, error));
    } else {
      tell(Step.ERROR, execution, listener -> listener.onError(execution, error));
    }
  }

  /**
   * On whichever thread changed the state, the timer's perhaps, and in the middle of a call: handed
   * over.
   */
  void transition(String commandKey, Transition transition) {
    if (!isEmpty()) {
      transitions.tell(
          () -> tellAll(Step.TRANSITION, commandKey, l -> l.onTransition(commandKey, transition)));
    }
  }

  /** On the thread that brought the change. */
  public void settingChanged(SettingChange change) {
    tellAll(Step.SETTING_CHANGE, change.key(), listener -> listener.onSettingChange(change));
  }

  private boolean isSilent(Execution<?, ?> execution) {
    return isEmpty() || !execution.isStartTold();
  }

  /** Where the caller's context has to be installed first. */
  private void tell(Step step, Execution<?, ?> execution, Consumer<CommandListener> what) {
    CallContext context = execution.contextHere();
    if (context == CallContext.NONE) {
      tellHere(step, execution, what);
      return;
    }
    Scope scope = null;
    try {
      scope = context.open();
    } catch (Throwable thrown) { // a propagator is user code; a step is told all the same
      warn(execution, thrown);
    }
    try {
      tellHere(step, execution, what);
    } finally {
      close(execution, scope);
    }
  }

  private static void close(Execution<?, ?> execution, @Nullable Scope scope) {
    try {
      if (scope != null) {
        scope.close();
      }
    } catch (Throwable thrown) { // the same
      warn(execution, thrown);
    }
  }

  private static void warn(Execution<?, ?> execution, Throwable thrown) {
    try {
      LOG.warn("{}: its context failed around its listeners", execution.commandKey(), thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }

  private void tellHere(Step step, Execution<?, ?> execution, Consumer<CommandListener> what) {
    tellAll(step, execution.commandKey(), what);
  }

  private void tellAll(Step step, String key, Consumer<CommandListener> what) {
    boolean interrupted = Thread.currentThread().isInterrupted();
    for (GuardedListener listener : all) {
      listener.tell(step, key, what);
    }
    if (interrupted) { // one that came meanwhile stays as well
      Thread.currentThread().interrupt();
    }
  }
}
