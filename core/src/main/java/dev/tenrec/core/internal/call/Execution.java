// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.internal.flight.FlightCall;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One call of one command, where more than its own thread takes part: what it was called with, what
 * it holds, and how it ended. It is also the timer's node, the pool's task and the work's {@link
 * Call}, so that a call costs one object.
 *
 * @param <A> what the command is called with
 * @param <R> what it returns
 */
public class Execution<A extends @Nullable Object, R extends @Nullable Object>
    extends RunningWork<R> implements Launchable, Call, ListenedCall {

  public final Pipeline<A, R> pipeline;
  public final Plan plan;
  final @Nullable Receiver<? super R> receiver;

  // Written by the caller on its way in, before launch; read by others after it.
  public final Thread caller;
  public final boolean callerStays;
  public final long startNanos;
  public Permission permission = Permission.UNGUARDED;
  public CallContext context = CallContext.NONE;

  /**
   * Null once answered: the timer may hold this object until its deadline. Read by a worker before
   * begin, which fails once answered.
   */
  @Nullable A argument;

  /**
   * Whether it holds its permits. Written by the caller before launch; after launch by the thread
   * that stops the work, or that claims the ending before the work begins. Ordered by the CASes of
   * the state.
   */
  boolean holdsPermit;

  /**
   * The thread that gives the permit back before the answer: the pool's thread that runs the
   * fallback, or the caller where a step before the launch failed. A thread only compares it with
   * itself, so a value that it did not write never matches.
   */
  @Nullable Thread permitHolder;

  /** Whether it passed the gates. Written with {@link #holdsPermit}, but never taken back. */
  boolean admitted;

  /**
   * Where the call is written down; null if nowhere. Set to null by the owner of the ending, or by
   * the thread that counts the answer, before that is published: the timer may hold this object
   * longer than the request is open.
   */
  public @Nullable CommandLog log;

  /**
   * Its part in a run that it shares, or the call that its further attempts belong to; null if
   * there is neither. Written by the caller before launch, read by the thread that claims the
   * ending after launch, ordered by the CAS of the state; a thread at a deadline may read it before
   * any claim, and looks again at the state of what it finds.
   */
  public @Nullable SharedRunPart share;

  /** Null unless calls are recorded. Written by the caller, read by the owner of the ending. */
  public final @Nullable FlightCall flight;

  public Execution(
      Pipeline<A, R> pipeline,
      Plan plan,
      A argument,
      @Nullable Receiver<? super R> receiver,
      boolean callerStays,
      long startNanos) {
    super(plan.deadlines ? within(pipeline, plan, startNanos) : own(plan, startNanos));
    pipeline.runtime.reserve(receiver != null); // throws to the caller: nothing has begun
    this.startNanos = startNanos;
    this.pipeline = pipeline;
    this.plan = plan;
    this.argument = argument;
    this.receiver = receiver;
    this.log = pipeline.runtime.engine.requests().log(plan.settings.requestLogEnabled());
    this.caller = Thread.currentThread();
    this.callerStays = callerStays;
    this.flight = Flight.begin();
  }

  /**
   * A further attempt at what {@code whole} was called for, by its plan; on the thread that begins
   * it. It is written down nowhere: the whole call is.
   *
   * @param callerStays whether that thread waits for it
   * @param deadlineNanos no later than that of {@code whole}
   */
  protected Execution(
      Execution<A, R> whole,
      Receiver<? super R> receiver,
      boolean callerStays,
      long deadlineNanos) {
    super(deadlineNanos);
    whole.pipeline.runtime.reserve(true); // throws to the thread that begins it
    this.startNanos = whole.startNanos;
    this.pipeline = whole.pipeline;
    this.plan = whole.plan;
    this.argument = whole.argument;
    this.receiver = receiver;
    this.caller = Thread.currentThread();
    this.callerStays = callerStays;
    this.context = whole.context;
    this.flight = null;
  }

  /** Whether giving it up from outside may interrupt its thread. */
  public final boolean interruptsOnCancel() {
    return plan.settings.interruptOnFutureCancel();
  }

  private static long own(Plan plan, long startNanos) {
    return plan.timeoutNanos == Plan.NEVER ? Plan.NEVER : startNanos + plan.timeoutNanos;
  }

  /** On the caller's thread: the earlier of its own deadline and that of the call it is made in. */
  private static long within(Pipeline<?, ?> pipeline, Plan plan, long startNanos) {
    long outer = pipeline.deadlines().current();
    long limit = Deadlines.limit(outer, startNanos, plan.timeoutNanos);
    return limit == Plan.NEVER ? Plan.NEVER : startNanos + limit;
  }

  /** What it is a further attempt of; itself, if it is the call's first. */
  public Execution<A, R> whole() {
    return this;
  }

  /**
   * On the timer's thread, by the owner of an ending that is decided: hands it to the whole call.
   * False if that has been ended otherwise. True at once if this is the whole call.
   */
  public boolean handsOver(EventType event, Throwable cause) {
    return true;
  }

  /**
   * By the owner of an ending that is decided: whether that is to be counted. Not if this is a
   * further attempt, and its whole call was given up before.
   */
  public boolean isCause(EventType event) {
    return true;
  }

  @Override
  public int attempt() {
    return 1;
  }

  /** Null where A has it, or the execution is answered. */
  @SuppressWarnings("NullAway") // whether null is one of its values is for A to say
  @Override
  public A argument() {
    return argument;
  }

  /** Whether the work began: its own, or that which it waits for, as far as that is known. */
  public final boolean workBegan() {
    SharedRunPart part = share;
    return hasRun() || part != null && part.workBegan();
  }

  public boolean hasDeadline() {
    // a call that a shared run was begun for has no deadline but the run's
    SharedRunPart shared = share;
    return deadlineNanos() != Plan.NEVER && (shared == null || !shared.first());
  }

  /** How long it has from its start; {@link Plan#NEVER} without an end. */
  public final long limitNanos() {
    long deadline = deadlineNanos();
    return deadline == Plan.NEVER ? Plan.NEVER : deadline - startNanos;
  }

  /** Whether the deadline of the call it is made in had passed when it was made. */
  final boolean isTooLate() {
    return plan.deadlines && limitNanos() <= 0;
  }

  /** What it counts as if its deadline ends it. */
  public EventType lateness() {
    return plan.lateness(limitNanos());
  }

  public boolean isLate(long now) {
    return hasDeadline() && now - deadlineNanos() >= 0;
  }

  /** The error that reports its deadline. */
  public CommandTimeoutException timeoutError() {
    return Errors.timeout(this);
  }

  /** Whether its caller has had something of the work, whatever becomes of it. */
  public boolean hasAnsweredInPart() {
    return false;
  }

  /** By the owner of the ending, once all events are added. */
  public void writeLog() {
    CommandLog present = log;
    if (present != null) {
      log = null;
      present.add(pipeline.commandKey(), eventBits(), callerNanos);
    }
  }

  /** By the thread that has counted the answer, before it is published. */
  void writeFlight() {
    FlightCall recorded = flight;
    SharedRunPart part = share;
    if (recorded == null || part != null && part.first()) { // what it shares is recorded for it
      return;
    }
    int bits = fromCache ? 0 : eventBits() & ~(1 << EventType.RESPONSE_FROM_CACHE.ordinal());
    recorded.ended(
        pipeline.commandKey(),
        pipeline.runtime.group,
        plan.settings.isolationStrategy().name(),
        fromCache ? EventType.RESPONSE_FROM_CACHE.name() : names(bits, part),
        fromCache ? -1 : executionNanos);
  }

  /** Each as often as it was counted, which only further attempts make more than once. */
  private static String names(int bits, @Nullable SharedRunPart part) {
    StringJoiner names = new StringJoiner(",");
    for (EventType event : EventType.values()) {
      boolean present = (bits >>> event.ordinal() & 1) != 0;
      int times = part == null ? present ? 1 : 0 : part.times(event, present);
      for (int i = 0; i < times; i++) {
        names.add(event.name());
      }
    }
    return names.toString();
  }

  /**
   * The caller's context, as far as this thread lacks it. A caller that does not stay may come back
   * to end its call, and be at other things by now.
   */
  CallContext contextHere() {
    return callerStays && Thread.currentThread() == caller ? CallContext.NONE : context;
  }

  /**
   * The permit that the thread has kept to run the fallback is the whole call's from now on, unless
   * its caller waits and runs that itself.
   */
  protected void handPermitOver(Execution<A, R> whole) {
    if (!whole.callerStays && permitHolder == Thread.currentThread()) {
      whole.permitHolder = permitHolder;
      whole.holdsPermit = holdsPermit;
      holdsPermit = false;
    }
    handTimeOver(whole);
  }

  /** How long it was at work is how long the whole call was. */
  protected void handTimeOver(Execution<A, R> whole) {
    whole.executionNanos = executionNanos;
  }

  /**
   * On the caller's thread, which made it after the work had failed there: as if it had passed the
   * gates, and its work had stopped.
   *
   * @param own whether the engine made the failure
   */
  void failedOnCaller(Permission taken, long startedAt, boolean own) {
    permission = taken;
    admitted = true;
    failedByResult = own;
    workBegins(startedAt);
    if (launch() && begin(null)) {
      Stop unused = stop();
    }
  }

  /** False for a further attempt that its gates refused: its call has begun, and it has not. */
  boolean hasBegunIfFurther() {
    return whole() == this || hasBegun();
  }

  /** How it ended: after the answer. */
  public Outcome<R> outcome() {
    SharedRunPart part = share;
    return new Outcome<>(
        pipeline.commandKey(),
        value,
        error,
        cause,
        fallbackError,
        eventBits(),
        executionNanos,
        callerNanos,
        part == null ? 1 : part.attempts(),
        part == null ? null : part.failedAttempts());
  }

  /** On the worker. Throws nothing: what breaks the way of the call ends it. */
  @Override
  public void run() {
    try {
      pipeline.work(this);
    } catch (Throwable thrown) { // no memory, no stack; from the outermost frame there is some
      pipeline.broke(this, thrown);
    }
  }

  @Override
  public boolean isAbandoned() {
    return isClaimed() && !hasBegun();
  }

  /** There is no thread to run it on. On the caller's thread, after launch. */
  @Override
  public void failToStart(Throwable cause) {
    pipeline.failedToStart(this, cause);
  }

  /**
   * Its starter is shut and has not taken it, so it has to end here. On the caller's thread, after
   * launch.
   */
  @Override
  public void findClosed() {
    pipeline.abandonment.foundClosed(this);
  }

  /** On the timer's thread. */
  @Override
  protected void expired() {
    pipeline.abandonment.expired(this);
  }

  @Override
  public String commandKey() {
    return pipeline.commandKey();
  }

  /** Of each attempt, as its work sees it. */
  @Override
  public boolean is(Call call) {
    return call == this || call instanceof Execution<?, ?> attempt && attempt.whole() == this;
  }

  /** Whether its work is on its caller's own thread, and has cancellers. */
  public boolean isAtWorkOnCaller() {
    return plan.runsOnCaller && !pipeline.isStaged() && hasBegun() && hasCancellers();
  }

  /** The work has ended by itself: nothing is left to be cancelled. */
  void forgetCancellers() {
    if (pipeline.showsCall() || pipeline.isStaged()) {
      cancellers().forget();
    }
  }

  @Override
  public Duration remaining() {
    return hasDeadline()
        ? Duration.ofNanos(Math.max(0, deadlineNanos() - pipeline.now()))
        : Duration.ofNanos(Plan.NEVER);
  }

  @Override
  public boolean isGivenUp() {
    return wasAbandonedRunning();
  }

  /**
   * Gives the execution up on behalf of its caller: work that waits for a thread never runs, work
   * that runs is cancelled.
   *
   * @param interrupt whether a worker may be interrupted
   * @return whether this call ended it
   */
  public boolean cancel(boolean interrupt) {
    return pipeline.abandonment.cancel(this, interrupt, null);
  }

  /** As any execution that closing finds: with the error for that. */
  @Override
  public final void closed() {
    pipeline.runtime.engine.stages().mayGoOn(this);
    boolean unused = abort(Errors.closed(commandKey()));
  }

  /**
   * Ends it from the other side: its Tenrec closes.
   *
   * @param error what its receiver gets
   * @return whether this call ended it
   */
  public boolean abort(Throwable error) {
    if (isUndecided()) {
      return false; // its permit is back, and the thread that brought it is about to answer
    }
    boolean ended = pipeline.abandonment.cancel(this, false, error);
    if (!ended && awaitsFallback() && openFallback()) { // in the place of its owner
      ended = pipeline.abandonment.cancel(this, false, error);
    }
    pipeline.abandonment.interruptAllApart(this); // also if it was answered long ago
    if (!ended) {
      pipeline.completion.publishForOwner(this);
    }
    return ended;
  }

  /**
   * Whether its work has stopped, and the thread that stopped it has not answered yet: it may be in
   * user code that judges the result, or in a listener.
   */
  public boolean isUndecided() {
    if (hasStopped() && !isClaimed()) {
      return true;
    }
    SharedRunPart part = share;
    return part != null && part.isUndecided();
  }

  /** By closing, when the thread that stopped the work has had its time and has not answered. */
  public void abortUndecided(Throwable error) {
    if (isUndecided()) {
      boolean unused = pipeline.abandonment.cancel(this, false, error);
      pipeline.abandonment.interruptAllApart(this);
    }
  }

  /** The threads of ours that are at its work and at its fallback. An interrupt may wait. */
  void interruptAll() {
    interruptWork();
    interruptFallback();
  }

  // What listeners ask.

  @Override
  public String group() {
    return pipeline.runtime.group;
  }

  @Override
  public IsolationStrategy isolation() {
    return plan.settings.isolationStrategy();
  }

  @Override
  public Duration elapsed() {
    return isAnswered() ? Duration.ofNanos(callerNanos) : age(pipeline.now());
  }

  /** For how long it has been going, at {@code now}. */
  @Override
  public Duration age(long now) {
    return Duration.ofNanos(now - startNanos);
  }

  @Override
  public String toString() {
    return commandKey();
  }
}
