// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.context.CallContext;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution's way, in the order it is gone. Read it from the top.
 *
 * <p>In: {@link #enter} asks the gates, breaker first, then bulkhead; {@link #run} then arms the
 * deadline and starts the work. A gate looks and answers; it does not wait, throw, or see a future.
 * Work: {@link #work}, on whichever thread its starter chose. Out: {@link #ended} and its like
 * claim the one ending, record it, fall back if that applies, and {@link #answer}.
 *
 * <p>Released is another moment than answered: a call that timed out has answered while its thread
 * is still busy, so its permits return when the work stops ({@link #leave}).
 *
 * <p>{@link #execute} goes the same way on {@link CallerPath} when the work runs on the caller's
 * thread and nobody else will see the execution.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
public final class Pipeline<A extends @Nullable Object, R extends @Nullable Object> {

  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

  final CommandRuntime runtime;
  final WorkBody<A, R> body;
  final @Nullable Fallback<A, R> fallback;
  final Classification classification;
  private final Engine engine;
  private final TimeoutGuard timeoutGuard;
  private final CallerPath<A, R> callerPath;

  /**
   * Makes the way of one built command.
   *
   * @param runtime what everything built for its key shares
   * @param body its work
   * @param fallback its fallback, if it has one
   * @param classification what counts as what
   */
  public Pipeline(
      CommandRuntime runtime,
      WorkBody<A, R> body,
      @Nullable Fallback<A, R> fallback,
      Classification classification) {
    this.runtime = runtime;
    this.body = body;
    this.fallback = fallback;
    this.classification = classification;
    this.engine = runtime.engine;
    this.timeoutGuard = new TimeoutGuard(engine.timer());
    this.callerPath = new CallerPath<>(this);
  }

  // The doors.

  /** Executes, waits, and returns the answer or throws what kept it. */
  public R execute(A argument) {
    Plan plan = runtime.plan();
    if (plan.runsOnCaller() && body instanceof WorkBody.Plain<A, R> plain) {
      return callerPath.execute(plan, plain.work(), argument);
    }
    Execution<A, R> execution = await(new Execution<>(this, plan, argument, null, true, now()));
    if (execution.error != null) {
      throw Thrown.toThrow(commandKey(), execution.error);
    }
    return execution.value();
  }

  /** Executes, waits, and tells how it went. */
  public Outcome<R> attempt(A argument) {
    return await(new Execution<>(this, runtime.plan(), argument, null, true, now())).outcome();
  }

  /** Makes an execution that {@link #run} starts, and whose ending {@code receiver} is told. */
  public Execution<A, R> prepare(A argument, Receiver<? super R> receiver) {
    Plan plan = runtime.plan();
    return new Execution<>(
        this, plan, argument, receiver, plan.runsOnCaller() && !body.isStaged(), now());
  }

  // The way in.

  /** The gates, in their order. What the call goes on with, or a {@link Refusal}. */
  Permission enter(Plan plan, long now) {
    Permission permission = runtime.breakerGate.admit(plan, now);
    if (permission == Refusal.SHORT_CIRCUITED || plan.bulkhead.enter()) {
      return permission;
    }
    runtime.breakerGate.handBack(permission, now);
    plan.starter.refused(now);
    return Refusal.REJECTED;
  }

  /** Goes the way in. Whatever happens, the execution ends once; it may have when this returns. */
  public void run(Execution<A, R> execution) {
    Plan plan = execution.plan;
    Permission permission = enter(plan, execution.startNanos);
    if (permission instanceof Refusal refusal) {
      ended(execution, refusalEvent(plan, refusal), null, refusalError(plan, refusal));
      return;
    }
    execution.permission = permission;
    execution.inside = true;
    execution.admitted = true;
    captureContext(execution);
    armDeadline(execution);
    if (execution.launch()) {
      plan.starter.start(execution);
    } else { // ended while it was at the gates
      leave(execution);
      runtime.breakerGate.handBack(permission, now());
    }
    if (execution.callerStays) {
      CallerWait.untilAnswered(execution, engine);
    }
  }

  EventType refusalEvent(Plan plan, Refusal refusal) {
    return refusal == Refusal.SHORT_CIRCUITED
        ? EventType.SHORT_CIRCUITED
        : plan.bulkhead.rejection();
  }

  CommandException refusalError(Plan plan, Refusal refusal) {
    return refusal == Refusal.SHORT_CIRCUITED
        ? runtime.breakerGate.refusal(plan)
        : plan.bulkhead.refusal(commandKey(), runtime.stackTraces);
  }

  /** Only what leaves the caller's thread needs its context. */
  private void captureContext(Execution<A, R> execution) {
    if (execution.plan.runsOnCaller() && !body.isStaged() || engine.propagators().isEmpty()) {
      return;
    }
    try {
      execution.context = CallContext.capture(engine.propagators());
    } catch (Throwable thrown) { // a propagator is user code: it fails this call, and no other
      ended(execution, EventType.FAILURE, null, thrown);
    }
  }

  private void armDeadline(Execution<A, R> execution) {
    try {
      if (!timeoutGuard.arm(execution)) {
        ended(execution, EventType.CANCELLED, null, Thrown.closed(commandKey()));
      }
    } catch (Throwable thrown) { // the system has no thread for the timer
      ended(execution, EventType.FAILURE, null, thrown);
    }
  }

  // The work, on the thread its starter chose.

  void work(Execution<A, R> execution) {
    A argument = execution.argument(); // before begin: it is dropped with the answer
    boolean away = !execution.plan.runsOnCaller();
    long now = now();
    if (away && isLate(execution, now)) {
      timedOut(execution); // still queued at its deadline: it never runs
      return;
    }
    execution.workBegins(now);
    if (!execution.begin(away && !body.isStaged() ? Thread.currentThread() : null)) {
      return; // answered while it waited for this thread; who answered gave back what it held
    }
    execution.plan.starter.begun(now);
    R value = null;
    CompletionStage<R> stage = null;
    Throwable thrown = null;
    try (Scope scope = away ? execution.context.open() : CallContext.NONE.open()) {
      if (body.isStaged()) {
        stage = Thrown.requireStage(commandKey(), body.start(argument, execution));
      } else {
        value = body.run(argument, execution);
      }
    } catch (Throwable t) { // Errors too: nothing a user's code throws may lose an ending
      thrown = t;
    }
    if (stage == null || thrown != null) {
      stopped(execution, value, thrown);
    } else {
      follow(execution, stage);
    }
  }

  /**
   * The work goes on without a thread of ours; its stage ends it, and giving it up cancels the
   * stage.
   */
  private void follow(Execution<A, R> execution, CompletionStage<R> stage) {
    execution.onCancel(
        () -> {
          stage.toCompletableFuture().cancel(true);
          Abandonment.arm(execution, engine.timer(), now());
        });
    try {
      stage.whenComplete((value, thrown) -> stopped(execution, value, Thrown.unwrap(thrown)));
    } catch (Throwable thrown) { // a stage of the user's own making
      stopped(execution, null, thrown);
    }
  }

  /**
   * A stage that outlived its deadline for too long: its permit is free again, whatever becomes of
   * it.
   */
  void abandoned(Execution<A, R> execution) {
    if (execution.stop() != Lifecycle.Stop.AGAIN) {
      runtime.abandoned();
      leave(execution);
    }
  }

  /** There is no thread to run it on. */
  void failedToStart(Execution<A, R> execution, Throwable cause) {
    ended(execution, EventType.FAILURE, null, cause);
  }

  /** Its pool was shut down between the gate and the hand-over, and never heard of it. */
  void foundClosed(Execution<A, R> execution) {
    execution.workBegins(now());
    if (execution.begin(null)) {
      execution.stop();
      leave(execution);
      ended(execution, EventType.CANCELLED, null, Thrown.closed(commandKey()));
    }
  }

  // The way out.

  /** The work has stopped; if nobody was faster, that is the ending. */
  private void stopped(Execution<A, R> execution, @Nullable R value, @Nullable Throwable thrown) {
    switch (execution.stop()) {
      case AGAIN:
        return;
      case FORSAKEN:
        runtime.forsakenStopped();
        leave(execution);
        return;
      case IN_TIME:
        break;
    }
    execution.forgetCancellers();
    Throwable cause =
        thrown != null ? thrown : classification.errorOf(value, commandKey(), runtime.stackTraces);
    if (cause != null && !execution.callerStays && !execution.plan.runsOnCaller()) {
      execution.holder =
          Thread
              .currentThread(); // of ours, and about to run a fallback: not free yet, so its permit
      // is not either
    } else {
      leave(
          execution); // before the clock is read and the answer seen: the caller's next call finds
      // it free
    }
    if (isLate(execution, now())) {
      timedOut(execution);
    } else if (cause == null) {
      ended(execution, EventType.SUCCESS, value, null);
    } else if (cause instanceof InterruptedException
        && Thread.currentThread() == execution.caller) {
      Thread.currentThread().interrupt();
      ended(
          execution,
          EventType.CANCELLED,
          null,
          Thrown.interrupted(commandKey(), runtime.stackTraces));
    } else {
      failed(execution, cause);
    }
    leave(execution); // if another's ending came first, or there was no fallback to wait for
  }

  private void failed(Execution<A, R> execution, Throwable thrown) {
    Throwable cause = thrown;
    EventType event;
    try {
      event = classification.of(thrown);
    } catch (Throwable predicate) { // the user's own predicate threw
      cause = predicate;
      event = EventType.FAILURE;
    }
    ended(execution, event, null, cause);
  }

  /** The deadline has come, found by the caller that waits, or by the worker. */
  void timedOut(Execution<A, R> execution) {
    if (claimed(execution, EventType.TIMEOUT)) {
      CommandTimeoutException cause = Thrown.timeout(execution);
      giveUp(execution, execution.plan.settings.interruptOnTimeout());
      conclude(execution, EventType.TIMEOUT, null, cause);
    }
  }

  /**
   * The deadline has come, found by the timer, whose thread runs nothing of the user's: it claims,
   * and hands over.
   */
  void expired(Execution<A, R> execution) {
    if (!claimed(execution, EventType.TIMEOUT)) {
      return;
    }
    CommandTimeoutException cause = Thrown.timeout(execution);
    if (execution.callerStays) { // it is in its work; it answers itself when that returns, but the
      // cancellers cannot wait for it
      Runnable cancellers = () -> giveUp(execution, false);
      handOver(cancellers, cancellers);
      conclude(execution, EventType.TIMEOUT, null, cause);
    } else {
      boolean interrupt = execution.plan.settings.interruptOnTimeout();
      handOver(
          () -> {
            giveUp(execution, interrupt);
            conclude(execution, EventType.TIMEOUT, null, cause);
          },
          () -> {
            concludeWithoutFallback(execution, cause);
            giveUp(execution, interrupt);
          });
    }
  }

  private void handOver(Runnable task, Runnable bare) {
    if (!engine.callbacks().tryExecute(new HandOver(task, bare))) {
      engine.callbacks().overflow(bare);
    }
  }

  /** The caller gives up, or with {@code error} somebody else does in its place. */
  boolean cancel(Execution<A, R> execution, boolean interrupt, @Nullable Throwable error) {
    EventType answer = null; // counted with the claim
    if (!claimed(execution, EventType.CANCELLED)) {
      if (!execution.claimFallback()) {
        return false;
      }
      answer = EventType.CANCELLED;
    }
    execution.error = error != null ? error : Thrown.cancelled(commandKey());
    answer(execution, answer, error != null);
    giveUp(execution, interrupt);
    return true;
  }

  /** The thread that waits was interrupted: its work is not wanted any more. */
  void interrupted(Execution<A, R> execution) {
    if (claimed(execution, EventType.CANCELLED)) {
      execution.error = Thrown.interrupted(commandKey(), runtime.stackTraces);
      answer(execution, null, true);
      giveUp(execution, true);
    }
  }

  private void ended(
      Execution<A, R> execution, EventType event, @Nullable R value, @Nullable Throwable cause) {
    if (claimed(execution, event)) {
      conclude(execution, event, value, cause);
    }
  }

  /** Claims the one ending, and writes down why it is one. */
  private boolean claimed(Execution<A, R> execution, EventType event) {
    Permission permission = execution.permission;
    switch (execution.claim()) {
      case LOST:
        return false;
      case BEFORE_LAUNCH: // its caller is still at the gates, and gives back what it got there
        permission = Permission.UNGUARDED;
        break;
      case BEFORE_WORK:
        leave(execution);
        execution.plan.starter.abandoned();
        break;
      case DURING_WORK:
        runtime.forsaken();
        break;
      case AFTER_WORK:
        break;
    }
    long now = now();
    execution.add(event);
    execution.executionNanos = execution.workedNanos(now);
    runtime.recorder.decided(execution.plan, permission, event, execution.executionNanos, now);
    return true;
  }

  /** By the owner of the ending: answers, or lets the fallback answer. */
  private void conclude(
      Execution<A, R> execution, EventType event, @Nullable R value, @Nullable Throwable cause) {
    if (cause == null) {
      execution.value = value;
      answer(execution, null, true);
      return;
    }
    execution.cause = cause;
    if (event == EventType.CANCELLED) {
      execution.error = cause;
      answer(execution, null, true);
    } else if (event == EventType.BAD_REQUEST || Classification.isUnrecoverable(cause)) {
      execution.error = cause;
      leaveIfHolder(execution);
      answer(execution, EventType.EXCEPTION_THROWN, true);
    } else {
      execution.openFallback();
      if (!execution.callerStays || Thread.currentThread() == execution.caller) {
        fallBack(execution);
      } else {
        engine.waiter().wake(execution.caller); // a caller that waits runs its own fallback
      }
    }
  }

  private void concludeWithoutFallback(Execution<A, R> execution, Throwable cause) {
    execution.cause = cause;
    execution.openFallback();
    fallBack(
        execution, fallback == null ? EventType.FALLBACK_MISSING : EventType.FALLBACK_REJECTION);
  }

  /** The ending waits for its fallback, and this thread is the one to run it. */
  void fallBack(Execution<A, R> execution) {
    fallBack(execution, runtime.fallbackGate.enter(execution.plan, fallback != null));
  }

  private void fallBack(Execution<A, R> execution, @Nullable EventType refusal) {
    Throwable cause = Thrown.present(execution.cause);
    R value = null;
    Throwable failure = null;
    if (refusal == null) {
      boolean away = Thread.currentThread() != execution.caller;
      try (Scope scope = away ? execution.context.open() : CallContext.NONE.open()) {
        value = Thrown.present(fallback).apply(execution.argument(), cause);
      } catch (Throwable t) {
        failure = t;
      }
      runtime.fallbackGate.leave();
    }
    leaveIfHolder(execution);
    if (!execution.claimFallback()) {
      return; // cancelled meanwhile
    }
    if (refusal == null && failure == null) {
      execution.value = value;
      answer(execution, EventType.FALLBACK_SUCCESS, true);
      return;
    }
    EventType event = refusal != null ? refusal : EventType.FALLBACK_FAILURE;
    execution.add(event);
    runtime.recorder.count(event);
    if (event == EventType.FALLBACK_REJECTION) {
      failure = runtime.fallbackGate.refusal(commandKey(), runtime.stackTraces);
    }
    execution.fallbackError = failure;
    execution.error = Thrown.withFallbackError(cause, failure, runtime.stackTraces);
    answer(execution, EventType.EXCEPTION_THROWN, true);
  }

  /** By the owner of the ending: the last step, after which everybody sees it. */
  private void answer(Execution<A, R> execution, @Nullable EventType answer, boolean deliver) {
    if (answer != null) {
      execution.add(answer);
    }
    execution.callerNanos = now() - execution.startNanos;
    runtime.recorder.answered(answer, execution.admitted ? execution.callerNanos : -1);
    execution.argument = null;
    execution.publish();
    if (execution.callerStays && Thread.currentThread() != execution.caller) {
      engine.waiter().wake(execution.caller);
    }
    Receiver<? super R> receiver = execution.receiver;
    if (receiver != null && deliver) {
      deliver(execution, receiver);
    }
  }

  private void deliver(Execution<A, R> execution, Receiver<? super R> receiver) {
    try {
      if (execution.error == null) {
        receiver.onValue(execution.value());
      } else {
        receiver.onError(execution.error);
      }
    } catch (Throwable thrown) { // the execution has ended already; there is nobody left to tell
      LOG.warn("{}: its receiver failed", commandKey(), thrown);
    }
  }

  /** Stops work that nobody waits for: its thread is interrupted, its cancellers run. */
  private void giveUp(Execution<A, R> execution, boolean interrupt) {
    if (interrupt) {
      execution.interruptWork();
    }
    execution.runCancellers();
  }

  /** Gives back what the gates gave, once. */
  private void leave(Execution<A, R> execution) {
    if (execution.inside) {
      execution.inside = false;
      execution.plan.bulkhead.leave();
    }
  }

  private void leaveIfHolder(Execution<A, R> execution) {
    if (execution.holder == Thread.currentThread()) {
      leave(execution);
    }
  }

  private boolean isLate(Execution<A, R> execution, long now) {
    return execution.hasDeadline() && now - execution.startNanos >= execution.plan.timeoutNanos;
  }

  long now() {
    return engine.ticker().nanoTime();
  }

  /** Whether giving up a call from outside may interrupt its thread; read when it is asked. */
  public boolean interruptsOnCancel() {
    return runtime.plan().settings.interruptOnFutureCancel();
  }

  /** The command's counts, latencies and circuit, live. */
  public CommandView view() {
    return runtime.view();
  }

  /** The last transitions of the command's circuit. */
  public List<Transition> transitions() {
    return runtime.transitions();
  }

  /** The key of the command. */
  public String commandKey() {
    return runtime.commandKey;
  }

  boolean isStaged() {
    return body.isStaged();
  }

  boolean showsCall() {
    return body.showsCall();
  }

  private Execution<A, R> await(Execution<A, R> execution) {
    run(execution);
    return execution;
  }
}
