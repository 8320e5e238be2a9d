// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.TransitionListener;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.EffectiveReader;
import dev.tenrec.core.internal.config.PreparedChange;
import dev.tenrec.core.internal.flight.Flight;
import dev.tenrec.core.internal.gate.BreakerGate;
import dev.tenrec.core.internal.gate.BulkheadGate;
import dev.tenrec.core.internal.gate.Bulkheads;
import dev.tenrec.core.internal.gate.FallbackGate;
import dev.tenrec.core.internal.gate.FallbackRefusal;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.gate.RateGate;
import dev.tenrec.core.internal.gate.Rejected;
import dev.tenrec.core.internal.gate.RejectedByBulkhead;
import dev.tenrec.core.internal.gate.RejectedByRate;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.journal.CallTrouble;
import dev.tenrec.core.internal.journal.TransitionOrder;
import dev.tenrec.core.internal.listening.TransitionNotifier;
import dev.tenrec.core.internal.retry.RetryBudget;
import dev.tenrec.core.internal.sampling.Samplers;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.latency.LatencySnapshot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What everything built for one command key shares: its breaker, its metrics, its permits, and the
 * plan that its present settings make. Thread-safe.
 */
public final class CommandRuntime implements TransitionListener {

  private static final VarHandle ABANDONED_RUNNING;
  private static final VarHandle ABANDONED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ABANDONED_RUNNING = lookup.findVarHandle(CommandRuntime.class, "abandonedRunning", int.class);
      ABANDONED = lookup.findVarHandle(CommandRuntime.class, "abandoned", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    try { // linked now: the JVM takes memory for the first call of each kind on a handle
      ABANDONED_RUNNING.getAndAdd((CommandRuntime) null, 1);
    } catch (NullPointerException noCommand) {
      // there is none so far: the handle has been linked before it looked
    }
    try {
      ABANDONED.getAndAdd((CommandRuntime) null, 1L);
    } catch (NullPointerException noCommand) {
      // likewise
    }
  }

  public final Engine engine;
  public final String commandKey;
  final String group;
  public final boolean stackTraces;
  final CommandMetrics metrics;
  final CircuitBreaker breaker;
  final BreakerGate breakerGate;
  public final FallbackGate fallbackGate;
  public final OutcomeRecorder recorder;
  final Bulkheads bulkheads;
  final EffectiveReader effective;

  /** Made by the first caller that waits; two made at once are as good as one. */
  private volatile @Nullable SpinThenPark spinThenPark;

  /**
   * Work and fallbacks still busy although their execution was answered. Raised by the thread that
   * claims the ending; lowered by the thread that ends the work or the fallback, or by the timer's
   * thread for an abandoned stage. Ordered by atomic adds.
   */
  volatile int abandonedRunning;

  /** Stages that lost their permit because they did not end. Raised by the timer, read by views. */
  private volatile long abandoned;

  /**
   * Written by the thread that brings new settings or closes, one at a time; read once by each
   * call; ordered by volatile access.
   */
  private volatile Plan plan;

  /**
   * Written by the closing thread under this object's lock. Read by the thread that brings new
   * settings, which never runs while a thread closes; by {@link #samplers} under the lock; and at
   * any time by a look at the health.
   */
  private volatile boolean closed;

  /** Made by the first task for it. Written under this object's lock, read by any thread. */
  private volatile @Nullable CallbackShare callbacks;

  /**
   * Made by the first that asks for any of it. Written under this object's lock, read by any
   * thread.
   */
  private volatile @Nullable CommandExtras extras;

  /**
   * Makes what a command key stands for.
   *
   * @param commandKey the key
   * @param group the group it belongs to
   * @param engine what its Tenrec's commands share
   * @param bulkheads what can bound it
   * @param settings its settings now
   * @param effective reads its settings with the level each comes from
   * @param stackTraces whether Tenrec's own exceptions get one
   */
  public CommandRuntime(
      String commandKey,
      String group,
      Engine engine,
      Bulkheads bulkheads,
      CommandSettings settings,
      EffectiveReader effective,
      boolean stackTraces) {
    this.effective = effective;
    this.commandKey = commandKey;
    this.group = group;
    this.engine = engine;
    this.bulkheads = bulkheads;
    this.stackTraces = stackTraces;
    long now = engine.ticker().nanoTime();
    this.metrics = new CommandMetrics(settings.metrics(), now, bulkheads);
    this.breaker =
        new CircuitBreaker(commandKey, rules(settings), now, InstantSource.system(), this);
    this.recorder = new OutcomeRecorder(this);
    this.breakerGate = new BreakerGate(commandKey, breaker, metrics, recorder);
    this.fallbackGate = new FallbackGate(settings.fallbackMaxConcurrent());
    this.plan = bulkheads.plan(settings, now);
    // linked now: the JVM takes memory for the first call of each kind on a handle
    ABANDONED_RUNNING.getAndAdd(this, 0);
    ABANDONED.getAndAdd(this, 0L);
  }

