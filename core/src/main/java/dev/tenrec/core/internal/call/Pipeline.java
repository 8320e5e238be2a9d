// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.internal.flight.FlightCall;
import dev.tenrec.core.internal.gate.Gates;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.gate.Rejected;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.event.EventType;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way of one execution, step after step. Read it from the top.
 *
 * <p>In: {@link #run} asks the request cache, if the command has a key for it; then the {@link
 * Gates}: breaker, rate limiter, bulkhead; {@link #runUncached} then arms the deadline and starts
 * the work. A gate looks and answers; it does not wait, throw, or see a future. Work: {@link
 * #work}, on whichever thread its starter chose. Out: {@link #stopped}, which claims the one ending
 * and records it, and {@link #conclude}, which answers or lets the fallback answer. The endings
 * that are not the work's own (deadline, cancellation) are in {@link Abandonment}, and come to
 * {@code conclude} as well. Attempts that are executions of their own come in by {@link
 * AttemptEntry}.
 *
 * <p>Released is another moment than answered: a call that timed out has answered while its thread
 * is still busy, so its permits return when the work stops ({@link Completion#leave}).
 *
 * <p>{@link #execute} goes through these steps in {@link CallerPath} when the work runs on the
 * caller's thread and nothing else sees the execution, as a request's log, listeners or a recording
 * of calls would.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
public final class Pipeline<A extends @Nullable Object, R extends @Nullable Object> {

  /** What everything built for its key shares. */
  public final CommandRuntime runtime;

  final WorkBody<A, R> body;
  final @Nullable Fallback<A, R> fallback;
  final Classification classification;
  public final Completion<A, R> completion;
  final FallbackStarter<A, R> fallbackStarter;
  public final Abandonment<A, R> abandonment;
  public final Listeners listeners;
  private final Engine engine;
  final Gates<A> gates;

  /** Null for a command without retry and hedge, which pays a look at a final field. */
  final @Nullable FurtherAttempts further;

  /** Decided once, so that a command without listeners pays one look at a final field. */
  private final @Nullable CallerPath<A, R> callerPath;

  private final @Nullable RequestCaching<A, R> caching;

  /**
   * Makes the way of one built command.
   *
   * @param runtime what everything built for its key shares
   * @param body its work
   * @param fallback its fallback, if it has one
   * @param classification what counts as what
   * @param caching lets calls of one request share executions; null if they never do
   */
  public Pipeline(
      CommandRuntime runtime,
      WorkBody<A, R> body,
      @Nullable Fallback<A, R> fallback,
      Classification classification,
      RequestCaching.@Nullable Factory<A, R> caching) {
    this(runtime, body, fallback, classification, caching, null, null);
  }

  /**
   * Makes the way of one built command whose rate may be limited by key, and that may be attempted
   * again.
   *
   * @param runtime what everything built for its key shares
   * @param body its work
   * @param fallback its fallback, if it has one
   * @param classification what counts as what
   * @param caching lets calls of one request share executions; null if they never do
   * @param rateKey by what its rate is limited; null if all calls have one rate
   * @param retry makes further attempts; null if there are none
   */
  public Pipeline(
      CommandRuntime runtime,
      WorkBody<A, R> body,
      @Nullable Fallback<A, R> fallback,
      Classification classification,
      RequestCaching.@Nullable Factory<A, R> caching,
      @Nullable Function<? super A, ? extends @Nullable Object> rateKey,
      @Nullable Function<Pipeline<A, R>, FurtherAttempts> retry) {
    this.runtime = runtime;
    this.body = body;
    this.fallback = fallback;
    this.classification = classification;
    this.engine = runtime.engine;
    this.listeners = engine.listeners();
    this.gates = new Gates<>(runtime.breakerGate, rateKey);
    this.completion = new Completion<>(runtime);
    this.fallbackStarter = body.fallbackStarter(runtime, fallback, completion);
    this.abandonment = new Abandonment<>(this);
    this.further = retry == null ? null : retry.apply(this);
    this.callerPath = CallerPath.of(this);
    this.caching = caching == null ? null : caching.of(this);
  }

  // The doors.

  /** Executes, waits, and returns the answer or throws what kept it. */
  public R execute(A argument) {
    Plan plan = runtime.plan();
    return caching == null ? executeUncached(plan, argument) : caching.execute(plan, argument);
  }

  /**
   * Without a look at the request cache. In locals where nothing else sees the execution; a time
   * for each attempt takes one, but means nothing to a command without further attempts.
   */
  public R executeUncached(Plan plan, A argument) {
    if (callerPath != null
        && (plan.runsInLocals || plan.runsOnCaller && further == null)
        && !Flight.wantsCalls()
        && engine.requests().log(plan.settings.requestLogEnabled()) == null) {
      return callerPath.execute(plan, argument);
    }
    Execution<A, R> execution = waitingHere(plan, argument);
    runUncached(execution);
    return answerOf(execution);
  }

  /** The answer of an execution that has one, or throws why not. */
  public R answerOf(Execution<A, R> execution) {
    if (execution.error != null) {
      throw Errors.toThrow(commandKey(), execution.error);
    }
    return execution.value();
  }

  /** Executes, waits, and returns how it went. */
  public Outcome<R> attempt(A argument) {
    Execution<A, R> execution = waitingHere(runtime.plan(), argument);
    run(execution);
    return execution.outcome();
  }

  /** An execution that its caller waits for. */
  public Execution<A, R> waitingHere(Plan plan, A argument) {
    return new Execution<>(this, plan, argument, null, true, now());
  }

  /** Whether work that is started goes on in its caller's own thread until it ends. */
  public boolean callerStaysAtWork(Plan plan) {
    return plan.runsOnCaller && !body.isStaged();
  }

  /** Makes an execution that {@link #run} starts; {@code receiver} receives its ending. */
  public Execution<A, R> prepare(A argument, Receiver<? super R> receiver) {
    Plan plan = runtime.plan();
    return new Execution<>(this, plan, argument, receiver, callerStaysAtWork(plan), now());
  }

  /**
   * Makes the execution of a batch, which {@link #run} starts; {@code receiver} receives its
   * ending. That it answers for so many members is counted, and among its events. None of those
   * members is at the thread that runs it: so its deadline is the timer's to find, and its fallback
   * does not wait for that thread, also where its work is there.
   */
  public Execution<A, R> prepareBatch(A argument, int members, Receiver<? super R> receiver) {
    Execution<A, R> execution =
        new Execution<>(this, runtime.plan(), argument, receiver, false, now());
    execution.add(EventType.COLLAPSED);
    runtime.recorder.collapsed(members, execution.startNanos);
    FlightCall recorded = execution.flight;
    if (recorded != null) {
      recorded.batched(members);
    }
    return execution;
  }

  /**
   * The next call with this key in the request of this thread runs anew.
   *
   * @throws IllegalStateException if there is no open request, or the command has no cache key
   */
  public void clearCache(Object key) {
    if (caching == null) {
      throw new IllegalStateException(
          commandKey() + " has no cache key: say cacheKey(..) when it is built");
    }
    caching.clear(key);
  }

  // The way in.

  /** Goes the way in. Completes the execution exactly once, possibly before this method returns. */
  public void run(Execution<A, R> execution) {
    if (caching == null || !caching.takes(execution)) {
      runUncached(execution);
    } else if (execution.callerStays) {
      CallerWait.untilAnswered(execution, engine);
    }
  }

  /**
   * Goes the way in without a look at the request cache. Completes the execution exactly once,
   * possibly before this method returns. A run that calls share is run by this method, too.
   */
  public void runUncached(Execution<A, R> execution) {
    try {
      goIn(execution);
    } catch (Throwable thrown) { // no memory for an exception or a transition
      brokeOnTheWayIn(execution, thrown);
    }
    if (execution.callerStays) {
      CallerWait.untilAnswered(execution, engine);
    }
  }

  private void goIn(Execution<A, R> execution) {
    listeners.starts(execution);
    boolean streams = body.isStreamed();
    if (streams) { // refused or not, it goes on elsewhere: a fallback's items come on any thread
      captureContext(execution);
      if (execution.isClaimed()) { // that failed, or its subscriber has cancelled
        return;
      }
    }
    if (execution.isTooLate()) { // it holds nothing so far, and takes nothing
      ended(execution, EventType.DEADLINE_EXCEEDED, null, execution.timeoutError());
      return;
    }
    if (further != null && further.takes(execution)) {
      return;
    }
    Permission permission = enter(execution, execution.startNanos);
    if (permission == null) {
      return;
    }
    execution.admitted = true;
    if (!streams) {
      captureContext(execution);
    }
    armAndStart(execution, permission);
  }

  /** Asks the gates. Null if it may not go on: then it has ended. */
  @Nullable Permission enter(Execution<A, R> execution, long now) {
    Plan plan = execution.plan;
    Permission permission;
    try {
      permission = gates.enter(plan, execution.argument(), now);
    } catch (Exception key) { // by which the rate is limited
      ended(execution, EventType.BAD_REQUEST, null, key);
      return null;
    }
    if (permission instanceof Refused refused) {
      runtime.shortCircuits();
      Throwable cause = Errors.refused(refused.why(), runtime.stackTraces);
      ended(execution, EventType.SHORT_CIRCUITED, null, cause);
      return null;
    }
    if (permission instanceof Rejected rejected) {
      ended(execution, plan.rejection(rejected), null, runtime.errorOf(plan, rejected, now));
      return null;
    }
    execution.permission = permission;
    execution.holdsPermit = true;
    return permission;
  }

  /** Past the gates, whose permit it holds. */
  void armAndStart(Execution<A, R> execution, Permission permission) {
    armDeadline(execution);
    if (execution.launch()) {
      execution.plan.starter.start(execution);
    } else { // ended while it was at the gates, or by armDeadline
      forgetForClosing(execution);
      completion.leave(execution);
      gates.leaveBreaker(permission, now());
    }
  }

  /** Ends an execution that {@link #runUncached} has not begun: a step before it failed. */
  public void failToBegin(Execution<A, R> execution, Throwable thrown) {
    if (!execution.isLaunched()) {
      endBroken(execution, thrown);
    }
  }

  void brokeOnTheWayIn(Execution<A, R> execution, Throwable thrown) {
    if (execution.isLaunched() && execution.plan.runsOnCaller) {
      broke(execution, thrown);
      return;
    }
    if (!execution.isLaunched()) { // else its starter may have it, and gives back what it holds
      completion.leave(execution);
      gates.leaveBreaker(execution.permission, now());
    }
    endBroken(execution, thrown);
  }

  /**
   * The caller's fault, before anything was asked: no fallback hides it, and no breaker counts it.
   */
  public void refuse(Execution<A, R> execution, Throwable why) {
    listeners.starts(execution);
    ended(execution, EventType.BAD_REQUEST, null, why);
  }

  /** Only what leaves the caller's thread needs its context; of a batch, the fallback may. */
  public void captureContext(Execution<A, R> execution) {
    if (callerStaysAtWork(execution.plan) && execution.callerStays
        || engine.propagators().isEmpty()) {
      return;
    }
    if (execution.context != CallContext.NONE) { // captured for its listeners
      return;
    }
    try {
      execution.context = CallContext.capture(engine.propagators());
    } catch (Throwable thrown) { // a propagator is user code: it fails this call, and no other
      execution.refuseRetry(); // which would run without the context
      execution.permitHolder = execution.caller; // gives its permit back before its answer
      ended(execution, EventType.FAILURE, null, thrown);
    }
  }

  public void armDeadline(Execution<A, R> execution) {
    try {
      if (!TimeoutGuard.arm(execution) || !isKnownToClosing(execution)) {
        ended(execution, EventType.CANCELLED, null, Errors.closed(commandKey()));
        SharedRunPart share = execution.share;
        if (share != null) {
          share.leave(false); // closing interrupts
        }
      }
    } catch (Throwable thrown) { // the system has no thread for the timer
      execution.refuseRetry(); // which would run without the deadline
      execution.permitHolder = execution.caller;
      ended(execution, EventType.FAILURE, null, thrown);
    }
  }

  /** Work that looks at its call has cancellers, which closing runs: it has to know of it. */
  private boolean isKnownToClosing(Execution<A, R> execution) {
    return !TimeoutGuard.leavesToClosing(execution) || engine.stages().add(execution);
  }

  private void forgetForClosing(Execution<A, R> execution) {
    if (TimeoutGuard.leavesToClosing(execution)) {
      engine.stages().remove(execution);
    }
  }

  /** A stream that broke while it was opened has no follower, which would take it out again. */
  private void forgetUnfollowed(Execution<A, R> execution) {
    if (body.isStreamed()) {
      engine.stages().stageEnded(execution);
    }
  }

  // The work, on the thread its starter chose.

  void work(Execution<A, R> execution) {
    A argument = execution.argument(); // before begin: it is dropped with the answer
    boolean away = !execution.plan.runsOnCaller;
    long now = now();
    execution.workBegins(now);
    if (!execution.begin(away ? Thread.currentThread() : null)) {
      forgetForClosing(execution);
      return; // answered while it waited for this thread: the claimer gave back what it held
    }
    if (away && execution.isLate(now)) { // still queued at its deadline: it never runs
      execution.workNeverRan();
      stopped(execution, null, null);
      return;
    }
    execution.plan.starter.begun(now);
    R value = null;
    CompletionStage<R> stage = null;
    Throwable thrown = null;
    Scope scope = CallContext.NOTHING_TO_CLOSE;
    long outer = deadlines().current(execution.plan.deadlines);
    try { // without a resource, or Java would attach what closing throws to what the work threw
      if (away) {
        scope = execution.context.open();
      }
      if (execution.plan.deadlines) {
        deadlineBegins(execution);
      }
      listeners.workStarts(execution, away);
      if (body.isStaged()) {
        stage = Errors.requireStage(commandKey(), body.start(argument, execution));
      } else {
        value = body.run(argument, execution);
      }
    } catch (Throwable t) { // Errors too: nothing a user's code throws may lose an ending
      thrown = t;
    }
    thrown = CallContext.close(scope, thrown);
    deadlineEnds(execution, away, outer);
    Errors.keepInterrupt(thrown, !away);
    if (stage == null) {
      stopped(execution, value, thrown);
      if (thrown != null) {
        forgetUnfollowed(execution);
      }
      listeners.threadEnds(execution); // if the ending came first, or was not the work's
      return;
    }
    execution.leaveThread();
    listeners.threadEnds(execution);
    if (thrown == null) {
      StageFollower.follow(execution, stage);
    } else {
      StageFollower.giveUp(execution, stage, thrown);
    }
  }

  /** The calls that its work makes on this thread have the deadline of this one. */
  private void deadlineBegins(Execution<A, R> execution) {
    deadlines().here()[0] = Deadlines.after(execution.startNanos, execution.limitNanos());
  }

  /** The thread has the one it had before. On a thread of ours, the work may have left one open. */
  private void deadlineEnds(Execution<A, R> execution, boolean away, long outer) {
    if (execution.plan.deadlines || away && deadlines().current() != Deadlines.NONE) {
      deadlines().here()[0] = outer;
    }
  }

  /** There is no thread to run it on. */
  void failedToStart(Execution<A, R> execution, Throwable cause) {
    ended(execution, EventType.FAILURE, null, cause);
  }

  // The way out.

  /** The work has stopped, which is the ending unless another thread has claimed it. */
  void stopped(Execution<A, R> execution, @Nullable R value, @Nullable Throwable thrown) {
    // no switch: its class would be initialized here, which may fail for want of stack, for ever
    ExecutionState.Stop stop = execution.stop();
    if (stop == ExecutionState.Stop.AGAIN) {
      return;
    }
    forgetForClosing(execution);
    if (stop == ExecutionState.Stop.ABANDONED_RUNNING) {
      runtime.abandonedStopped(execution);
      leaveAbandoned(execution);
      return;
    }
    execution.forgetCancellers();
    boolean ran = execution.hasRun();
    Throwable cause =
        thrown != null || !ran // then there is no result to judge
            ? thrown
            : classification.errorOf(value, commandKey(), runtime.stackTraces);
    // what never ran was found late when it was to begin, whatever its subscriber does meanwhile
    boolean late = !ran || execution.isLate(now());
    boolean answers = cause == null && !late;
    boolean held = !answers && holdForFallback(execution);
    if (!held) {
      // before the answer is seen: the caller's next call finds it free
      completion.leave(execution);
    }
    if (late) {
      listeners.threadEnds(execution);
      abandonment.timedOut(execution);
    } else if (cause == null) {
      ended(execution, EventType.SUCCESS, value, null);
    } else if (Errors.isInterrupted(cause) && Thread.currentThread() == execution.whole().caller) {
      ended(
          execution,
          EventType.CANCELLED,
          null,
          Errors.interrupted(commandKey(), cause, runtime.stackTraces));
    } else {
      execution.failedByResult = thrown == null && Classification.isOwn(cause, value, commandKey());
      failed(execution, cause);
    }
    // if another thread's ending came first, or there was no fallback to wait for
    completion.leave(execution);
  }

  /**
   * Gives back what work holds that may have been given up. Closing may wait for that, and cannot
   * tell by the permits, which other calls give back, too.
   */
  private void leaveAbandoned(Execution<A, R> execution) {
    completion.leave(execution);
    execution.left();
    engine.closing().left();
  }

  /**
   * A thread of ours that is about to run a fallback is not free yet, so its permit is not either.
   */
  private boolean holdForFallback(Execution<A, R> execution) {
    if (execution.callerStays || execution.plan.runsOnCaller) {
      return false;
    }
    execution.permitHolder = Thread.currentThread();
    return true;
  }

  private void failed(Execution<A, R> execution, Throwable thrown) {
    Verdict verdict = Verdict.on(thrown, classification);
    Throwable cause = verdict.cause(thrown);
    execution.failedByResult &= cause == thrown; // else a predicate threw it
    ended(execution, verdict.event(), null, cause);
  }

  void ended(
      Execution<A, R> execution, EventType event, @Nullable R value, @Nullable Throwable cause) {
    listeners.workEnds(execution, event, value, cause);
    if (completion.claimed(execution, event, value, cause)) {
      conclude(execution, event, cause);
    }
  }

  /**
   * By the owner of the ending, which is decided: answers, or lets another attempt or the fallback
   * answer.
   */
  public void conclude(Execution<A, R> execution, EventType event, @Nullable Throwable cause) {
    if (further != null && further.goesOn(execution, event, cause)) {
      return;
    }
    if (cause == null
        || event == EventType.CANCELLED // counted with the claim
        || !Verdict.asksFallback(event, cause)) {
      completion.leaveIfHolder(execution); // an attempt may have handed it over
      completion.answer(execution);
    } else if (execution.openFallback()) {
      if (!execution.callerStays || Thread.currentThread() == execution.caller) {
        fallbackStarter.start(execution);
      } else {
        engine.waiter().wake(execution.caller); // a caller that waits runs its own fallback
      }
    } else { // another thread took this one for lost, and cannot give back what this one holds
      completion.leaveIfHolder(execution);
    }
  }

  /**
   * A step threw what no step expects: no memory, no stack. Called by the outermost frame of a
   * thread of ours. The call ends with that, if it has no ending yet.
   */
  void broke(Execution<A, R> execution, Throwable thrown) {
    runtime.failedToSettle(thrown);
    if (execution.hasBegun() && execution.stop() == ExecutionState.Stop.ABANDONED_RUNNING) {
      runtime.abandonedStopped(execution);
    }
    leaveAbandoned(execution);
    endBroken(execution, thrown);
    forgetForClosing(execution); // last, as it may find no memory either
    forgetUnfollowed(execution);
  }

  private void endBroken(Execution<A, R> execution, Throwable thrown) {
    if (completion.claimed(execution, EventType.FAILURE, null, thrown)) {
      completion.answer(execution);
    } else {
      abandonment.leaveToOwner(execution);
    }
  }

  // What other classes ask.

  public long now() {
    return engine.ticker().nanoTime();
  }

  /** By when what a thread is at has to be over. */
  public Deadlines deadlines() {
    return engine.requests().deadlines;
  }

  /** The key of the command. */
  public String commandKey() {
    return runtime.commandKey;
  }

  /** Whether {@link #run} returns only when the work has. */
  public boolean blocksCaller() {
    return callerStaysAtWork(runtime.plan());
  }

  /** Whether its work is a stage, which needs no thread of ours once it has begun. */
  public boolean isStaged() {
    return body.isStaged();
  }

  boolean showsCall() {
    return body.showsCall();
  }
}
