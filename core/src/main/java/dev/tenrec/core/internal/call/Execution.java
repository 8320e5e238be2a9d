// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.internal.flight.FlightCall;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Call;
import dev.tenrec.core.work.Canceller;
import dev.tenrec.metrics.event.EventType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Stream;
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
    extends ExecutionState implements Launchable, Call, ListenedCall {

  private static final VarHandle CANCELLERS;

  static {
    try {
      CANCELLERS =
          MethodHandles.lookup().findVarHandle(Execution.class, "cancellers", Cancellers.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** In the place of the work's start. */
  private static final long NEVER_RAN = Long.MIN_VALUE;

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

  /** Whether it passed the gates. Written with {@link #holdsPermit}, but never taken back. */
  boolean admitted;

  /**
   * The pool's thread that still holds the permit while it runs the fallback. A thread only
   * compares it with itself, so a value that it did not write never matches.
   */
  @Nullable Thread permitHolder;

  /**
   * Written by the worker just before begin, and again after begin if the work never runs; read by
   * the thread that claims the ending during the work. Volatile, because nothing else orders the
   * second write and the read.
   */
  private volatile long workStartNanos;

  /**
   * Whether the work is a stage by now, which ends without a thread of ours. Written by the thread
   * that started the stage, before it looks whether the call is given up; read by the thread that
   * gives the call up, after its claim. So at least one of the two arms {@link StagePermitTimeout}.
   */
  volatile boolean following;

  /**
   * Where the call is written down; null if nowhere. Set to null by the owner of the ending, or by
   * the thread that counts the answer, before that is published: the timer may hold this object
   * longer than the request is open.
   */
  public @Nullable CommandLog log;

  /**
   * Its part in a run that it shares; null if it shares none. Written by the caller before launch,
   * read by the thread that claims the ending after launch, ordered by the CAS of the state.
   */
  public @Nullable SharedRunPart share;

  /**
   * Written once, by a CAS of the first registration, before it looks whether the call is given up;
   * read by the thread that gives the call up, after its claim: one of the two sees the other. No
   * lock on this object, because users have it as their call.
   */
  private volatile @Nullable Cancellers cancellers;

  /**
   * Whether its result counts as a failure, for which the engine made the exception. Written by the
   * thread that stopped the work, before its claim; read by the owner of the ending.
   */
  boolean failedByResult;

  /**
   * The stay of a thread of ours at its fallback. Written by that thread before it marks the
   * fallback as begun, read by a thread that has claimed the ending after that.
   */
  private volatile @Nullable FallbackThread fallbackStay;

  // The ending. Written by the thread that claimed it, read by others after DECIDED or later; the
  // two latencies are written a moment after that, and only displayed.
  private int eventBits;

  /** What the answer counts as; null if that was counted with the claim. */
  private @Nullable EventType answerEvent;

  /** Null unless calls are recorded. Written by the caller, read by the owner of the ending. */
  public final @Nullable FlightCall flight;

  /** Whether all it counts as is an answer of the request cache. By the owner of the ending. */
  boolean fromCache;

  @Nullable R value;
  public @Nullable Throwable error;
  public @Nullable Throwable cause;
  @Nullable Throwable fallbackError;
  long executionNanos = -1;
  public long callerNanos;

  public Execution(
      Pipeline<A, R> pipeline,
      Plan plan,
      A argument,
      @Nullable Receiver<? super R> receiver,
      boolean callerStays,
      long startNanos) {
    super(plan.timeoutNanos == Plan.NEVER ? Plan.NEVER : startNanos + plan.timeoutNanos);
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
   * A further attempt at what {@code whole} was called for, by its plan and with its deadline; on
   * the thread that begins it. It is written down nowhere: the whole call is.
   */
  protected Execution(Execution<A, R> whole, Receiver<? super R> receiver) {
    super(whole.deadlineNanos());
    whole.pipeline.runtime.reserve(true); // throws to the thread that begins it
    this.startNanos = whole.startNanos;
    this.pipeline = whole.pipeline;
    this.plan = whole.plan;
    this.argument = whole.argument;
    this.receiver = receiver;
    this.caller = Thread.currentThread();
    this.callerStays = whole.callerStays;
    this.context = whole.context;
    this.flight = null;
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

  /** The answer, once it has ended. Null where R has it, or there is no answer. */
  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  public R value() {
    return value;
  }

  /** Why there is no answer, once it has ended: not wrapped. Null if there is one. */
  public @Nullable Throwable error() {
    return error;
  }

  public boolean hasDeadline() {
    // a call that a shared run was begun for has no deadline but the run's
    SharedRunPart shared = share;
    return plan.timeoutNanos != Plan.NEVER && (shared == null || !shared.first());
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
      present.add(pipeline.commandKey(), eventBits, callerNanos);
    }
  }

  /** By the owner of the ending, at once: the request cache answers it, and counts it. */
  public void answeredFromCache() {
    fromCache = true;
    add(EventType.RESPONSE_FROM_CACHE);
  }

  /** By the thread that has counted the answer, before it is published. */
  void writeFlight() {
    FlightCall recorded = flight;
    SharedRunPart part = share;
    if (recorded == null || part != null && part.first()) { // what it shares is recorded for it
      return;
    }
    int bits = fromCache ? 0 : eventBits & ~(1 << EventType.RESPONSE_FROM_CACHE.ordinal());
    recorded.ended(
        pipeline.commandKey(),
        pipeline.runtime.group,
        plan.settings.isolationStrategy().name(),
        fromCache ? EventType.RESPONSE_FROM_CACHE.name() : names(bits),
        fromCache ? -1 : executionNanos);
  }

  private static String names(int bits) {
    StringJoiner names = new StringJoiner(",");
    for (EventType event : EventType.values()) {
      if ((bits >>> event.ordinal() & 1) != 0) {
        names.add(event.name());
      }
    }
    return names.toString();
  }

  /** Only the owner of the ending adds. */
  public void add(EventType event) {
    eventBits |= 1 << event.ordinal();
  }

  /** Whether {@code event} is among its events. */
  public boolean has(EventType event) {
    return (eventBits >>> event.ordinal() & 1) != 0;
  }

  /**
   * The caller's context, as far as this thread lacks it. A caller that does not stay may come back
   * to end its call, and be at other things by now.
   */
  CallContext contextHere() {
    return callerStays && Thread.currentThread() == caller ? CallContext.NONE : context;
  }

  public int eventBits() {
    return eventBits;
  }

  /**
   * By the owner of the ending, at once: what the ending is, and that any thread may publish it
   * from now on. Plain stores, which cannot fail.
   */
  void decide(EventType event, @Nullable R answer, @Nullable Throwable why) {
    eventBits |= 1 << event.ordinal();
    answerEvent =
        event == EventType.SUCCESS || event == EventType.CANCELLED
            ? null
            : EventType.EXCEPTION_THROWN; // unless its fallback answers
    value = answer;
    cause = why;
    error = why;
    decided();
  }

  /**
   * By the owner of the ending, at once: what its fallback brought, or why that brought nothing,
   * and that any thread may publish it from now on. Plain stores, which cannot fail.
   */
  void decideFallback(
      EventType event,
      @Nullable R answer,
      @Nullable Throwable failure,
      @Nullable Throwable toCaller) {
    eventBits |= 1 << event.ordinal();
    answerEvent =
        event == EventType.FALLBACK_SUCCESS || event == EventType.CANCELLED
            ? event
            : EventType.EXCEPTION_THROWN;
    value = answer;
    fallbackError = failure;
    error = toCaller;
    decidedFinally();
  }

  /**
   * This thread, one of ours, begins the fallback; until {@link #endFallback} an interrupt is meant
   * for it. False if the ending was claimed meanwhile.
   */
  boolean beginFallback() {
    fallbackStay = new FallbackThread();
    return fallbackBegins();
  }

  /**
   * This thread has ended the fallback. Whether that was busy although the call had been answered.
   */
  boolean endFallback() {
    FallbackThread stay = fallbackStay;
    if (stay != null) {
      stay.end();
    }
    return fallbackEnds();
  }

  /** Interrupts the thread of ours that is at the fallback, if one is. */
  void interruptFallback() {
    FallbackThread stay = fallbackStay;
    if (stay != null) {
      stay.interrupt();
    }
  }

  /**
   * By the owner of the ending, after further attempts: as {@link #decide}, but what the last one
   * counts as is counted.
   *
   * @param own whether the engine made {@code why}, for this call
   */
  public void decideAfterRetries(
      EventType event, @Nullable R answer, @Nullable Throwable why, boolean own) {
    eventBits |= 1 << event.ordinal();
    if (event == EventType.SUCCESS) {
      answerEvent = null;
    } else {
      answerEvent = event == EventType.CANCELLED ? event : EventType.EXCEPTION_THROWN;
    }
    value = answer;
    cause = why;
    error = why;
    failedByResult = own;
    decided();
  }

  /** The permit that the thread has kept to run the fallback is the whole call's from now on. */
  protected void handPermitOver(Execution<A, R> whole) {
    if (permitHolder == Thread.currentThread()) {
      whole.permitHolder = permitHolder;
      whole.holdsPermit = holdsPermit;
      holdsPermit = false;
    }
    whole.executionNanos = executionNanos;
  }

  /** What the answer counts as; null if that was counted with the claim. Adds it to the events. */
  protected @Nullable EventType takeAnswerEvent() {
    EventType event = answerEvent;
    if (event != null) {
      eventBits |= 1 << event.ordinal();
    }
    return event;
  }

  /** Whether its ending is decided, and has yet to be offered to a fallback. */
  public boolean awaitsFallback() {
    if (!isDecidedFirst()) { // read first: the fields below were written before
      return false;
    }
    Throwable why = cause;
    return answerEvent == EventType.EXCEPTION_THROWN
        && why != null
        && Verdict.asksFallback(
            has(EventType.BAD_REQUEST) ? EventType.BAD_REQUEST : EventType.FAILURE, why);
  }

  /** Whether the engine made the cause, for this execution: by the owner of the ending. */
  public boolean hasOwnCause() {
    return failedByResult || !has(EventType.FAILURE);
  }

  /** By the owner of the ending: the call ends with the outcome of another execution. */
  public void adopt(Outcome<R> other) {
    value = other.value();
    error = other.error();
    cause = other.cause();
    fallbackError = other.fallbackError();
    eventBits = other.eventBits();
    Duration worked = other.executionLatency();
    executionNanos = worked == null ? -1 : worked.toNanos();
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

  /** It was begun only to find that its deadline has passed. */
  void workNeverRan() {
    workStartNanos = NEVER_RAN;
  }

  /** False for a further attempt that its gates refused: its call has begun, and it has not. */
  boolean hasBegunIfFurther() {
    return whole() == this || hasBegun();
  }

  /** Whether the user's work was started. */
  public boolean hasRun() {
    return hasBegun() && workStartNanos != NEVER_RAN;
  }

  void workBegins(long now) {
    workStartNanos = now;
  }

  /** How long the work took until {@code now}, -1 if it did not begin. */
  long workedNanos(long now) {
    return hasRun() ? Math.max(0, now - workStartNanos) : -1;
  }

  /** How it ended: after the answer. */
  public Outcome<R> outcome() {
    return new Outcome<>(
        pipeline.commandKey(),
        value,
        error,
        cause,
        fallbackError,
        eventBits,
        executionNanos,
        callerNanos);
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

  @Override
  public void onCancel(Canceller canceller) {
    cancellers().add(Objects.requireNonNull(canceller, "canceller"));
  }

  private Cancellers cancellers() {
    Cancellers present = cancellers;
    if (present == null) {
      Cancellers made = new Cancellers();
      present = CANCELLERS.compareAndSet(this, null, made) ? made : cancellers;
      if (present == null) {
        throw new AssertionError("set once, and never taken away");
      }
      if (isAbandonedRunning()) {
        present.giveUp();
      }
    }
    return present;
  }

  /** Runs what was registered to stop the work, and what will be. */
  void runCancellers() {
    Cancellers present = cancellers;
    if (present != null) {
      present.giveUp();
    }
  }

  /** Whether its work is on its caller's own thread, and has cancellers. */
  public boolean isAtWorkOnCaller() {
    return plan.runsOnCaller && !pipeline.isStaged() && hasBegun() && hasCancellers();
  }

  boolean hasCancellers() {
    return cancellers != null;
  }

  /** Whether all there is to cancel is a stage of the JDK's own, on which nothing else hangs. */
  boolean cancelsStageOnly() {
    Cancellers present = cancellers;
    return present != null && present.isBareStage();
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
    return isAbandonedRunning();
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

  @Override
  public boolean abort(Throwable error) {
    if (hasStopped() && !isClaimed()) {
      return false; // its permit is back, and the thread that brought it is about to answer
    }
    boolean ended = pipeline.abandonment.cancel(this, true, error);
    if (!ended && awaitsFallback() && openFallback()) { // in the place of its owner
      ended = pipeline.abandonment.cancel(this, true, error);
    }
    if (!ended) { // answered long ago, perhaps without an interrupt: now it has to end
      interruptWork();
      interruptFallback();
      pipeline.completion.publishForOwner(this);
    }
    return ended;
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

  @Override
  public @Nullable Duration executionLatency() {
    return executionNanos < 0 ? null : Duration.ofNanos(executionNanos);
  }

  @Override
  public List<EventType> events() {
    return Stream.of(EventType.values()).filter(this::has).toList();
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
