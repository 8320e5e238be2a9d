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
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends what one Tenrec has running. In order: no new calls; patience; then every execution that is
 * left is ended, so that no caller waits for ever, and the threads are interrupted; then the
 * threads end, all but those that user code keeps.
 */
final class Shutdown {

  /** As good as for ever, and near enough that a deadline reckoned from it does not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  /** How long interrupted user code may take to end. */
  private static final long LAST_NANOS = Duration.ofMillis(500).toNanos();

  /** How often closing looks whether calls that are about to be answered have been. */
  private static final long STEP_NANOS = 200_000;

  private final Engine engine;
  private final Configuration configuration;
  private final @Nullable ArchaiusSource ownSource;
  private final Registry registry;
  private final VirtualStarter virtual;
  private final List<DaemonThreads> threads;
  private final RetriedSteps steps;
  private final StillRunningReport report;

  /** Made now: closing may have no memory for it. */
  private final BooleanSupplier allClosed;

  /** Counted down by the thread that closes first, awaited by those that close as well. */
  private final CountDownLatch closed = new CountDownLatch(1);

  Shutdown(
      Engine engine,
      Configuration configuration,
      @Nullable ArchaiusSource ownSource,
      Registry registry,
      VirtualStarter virtual,
      List<DaemonThreads> threads) {
    this.engine = engine;
    this.configuration = configuration;
    this.ownSource = ownSource;
    this.registry = registry;
    this.allClosed =
        () -> {
          registry.closeAll();
          return true;
        };
    this.virtual = virtual;
    this.threads = threads;
    this.steps = new RetriedSteps(engine.ticker(), engine.waiter(), engine.failures());
    this.report = new StillRunningReport(engine, registry, virtual);
  }

  Configuration configuration() {
    return configuration;
  }

  int liveThreads() {
    int live = virtual.live();
    for (DaemonThreads made : threads) {
      live += made.live();
    }
    for (PoolRuntime pool : registry.poolsAndRetired()) {
      live += pool.threads().live();
    }
    return live;
  }

  List<StillRunning> close(Duration patience) {
    long patienceNanos = reckonable(patience).toNanos();
    if (!registry.close()) {
      awaitOtherClose();
      return List.of();
    }
    List<StillRunning> left;
    try {
      steps.insist(allClosed);
      left = closeFirst(engine.ticker().nanoTime() + patienceNanos);
    } finally {
      closed.countDown();
    }
    report.logApart(left);
    return left;
  }

  /** Another thread closes: this one returns when that is done, or it is interrupted. */
  private void awaitOtherClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<StillRunning> closeFirst(long deadline) {
    Collection<PoolRuntime> pools = registry.poolsAndRetired();
    configuration.freeze(); // what is closing keeps its sizes
    engine.closing().await(() -> !registry.hasCallsInFlight(), deadline);
    engine.callbacks().awaitQuiet(deadline); // fallbacks of calls that timed out, for one
    pools.forEach(this::end);
    steps.endEach(steps.listed(virtual::close), Task::closed);
    AtomicReference<@Nullable ClosedTimeouts> held = new AtomicReference<>();
    BooleanSupplier endHeld = () -> end(held); // made now: there may be no memory for it later
    ClosedTimeouts timeouts = engine.timer().close();
    held.set(timeouts);
    List<Execution<?, ?>> stages = steps.listed(engine.stages()::close);
    List<Execution<?, ?>> known =
        steps.listed(
            () -> {
              List<Execution<?, ?>> both = new ArrayList<>(stages);
              both.addAll(executionsIn(timeouts));
              return both;
            });
    List<Execution<?, ?>> cancelled = // their cancellers will run: they may end yet
        steps.listed(() -> known.stream().filter(Execution::isAtWorkOnCaller).toList());
    steps.insist(endHeld);
    steps.endEach(stages, Execution::closed);
    long now = engine.ticker().nanoTime();
    long last = now + Math.max(deadline - now, 0) + LAST_NANOS;
    pools.forEach(pool -> pool.workers().awaitQuiet(last));
    engine.closing().await(() -> virtual.running().isEmpty(), last);
    endUndecided(pools, known);
    List<CallbackExecutor.Stuck> stuckCallbacks = engine.callbacks().close(deadline, last);
    engine.closing().await(() -> cancelled.stream().allMatch(Execution::hasLeft), last);
    leave(configuration::close);
    if (ownSource != null) {
      leave(ownSource::close);
    }
    // user code may have used up its time; what is left to end here needs an instant of its own
    long end = engine.ticker().nanoTime() + LAST_NANOS;
    if (stuckCallbacks.isEmpty()) {
      threads.forEach(made -> made.awaitNone(end));
    }
    pools.stream()
        .filter(pool -> pool.workers().stuck().isEmpty())
        .forEach(pool -> pool.threads().awaitNone(end));
    return report.read(pools, stuckCallbacks);
  }

  /** The source may be the user's: what it throws keeps nothing else from being closed. */
  private void leave(Runnable source) {
    try {
      source.run();
    } catch (Throwable thrown) {
      engine.failures().failed("closing could not leave the source of settings", thrown);
    }
  }

  /**
   * Ends what has done its work and is held up by user code that judges the result. The first
   * {@code abort} has left it to the thread that is there. That may have decided by now, and be in
   * user code again, such as a predicate that is asked whether another attempt follows.
   */
  private void endUndecided(Collection<PoolRuntime> pools, List<Execution<?, ?>> known) {
    List<Execution<?, ?>> left = new ArrayList<>(known);
    for (PoolRuntime pool : pools) {
      left.addAll(executionsIn(tasks(pool)));
    }
    left.addAll(executionsIn(virtual.running()));
    List<Execution<?, ?>> undecided = new ArrayList<>(left);
    undecided.removeIf(each -> !each.isUndecided());
    awaitDecisions(undecided);
    steps.endEach(undecided, each -> each.abortUndecided(Errors.closed(each.commandKey())));
    left.removeIf(each -> each.whole().isAnswered());
    steps.endEach(left, Execution::closed);
  }

  private boolean end(AtomicReference<@Nullable ClosedTimeouts> held) {
    return Objects.requireNonNull(held.get()).end(engine.failures());
  }

  /** A thread that decides wakes this one. */
  private void awaitDecisions(List<Execution<?, ?>> undecided) {
    long now = engine.ticker().nanoTime();
    long last = now + LAST_NANOS;
    BooleanSupplier allDecided = () -> undecided.stream().noneMatch(Execution::isUndecided);
    while (!allDecided.getAsBoolean()
        && now - last < 0
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

  /** What the threads of the pool are at. */
  private static List<Task> tasks(PoolRuntime pool) {
    return pool.workers().stuck().stream().map(BusyThread::task).toList();
  }

  private static Duration reckonable(Duration patience) {
    if (patience.isNegative()) {
      return Duration.ZERO;
    }
    return patience.compareTo(LONGEST) > 0 ? LONGEST : patience;
  }

  private void end(PoolRuntime pool) {
    WorkerPool workers = pool.workers();
    steps.endEach(steps.listed(workers::shutdown), Task::closed);
    steps.endEach(steps.listed(() -> tasks(pool)), Task::closed);
    if (!workers.stuck().isEmpty()) { // those, too, that were answered long ago
      interruptApart(pool.key(), workers);
    }
  }

  /** On another thread, for an interrupt may wait. */
  private void interruptApart(String key, WorkerPool workers) {
    try {
      engine.callbacks().newShare(key).execute(CallbackTask.of(workers::interruptAll));
    } catch (Throwable thrown) { // no memory: all else is to be ended still
      workers.interruptAll();
    }
  }
}
