// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.collapser.Batch;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.isolation.BusyThread;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.isolation.Task;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.timeout.ClosedTimeout;
import dev.tenrec.core.internal.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what one Tenrec has running. In order: no new calls; patience; then every execution that is
 * left is ended, so that no caller waits for ever, and the threads are interrupted; then the
 * threads end, all but those that user code keeps.
 */
final class Shutdown {

  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  /** As good as for ever, and near enough that a deadline reckoned from it does not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  /** How long interrupted user code may take to end. */
  private static final long LAST_NANOS = Duration.ofMillis(500).toNanos();

  private final Engine engine;
  private final Configuration configuration;
  private final @Nullable ArchaiusSource ownSource;
  private final Registry registry;
  private final VirtualStarter virtual;
  private final List<DaemonThreads> threads;

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
    this.virtual = virtual;
    this.threads = threads;
  }

  Configuration configuration() {
    return configuration;
  }

  int liveThreads() {
    int live = virtual.live();
    for (DaemonThreads made : threads) {
      live += made.live();
    }
    for (Registry.Pool pool : registry.poolsAndRetired()) {
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
    try {
      return closeFirst(engine.ticker().nanoTime() + patienceNanos);
    } finally {
      closed.countDown();
    }
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
    Collection<Registry.Pool> pools = registry.poolsAndRetired();
    configuration.close(); // what is closing keeps its sizes
    engine.closing().await(() -> !registry.hasCallsInFlight(), deadline);
    engine.callbacks().awaitQuiet(deadline); // fallbacks of calls that timed out, for one
    pools.forEach(pool -> end(pool.runtime().workers()));
    virtual.close().forEach(Shutdown::end);
    List<Timeout> timeouts = engine.timer().close();
    timeouts.forEach(Shutdown::endTimeout);
    List<Execution<?, ?>> stages = engine.stages().close();
    stages.forEach(Shutdown::end);
    List<Execution<?, ?>> cancelled = cancelledOnCallers(timeouts, stages);
    long last = Math.max(deadline, engine.ticker().nanoTime()) + LAST_NANOS;
    pools.forEach(pool -> pool.runtime().workers().awaitQuiet(last));
    engine.closing().await(() -> virtual.running().isEmpty(), last);
    List<CallbackExecutor.Stuck> stuckCallbacks = engine.callbacks().close(deadline, last);
    engine.closing().await(() -> cancelled.stream().allMatch(Execution::hasStopped), last);
    if (ownSource != null) {
      ownSource.close();
    }
    // user code may have used up its time; what is left to end here needs an instant of its own
    long end = engine.ticker().nanoTime() + LAST_NANOS;
    if (stuckCallbacks.isEmpty()) {
      threads.forEach(made -> made.awaitNone(end));
    }
    pools.stream()
        .filter(pool -> pool.runtime().workers().stuck().isEmpty())
        .forEach(pool -> pool.threads().awaitNone(end));
    return stillRunning(pools, stuckCallbacks);
  }

  /** Work on its caller's own thread whose cancellers run: it may end yet. */
  private static List<Execution<?, ?>> cancelledOnCallers(
      List<Timeout> timeouts, List<Execution<?, ?>> stages) {
    List<Execution<?, ?>> cancelled = new ArrayList<>();
    for (Timeout timeout : timeouts) {
      if (timeout instanceof Execution<?, ?> execution && execution.isAtWorkOnCaller()) {
        cancelled.add(execution);
      }
    }
    for (Execution<?, ?> execution : stages) {
      if (execution.isAtWorkOnCaller()) {
        cancelled.add(execution);
      }
    }
    return cancelled;
  }

  private static Duration reckonable(Duration patience) {
    if (patience.isNegative()) {
      return Duration.ZERO;
    }
    return patience.compareTo(LONGEST) > 0 ? LONGEST : patience;
  }

  private static void end(WorkerPool workers) {
    for (Task waiting : workers.shutdown()) {
      if (waiting instanceof Execution<?, ?> execution) {
        end(execution);
      }
    }
    for (BusyThread busy : workers.stuck()) {
      if (busy.task() instanceof Execution<?, ?> execution) {
        end(execution);
      }
    }
    workers.interruptAll(); // those, too, that were answered long ago
  }

  private static void endTimeout(Timeout timeout) {
    if (timeout instanceof Execution<?, ?> execution) {
      end(execution);
    } else if (timeout instanceof Batch<?, ?> batch) {
      batch.cancel("its Tenrec was closed");
    } else if (timeout instanceof ClosedTimeout watch) {
      watch.closed();
    }
  }

  private static void end(Launchable execution) {
    boolean unused =
        execution.abort(
            new CancellationException(
                execution.commandKey() + " was cancelled: its Tenrec was closed"));
  }

  private List<StillRunning> stillRunning(
      Collection<Registry.Pool> pools, List<CallbackExecutor.Stuck> stuckCallbacks) {
    long now = engine.ticker().nanoTime();
    List<StillRunning> left = new ArrayList<>();
    for (Registry.Pool pool : pools) {
      for (BusyThread busy : pool.runtime().workers().stuck()) {
        left.add(ours(busy.thread().getName(), busy.task().toString(), now - busy.sinceNanos()));
      }
    }
    for (Launchable execution : virtual.running()) {
      left.add(ours("virtual", execution.commandKey(), execution.age(now).toNanos()));
    }
    for (CallbackExecutor.Stuck stuck : stuckCallbacks) {
      left.add(ours(stuck.thread(), stuck.name(), now - stuck.sinceNanos()));
    }
    for (CommandRuntime runtime : registry.withCallsInFlight()) {
      int calls = runtime.inFlightOnCallers();
      if (calls > 0) {
        left.add(new StillRunning(StillRunning.CALLERS, runtime.key(), calls, null));
      }
    }
    left.forEach(Shutdown::log);
    return List.copyOf(left);
  }

  private static StillRunning ours(String thread, String commandKey, long nanos) {
    return new StillRunning(thread, commandKey, 1, Duration.ofNanos(nanos));
  }

  private static void log(StillRunning one) {
    try {
      if (one.age() == null) {
        LOG.warn(
            "closed, but {} calls of {} are still at their work on their callers' threads",
            one.calls(),
            one.commandKey());
      } else {
        LOG.warn(
            "closed, but {} is still at the work of {} after {}; it was interrupted",
            one.thread(),
            one.commandKey(),
            one.age());
      }
    } catch (Throwable loggers) { // the caller of close gets the list nevertheless
      return;
    }
  }
}
