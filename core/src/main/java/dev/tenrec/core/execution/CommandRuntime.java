// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.CircuitBreaker;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionListener;
import dev.tenrec.core.config.CommandSettings;
import dev.tenrec.core.sampling.Samplers;
import dev.tenrec.metrics.CommandMetrics;
import dev.tenrec.metrics.view.CommandView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What everything built for one command key shares: its breaker, its metrics, its permits, and the
 * plan that its present settings make. Thread-safe.
 */
public final class CommandRuntime {

  private static final Logger LOG = LoggerFactory.getLogger(CommandRuntime.class);

  private static final VarHandle FORSAKEN;
  private static final VarHandle ABANDONED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FORSAKEN = lookup.findVarHandle(CommandRuntime.class, "forsaken", int.class);
      ABANDONED = lookup.findVarHandle(CommandRuntime.class, "abandoned", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Engine engine;
  final String commandKey;
  final String group;
  final boolean stackTraces;
  final CommandMetrics metrics;
  final CircuitBreaker breaker;
  final BreakerGate breakerGate;
  final FallbackGate fallbackGate;
  final OutcomeRecorder recorder;
  final Bulkheads bulkheads;

  /** Made by the first caller that waits; two made at once are as good as one. */
  private volatile @Nullable BriefWait briefWait;

  /**
   * Work still busy although its execution was answered. Raised by who answered, lowered by the
   * work's end.
   */
  private volatile int forsaken;

  /** Stages that lost their permit because they did not end. Raised by the timer, read by views. */
  private volatile long abandoned;

  /** Written by whoever brings new settings (one at a time), read once by each call. */
  private volatile Plan plan;

  /**
   * Written under this one's lock by whoever closes; read by whoever brings new settings, one of
   * either at a time, under the lock by {@link #samplers}, and at any time by who asks for a look.
   */
  private volatile boolean closed;

  /** Made by the first who asks for it. Written and read under this one's lock. */
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

  /** The settings have changed: every call that begins from now on goes by the new ones. */
  public void settings(CommandSettings settings) {
    if (closed) {
      return;
    }
    Plan next = bulkheads.plan(settings); // first: it may be refused, and then nothing has changed
    metrics.reconfigure(settings.metrics(), engine.ticker().nanoTime());
    breaker.rules(rules(settings));
    fallbackGate.resize(settings.fallbackMaxConcurrent());
    if (plan.breakerMode == Plan.BreakerMode.DISABLED
        && next.breakerMode != Plan.BreakerMode.DISABLED) {
      // what happened while nobody looked is not held against it
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
    if (listenedTo != null) {
      listenedTo.end();
    }
  }

  boolean isClosed() {
    return closed;
  }

  BriefWait briefWait(long nowNanos) {
    BriefWait present = briefWait;
    if (present == null) {
      briefWait = present = new BriefWait(nowNanos);
    }
    return present;
  }

  Plan plan() {
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

  /** The pool it runs on, if its strategy is to run on one. */
  public String poolKey() {
    return bulkheads.poolKey(plan.settings);
  }

  /** Whether that is this one. */
  public boolean usesPool(String poolKey) {
    return poolKey.equals(poolKey());
  }

  /** Its counts, latencies and circuit, live. */
  public CommandView view() {
    return new LiveCommandView(this);
  }

  /** Reads its view every so often, until it is closed. */
  public synchronized Samplers samplers() {
    if (samplers == null) {
      samplers = new Samplers(engine.ticker(), engine.timer(), engine.callbacks());
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

  void forsaken() {
    FORSAKEN.getAndAdd(this, 1);
  }

  void forsakenStopped() {
    FORSAKEN.getAndAdd(this, -1);
  }

  void abandoned() {
    ABANDONED.getAndAdd(this, 1L);
    FORSAKEN.getAndAdd(this, -1);
  }

  int busyAfterAnswer() {
    return Math.max(0, forsaken);
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
      metrics.restartHealth(engine.ticker().nanoTime());
    }

    @Override
    public void changed(Transition transition) {
      LOG.info(
          "{}: circuit {} -> {}: {}",
          commandKey,
          transition.from(),
          transition.to(),
          transition.explanation());
      engine.listeners().transition(commandKey, transition);
    }
  }
}
