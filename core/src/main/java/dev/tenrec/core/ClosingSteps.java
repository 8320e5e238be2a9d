// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.isolation.BusyThread;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.isolation.Task;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.timeout.ClosedTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What closing does, step after step. Each step may find no memory: then it is tried again from its
 * beginning, and if there is none in the end, the next one is. So a step loses nothing that it has
 * taken, and the steps are made with their Tenrec: closing may have no memory for them. By the
 * thread that closes first, once.
 */
final class ClosingSteps {

  /** How long interrupted user code may take to end. */
  private static final long LAST_NANOS = Duration.ofMillis(500).toNanos();

  /** How often closing looks whether calls that are about to be answered have been. */
  private static final long STEP_NANOS = 200_000;

  private static final Consumer<Task> END_TASK = Task::closed;
  private static final Consumer<Execution<?, ?>> END_EXECUTION = Execution::closed;

  private final Engine engine;
  private final Configuration configuration;
  private final @Nullable ArchaiusSource ownSource;
  private final Registry registry;
  private final VirtualStarter virtual;
  private final List<DaemonThreads> threads;
  private final RetriedSteps steps;
  private final StillRunningReport report;

  private final BooleanSupplier[] inOrder = {
    this::closeRegistry,
    this::takePools,
    this::freeze,
    this::awaitCalls,
    this::awaitCallbacks,
    this::endPools,
    this::endVirtual,
    this::takeTimeouts,
    this::takeStages,
    this::takeKnown,
    this::takeCancelled,
    this::endTimeouts,
    this::endStages,
    this::awaitPools,
    this::awaitVirtual,
    this::endUndecided,
    this::endCallbacks,
    this::awaitCancelled,
    this::leaveSources,
    this::awaitThreads,
    this::takeLeft
  };

  private final Consumer<PoolRuntime> endPool = this::end;
  private final Consumer<PoolRuntime> awaitPool = this::awaitQuiet;

  private long patienceNanos;

  /** When patience is over. */
  private long deadline;

  /** When what was interrupted is to have ended. */
  private long last;

  private Collection<PoolRuntime> pools = List.of();
  private @Nullable ClosedTimeouts timeouts;
  private List<Execution<?, ?>> stages = List.of();

  /** What the stages and the timer knew. */
  private List<Execution<?, ?>> known = List.of();

  /** Those of them whose cancellers run: they may end yet. */
  private List<Execution<?, ?>> cancelled = List.of();

  private List<CallbackExecutor.Stuck> stuckCallbacks = List.of();
  private List<StillRunning> left = List.of();

  ClosingSteps(
      Engine engine,
      Configuration configuration,
      @Nullable ArchaiusSource ownSource,
      Registry registry,
      VirtualStarter virtual,
      List<DaemonThreads> threads,
      StillRunningReport report) {
    this.engine = engine;
    this.configuration = configuration;
    this.ownSource = ownSource;
    this.registry = registry;
    this.virtual = virtual;
    this.threads = threads;
    this.steps = new RetriedSteps(engine.ticker(), engine.waiter(), engine.failures());
    this.report = report;
  }

  /** Closes, and returns what user code keeps running. */
  List<StillRunning> run(long patience) {
    patienceNanos = patience;
    for (BooleanSupplier step : inOrder) {
      steps.insist(step);
    }
    return left;
  }

  private boolean closeRegistry() {
    registry.closeAll();
    return true;
  }

  private boolean takePools() {
    pools = registry.poolsAndRetired();
    return true;
  }

  /** What is closing keeps its sizes. */
  private boolean freeze() {
    deadline = engine.ticker().nanoTime() + patienceNanos;
    configuration.freeze();
    return true;
  }

  private boolean awaitCalls() {
    engine.closing().await(() -> !registry.hasCallsInFlight(), deadline);
    return true;
  }

  /** Fallbacks of calls that timed out, for one. */
  private boolean awaitCallbacks() {
    engine.callbacks().awaitQuiet(deadline);
    return true;
  }

  private boolean endPools() {
    steps.endEach(pools, endPool);
    return true;
  }

  private void end(PoolRuntime pool) {
    WorkerPool workers = pool.workers();
    steps.endEach(workers.shutdown(), END_TASK);
    steps.endEach(tasks(pool), END_TASK);
    if (!workers.stuck().isEmpty()) { // those, too, that were answered long ago
      interruptApart(pool.key(), workers);
    }
  }

  /** What the threads of the pool are at. */
  private static List<Task> tasks(PoolRuntime pool) {
    return pool.workers().stuck().stream().map(BusyThread::task).toList();
  }