  /**
   * Makes what other settings need. What cannot be made is thrown here, before anything of them is
   * seen; once they are applied, every call that begins from then on goes by them.
   */
  public PreparedChange prepare(CommandSettings settings) {
    if (closed) {
      return () -> plan = bulkheads.closed(settings);
    }
    Plan next = bulkheads.plan(settings, engine.ticker().nanoTime());
    if (closed) { // meanwhile: what the plan has made may have come too late to be shut
      bulkheads.shut();
    }
    BreakerRules nextRules = rules(settings);
    return () -> apply(settings, next, nextRules);
  }

  private void apply(CommandSettings settings, Plan next, BreakerRules nextRules) {
    apply(settings, next, nextRules, engine.ticker().nanoTime());
  }

  /** Closing waits for no change of settings: it comes before this or after it. */
  private synchronized void apply(
      CommandSettings settings, Plan next, BreakerRules nextRules, long now) {
    if (closed) {
      plan = bulkheads.closed(settings);
      return;
    }
    metrics.reconfigure(settings.metrics(), now);
    breaker.rules(nextRules);
    fallbackGate.resize(settings.fallbackMaxConcurrent());
    bulkheads.resize(settings, now);
    if (plan.breakerMode == Plan.BreakerMode.DISABLED
        && next.breakerMode != Plan.BreakerMode.DISABLED) {
      // what happened while the breaker was disabled is not held against it
      metrics.restartHealth(now);
    }
    boolean isSooner =
        settings.metrics().healthIntervalNanos() < plan.settings.metrics().healthIntervalNanos();
    plan = next;
    if (isSooner) {
      recorder.hastenLook(now);
    }
  }

  /** The key was removed, or its Tenrec closed: every call that begins from now on is rejected. */
  public void close() {
    CommandExtras present;
    synchronized (this) {
      closed = true;
      present = extras;
      plan = bulkheads.closed(plan.settings);
      bulkheads.shut(); // for calls that have read the plan of before, and are not at its gate yet
    }
    if (present != null) {
      present.close();
    }
  }

  /**
   * Makes what the end of a call needs, before the call begins.
   *
   * @param delivers whether its ending may be delivered, or its fallback run, on other threads
   * @throws OutOfMemoryError if there is no memory; after this has returned, the end takes none
   */
  void reserve(boolean delivers) {
    metrics.reserve();
    if (delivers) {
      CallbackShare unused = callbacks();
    }
  }

  /** The threads its users' code has beside those of its calls. */
  public CallbackShare callbacks() {
    CallbackShare present = callbacks;
    return present != null ? present : makeCallbacks();
  }

  /** Runs user code of a call on a thread of its share. */
  public void runInShare(Runnable code) {
    callbacks().execute(CallbackTask.of(code));
  }

  private synchronized CallbackShare makeCallbacks() {
    CallbackShare present = callbacks;
    if (present == null) {
      callbacks = present = engine.callbacks().newShare(commandKey);
    }
    return present;
  }

  /**
   * The threads that interrupt its calls' threads: an interrupt may close a channel, and that may
   * wait, so it holds up neither the command's users' code nor another command's interrupts.
   */
  CallbackShare interrupts() {
    return extras().interrupts(() -> engine.callbacks().newShare(commandKey));
  }

  private CommandExtras extras() {
    CommandExtras present = extras;
    return present != null ? present : makeExtras();
  }

  private synchronized CommandExtras makeExtras() {
    CommandExtras present = extras;
    if (present == null) {
      CallTrouble trouble =
          new CallTrouble(engine.journal(), commandKey, engine.ticker().nanoTime());
      extras = present = new CommandExtras(new LiveCommandView(this), trouble, closed);
    }
    return present;
  }

