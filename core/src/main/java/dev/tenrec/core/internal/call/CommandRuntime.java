// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.TransitionListener;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.PreparedChange;
import dev.tenrec.core.internal.gate.BreakerGate;
import dev.tenrec.core.internal.gate.Bulkheads;
import dev.tenrec.core.internal.gate.FallbackGate;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.listening.TransitionNotifier;
import dev.tenrec.core.internal.sampling.Samplers;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.view.CommandView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What everything built for one command key shares: its breaker, its metrics, its permits, and the
 * plan that its present settings make. Thread-safe.
 */
public final class CommandRuntime {

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

  /** Made by the first caller that waits; two made at once are as good as one. */
  private volatile @Nullable SpinThenPark briefWait;

  /**
   * Work and fallbacks still busy although their execution was answered. Raised by the thread that
   * claims the ending; lowered by the thread that ends the work or the fallback, or by the timer's
   * thread for an abandoned stage. Ordered by atomic adds.
   */
  private volatile int abandonedRunning;

  /** Stages that lost their permit because they did not end. Raised by the timer, read by views. */
  private volatile long abandoned;

  /**
   * Written by the thread that brings new settings or closes, one at a time; read once by each
   * call.
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

  /** Made by the first transition. Written and read under this object's lock. */
  private @Nullable TransitionNotifier transitionTeller;

  /** Made by the first call of {@link #samplers}. Written and read under this object's lock. */
  private @Nullable Samplers samplers;

  /**
   * Makes what a command key stands for.
   *
   * @param commandKey the key
   * @param group the group it belongs to
   * @param engine what its Tenrec's commands share
   * @param bulkheads what can bound it
   * @param settings its settings now
   * @param stackTraces whether Tenrec's own exceptions get one
   */
  public CommandRuntime(
      String commandKey,
      String group,
      Engine engine,
      Bulkheads bulkheads,
      CommandSettings settings,
      boolean stackTraces) {
    this.commandKey = commandKey;
    this.group = group;
    this.engine = engine;
    this.bulkheads = bulkheads;
    this.stackTraces = stackTraces;
    long now = engine.ticker().nanoTime();
    this.metrics = new CommandMetrics(settings.metrics(), now, bulkheads::takeMaximum);
    this.breaker =
        new CircuitBreaker(
            commandKey, rules(settings), now, InstantSource.system(), new Transitions());
    this.recorder = new OutcomeRecorder(this);
    this.breakerGate = new BreakerGate(commandKey, breaker, metrics, recorder);
    this.fallbackGate = new FallbackGate(settings.fallbackMaxConcurrent());
    this.plan = bulkheads.plan(settings);
  }

  /**
   * Makes what other settings need. What cannot be made is thrown here, before anything of them is
   * seen; once they are applied, every call that begins from then on goes by them.
   */
  public PreparedChange prepare(CommandSettings settings) {
    if (closed) {
      return () -> plan = bulkheads.closed(settings);
    }
    Plan next = bulkheads.plan(settings);
    BreakerRules nextRules = rules(settings);
    return () -> apply(settings, next, nextRules);
  }

  private void apply(CommandSettings settings, Plan next, BreakerRules nextRules) {
    if (closed) {
      plan = bulkheads.closed(settings);
      return;
    }
    metrics.reconfigure(settings.metrics(), engine.ticker().nanoTime());
    breaker.rules(nextRules);
    fallbackGate.resize(settings.fallbackMaxConcurrent());
    bulkheads.resize(settings);
    if (plan.breakerMode == Plan.BreakerMode.DISABLED
        && next.breakerMode != Plan.BreakerMode.DISABLED) {
      // what happened while the breaker was disabled is not held against it
      metrics.restartHealth(engine.ticker().nanoTime());
    }
    plan = next;
  }

  /** The key was removed, or its Tenrec closed: every call that begins from now on is rejected. */
  public void close() {
    Samplers listenedTo;
    synchronized (this) {
      closed = true;
      listenedTo = samplers;
    }
    plan = bulkheads.closed(plan.settings);
    bulkheads.shut(); // for calls that have read the plan of before, and are not at its gate yet
    if (listenedTo != null) {
      listenedTo.end();
    }
  }

  /** The threads its users' code has beside those of its calls. */
  public CallbackShare callbacks() {
    CallbackShare present = callbacks;
    return present != null ? present : makeCallbacks();
  }

  private synchronized CallbackShare makeCallbacks() {
    CallbackShare present = callbacks;
    if (present == null) {
      callbacks = present = engine.callbacks().newShare(commandKey);
    }
    return present;
  }

  private synchronized TransitionNotifier transitionTeller() {
    TransitionNotifier present = transitionTeller;
    if (present == null) {
      present = new TransitionNotifier(commandKey, engine.listeners()::transition, callbacks());
      transitionTeller = present;
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

  boolean isClosed() {
    return closed;
  }

  SpinThenPark briefWait(long nowNanos) {
    SpinThenPark present = briefWait;
    if (present == null) {
      briefWait = present = new SpinThenPark(nowNanos);
    }
    return present;
  }

  public Plan plan() {
    return plan;
  }

  /** Whether giving up a call from outside may interrupt its thread. */
  public boolean interruptsOnCancel() {
    return plan.settings.interruptOnFutureCancel();
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
    return Math.max(0, bulkheads.inUseOnCallers(plan.settings) - engine.stages().running(this));
  }

  /** The command's key. */
  public String key() {
    return commandKey;
  }

  /** The settings that calls which begin now go by. */
  public CommandSettings settings() {
    return plan.settings;
  }

  /** Its counts, latencies and circuit, live. */
  public CommandView view() {
    return new LiveCommandView(this);
  }

  /** Reads its view every so often, until it is closed. */
  public synchronized Samplers samplers() {
    if (samplers == null) {
      samplers = new Samplers(engine.ticker(), engine.timer(), callbacks());
      if (closed) {
        samplers.end();
      }
    }
    return samplers;
  }

  /** The last transitions of its circuit, oldest first. */
  public List<Transition> transitions() {
    return breaker.journal();
  }

  void abandonedRunning() {
    ABANDONED_RUNNING.getAndAdd(this, 1);
  }

  void abandonedStopped() {
    ABANDONED_RUNNING.getAndAdd(this, -1);
  }

  void abandoned() {
    ABANDONED.getAndAdd(this, 1L);
    ABANDONED_RUNNING.getAndAdd(this, -1);
  }

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

  private final class Transitions implements TransitionListener {

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
        transitionTeller().tell(transition);
      } catch (Throwable thrown) { // no memory: the journal still has it
        failedToSettle(thrown);
      }
    }
  }
}