  /** On another thread, for an interrupt may wait. */
  private void interruptApart(String key, WorkerPool workers) {
    try {
      engine.callbacks().newShare(key).execute(CallbackTask.of(workers::interruptAll));
    } catch (Throwable thrown) { // no memory: all else is to be ended still
      workers.interruptAll();
    }
  }

  private boolean endVirtual() {
    steps.endEach(virtual.close(), END_TASK);
    return true;
  }

  private boolean takeTimeouts() {
    timeouts = engine.timer().close();
    return true;
  }

  private boolean takeStages() {
    stages = engine.stages().close();
    return true;
  }

  private boolean takeKnown() {
    List<Execution<?, ?>> both = new ArrayList<>(stages);
    if (timeouts != null) {
      both.addAll(executionsIn(timeouts));
    }
    known = both;
    return true;
  }

  private boolean takeCancelled() {
    cancelled = known.stream().filter(Execution::isAtWorkOnCaller).toList();
    return true;
  }

  private boolean endTimeouts() {
    return timeouts == null || timeouts.end(engine.failures());
  }

  private boolean endStages() {
    steps.endEach(stages, END_EXECUTION);
    long now = engine.ticker().nanoTime();
    last = now + Math.max(deadline - now, 0) + LAST_NANOS;
    return true;
  }

  private boolean awaitPools() {
    steps.endEach(pools, awaitPool);
    return true;
  }

  private void awaitQuiet(PoolRuntime pool) {
    boolean unused = pool.workers().awaitQuiet(last);
  }

  private boolean awaitVirtual() {
    engine.closing().await(() -> virtual.running().isEmpty(), last);
    return true;
  }

  /**
   * Ends what has done its work and is held up by user code that judges the result. The first
   * {@code abort} has left it to the thread that is there. That may have decided by now, and be in
   * user code again, such as a predicate that is asked whether another attempt follows.
   */
  private boolean endUndecided() {
    List<Execution<?, ?>> undone = new ArrayList<>(known);
    for (PoolRuntime pool : pools) {
      undone.addAll(executionsIn(tasks(pool)));
    }
    undone.addAll(executionsIn(virtual.running()));
    List<Execution<?, ?>> undecided = new ArrayList<>(undone);
    undecided.removeIf(each -> !each.isUndecided());
    awaitDecisions(undecided);
    steps.endEach(undecided, each -> each.abortUndecided(Errors.closed(each.commandKey())));
    undone.removeIf(each -> each.whole().isAnswered());
    steps.endEach(undone, END_EXECUTION);
    return true;
  }

  /** A thread that decides wakes this one. */
  private void awaitDecisions(List<Execution<?, ?>> undecided) {
    long now = engine.ticker().nanoTime();
    long latest = now + LAST_NANOS;
    BooleanSupplier allDecided = () -> undecided.stream().noneMatch(Execution::isUndecided);
    while (!allDecided.getAsBoolean()
        && now - latest < 0
        && !Thread.currentThread().isInterrupted()) {
      engine.closing().await(allDecided, now + STEP_NANOS);
      now = engine.ticker().nanoTime();
    }
  }

  /** Those of them that are calls: the timer, pools and starters have other nodes as well. */
  private static List<Execution<?, ?>> executionsIn(Iterable<?> some) {
    List<Execution<?, ?>> executions = new ArrayList<>();
    for (Object one : some) {
      if (one instanceof Execution<?, ?> execution) {
        executions.add(execution);
      }
    }
    return executions;
  }

  private boolean endCallbacks() {
    stuckCallbacks = engine.callbacks().close(deadline, last);
    return true;
  }

  private boolean awaitCancelled() {
    engine.closing().await(() -> cancelled.stream().allMatch(Execution::hasLeft), last);
    return true;
  }

  private boolean leaveSources() {
    leave(configuration::close);
    if (ownSource != null) {
      leave(ownSource::close);
    }
    return true;
  }

  /** The source may be the user's: what it throws keeps nothing else from being closed. */
  private void leave(Runnable source) {
    try {
      source.run();
    } catch (Throwable thrown) {
      engine.failures().failed("closing could not leave the source of settings", thrown);
    }
  }

  /** User code may have used up its time; what is left to end here needs an instant of its own. */
  private boolean awaitThreads() {
    long end = engine.ticker().nanoTime() + LAST_NANOS;
    if (stuckCallbacks.isEmpty()) {
      threads.forEach(made -> made.awaitNone(end));
    }
    pools.stream()
        .filter(pool -> pool.workers().stuck().isEmpty())
        .forEach(pool -> pool.threads().awaitNone(end));
    return true;
  }

  private boolean takeLeft() {
    left = report.read(pools, stuckCallbacks);
    return true;
  }
}