  /**
   * Something failed between the claim of an ending and its publication, which went on without it.
   * Throws nothing.
   */
  public void failedToSettle(Throwable thrown) {
    try {
      engine.failures().failed(commandKey + ": a part of ending a call failed", thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }

  /**
   * What further attempts may be a share of: what of its last seconds came to the dependency,
   * further attempts left out. Nothing while more attempts fail than succeed, by the health that
   * its circuit is judged by: what such a dependency is asked again prolongs its trouble. Sums up
   * all counters, so it is for calls that have failed.
   *
   * @param mostNanos what it was in this time, if the rolling window is longer: its average, which
   *     is too small as long as not all of the window is known
   */
  public long retryBase(long mostNanos, long now) {
    if (failuresPrevail(metrics.health(now))) {
      return 0;
    }
    return metrics.executions(mostNanos, now);
  }

  /** Our own rejections say nothing of the dependency. */
  private static boolean failuresPrevail(HealthSnapshot health) {
    long failed = health.errors() - health.rejected();
    return failed > health.total() - health.errors();
  }

  /** What half of its executions took at most, of late; 0 if that is not known. */
  public long medianNanos(long now) {
    return metrics.executionLatency(now).valueAtPercentile(50);
  }

  /**
   * What a share of its executions took at most, of late; -1 if there are too few of them.
   *
   * @param least how many there have to be
   */
  public long latencyNanos(double percentile, long least, long now) {
    LatencySnapshot latencies = metrics.executionLatency(now);
    return latencies.count() < least ? -1 : latencies.valueAtPercentile(percentile);
  }

  /** What its further attempts are drawn on. */
  public RetryBudget retryBudget() {
    return extras().retryBudget(engine.ticker().nanoTime());
  }

  /** The budget of this name, which it shares, had no retry left for it. */
  public void usedUp(String sharedBudget) {
    extras().usedUpBudget = sharedBudget;
  }

  /** The name of the shared budget that had no retry left for it; null if there was none. */
  @Nullable String usedUpBudget() {
    return extras().usedUpBudget;
  }

  /** Whether its key was removed, or its Tenrec closed. */
  public boolean isClosed() {
    return closed;
  }

  SpinThenPark spinThenPark(long nowNanos) {
    SpinThenPark present = spinThenPark;
    if (present == null) {
      spinThenPark = present = new SpinThenPark(nowNanos);
    }
    return present;
  }

  public Plan plan() {
    return plan;
  }

  /** Executions in flight: those that hold a permit. */
  public int inFlight() {
    return bulkheads.inUse();
  }

  /** After it was closed: whether no call is in flight, and none can come any more. */
  public boolean isQuiet() {
    return bulkheads.isQuiet();
  }

  /** Executions in flight with their work on their callers' own threads. */
  public int inFlightOnCallers() {
    return Math.max(0, bulkheads.inUseOnCallers() - engine.stages().running(this));
  }

  /** The command's key. */
  public String key() {
    return commandKey;
  }

  /** The group it belongs to. */
  public String group() {
    return group;
  }

  /** The settings that calls which begin now go by. */
  public CommandSettings settings() {
    return plan.settings;
  }

  /** Its counts, latencies and circuit, live. */
  public CommandDetails view() {
    return extras().view;
  }

  /** Reads its view every so often, until it is closed. */
  public Samplers samplers() {
    return extras().samplers(() -> new Samplers(engine.ticker(), engine.timer(), callbacks()));
  }

  /** The last transitions of its circuit, oldest first. */
  public List<Transition> transitions() {
    return breaker.journal();
  }

  /**
   * Closes its circuit if that is not closed.
   *
   * @param why for the journal
   * @return whether this call closed it
   */
  public boolean closeCircuit(String why) {
    return breaker.closeByHand(why, engine.ticker().nanoTime());
  }

  /** The windows of its metrics begin now; what is counted since the beginning goes on. */
  public void resetMetrics() {
    metrics.restart(engine.ticker().nanoTime());
  }

  /**
   * A call was refused by something other than its circuit: for the journal, once an interval.
   * Throws nothing.
   */
  public void refused(
      CommandRejectedException.Reason reason, String bulkhead, int inUse, int limit, long now) {
    try {
      Flight.refused(commandKey, reason.name(), bulkhead, inUse, limit);
      extras()
          .trouble
          .refused(
              reason, bulkhead, inUse, limit, now, plan.settings.metrics().healthIntervalNanos());
    } catch (Throwable thrown) { // no memory: it is counted all the same
      failedToSettle(thrown);
    }
  }

  /** The error of a fallback that does not run, for the journal as well; null if it has none. */
  @Nullable CommandRejectedException errorOf(FallbackRefusal refusal) {
    CommandRejectedException error = refusal.error(commandKey, stackTraces);
    if (error != null) {
      refused(
          error.reason(),
          error.bulkhead(),
          error.inUse(),
          error.limit(),
          engine.ticker().nanoTime());
    }
    return error;
  }

  /** The error of a call that a gate after the breaker rejected, for the journal as well. */
  CommandRejectedException errorOf(Plan plan, Rejected rejected, long now) {
    if (rejected instanceof RejectedByRate late) {
      RateGate gate = late.gate();
      refused(CommandRejectedException.Reason.RATE_LIMITER, gate.name(), 0, gate.permits(), now);
      return late.refusal(commandKey, stackTraces);
    }
    BulkheadGate gate = plan.bulkhead;
    RejectedByBulkhead full = (RejectedByBulkhead) rejected;
    if (gate.reason() != CommandRejectedException.Reason.CLOSED) {
      refused(
          gate.reason(),
          gate.name(),
          Permits.inUseOf(full.figures()),
          Permits.limitOf(full.figures()),
          now);
    }
    return gate.refusal(commandKey, full, stackTraces);
  }

  /**
   * A call, or an attempt, timed out: for the journal, once an interval. Throws nothing.
   *
   * @param cause says how long it had, if that is not the command's time-out; may be null
   */
  void timedOut(Plan plan, @Nullable Throwable cause, long executionNanos, long now) {
    boolean begun = executionNanos >= 0;
    try {
      long limit = limitNanos(plan, cause);
      Flight.timedOut(commandKey, limit, executionNanos);
      extras().trouble.timedOut(limit, begun, now, plan.settings.metrics().healthIntervalNanos());
    } catch (Throwable thrown) { // no memory: it is counted all the same
      failedToSettle(thrown);
    }
  }

  private static long limitNanos(Plan plan, @Nullable Throwable cause) {
    return cause instanceof CommandTimeoutException late && late != Errors.BARE_TIMEOUT
        ? late.timeout().toNanos()
        : plan.timeoutNanos;
  }

  void beyondDeadline(Plan plan, long executionNanos, long now) {
    try {
      Flight.beyondDeadline(commandKey, executionNanos);
      extras()
          .trouble
          .beyondDeadline(executionNanos >= 0, now, plan.settings.metrics().healthIntervalNanos());
    } catch (Throwable thrown) { // no memory: it is counted all the same
      failedToSettle(thrown);
    }
  }

  /** The last calls that were refused, timed out, or were beyond their deadline; oldest first. */
  public List<JournalEntry> lastTrouble() {
    CommandExtras present = extras;
    return present == null ? List.of() : present.trouble.last();
  }

  void abandonedRunning() {
    ABANDONED_RUNNING.getAndAdd(this, 1);
  }

  void abandonedStopped(Execution<?, ?> execution) {
    ABANDONED_RUNNING.getAndAdd(this, -1);
    wasBusy(execution);
  }

  void abandoned(Execution<?, ?> execution) {
    ABANDONED.getAndAdd(this, 1L);
    ABANDONED_RUNNING.getAndAdd(this, -1);
    wasBusy(execution);
  }

  /** Its thread may come here before the answer is timed; then it was busy for no time. */
  private void wasBusy(Execution<?, ?> execution) {
    try {
      long sinceStart = engine.ticker().nanoTime() - execution.startNanos;
      Flight.stillBusy(commandKey, Math.max(0, sinceStart - answeredAfter(execution, sinceStart)));
    } catch (Throwable thrown) { // no memory: its permit has to come back
      failedToSettle(thrown);
    }
  }

  private static long answeredAfter(Execution<?, ?> execution, long sinceStart) {
    return execution.isAnswered() ? execution.callerNanos : sinceStart;
  }

  /** Its circuit refuses a call. */
  void shortCircuits() {
    Flight.refused(commandKey, EventType.SHORT_CIRCUITED.name(), commandKey, 0, 0);
  }

  /** Never negative: work that ends at once may be taken off before it is added. */
  int busyAfterAnswer() {
    return Math.max(0, abandonedRunning);
  }

  long abandonedStages() {
    return abandoned;
  }

  /**
   * A trial may be out for as long as a call may take, or for a sleep window if that is longer or
   * there is no time-out.
   */
  private static BreakerRules rules(CommandSettings settings) {
    long sleepNanos = settings.sleepWindowNanos();
    long leaseNanos =
        settings.timeoutEnabled() ? Math.max(sleepNanos, settings.timeoutNanos()) : sleepNanos;
    return new BreakerRules(
        settings.requestVolumeThreshold(),
        settings.errorThresholdPercentage(),
        sleepNanos,
        settings.halfOpenTrials(),
        Math.max(1, leaseNanos));
  }

  // What its breaker reports, on the thread that made the transition.

  @Override
  public void closing() {
    try {
      metrics.restartHealth(engine.ticker().nanoTime());
    } catch (Throwable thrown) { // no memory
      failedToSettle(thrown);
    }
  }

  @Override
  public void changed(Transition transition) {
    try {
      CommandExtras present = extras();
      TransitionOrder order = present.transitionOrder(breaker::journal);
      if (engine.listeners().isEmpty()) {
        engine.journal().transition(commandKey, transition, order, due -> {});
      } else {
        TransitionNotifier notifier = present.transitionNotifier(this::newTransitionNotifier);
        engine.journal().transition(commandKey, transition, order, notifier::add);
        notifier.start();
      }
    } catch (Throwable thrown) { // no memory: the journal still has it
      failedToSettle(thrown);
    }
  }

  private TransitionNotifier newTransitionNotifier() {
    return new TransitionNotifier(commandKey, engine.listeners()::transition, callbacks());
  }
}
