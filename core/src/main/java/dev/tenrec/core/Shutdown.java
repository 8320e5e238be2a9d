// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.collapser.Batch;
import dev.tenrec.core.config.Configuration;
import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.execution.Engine;
import dev.tenrec.core.execution.Execution;
import dev.tenrec.core.execution.HandOver;
import dev.tenrec.core.execution.VirtualStarter;
import dev.tenrec.core.isolation.BusyThread;
import dev.tenrec.core.isolation.DaemonThreads;
import dev.tenrec.core.isolation.Task;
import dev.tenrec.core.isolation.WorkerPool;
import dev.tenrec.core.sampling.Errand;
import dev.tenrec.core.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
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
    int live = virtual.running().size();
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
      return List.of();
    }
    long deadline = engine.ticker().nanoTime() + patienceNanos;
    Collection<Registry.Pool> pools = registry.poolsAndRetired();
    configuration.close(); // what is closing keeps its sizes
    engine.closing().await(() -> !registry.hasCallsInFlight(), deadline);
    pools.forEach(pool -> end(pool.runtime().workers()));
    virtual.close().forEach(Shutdown::end);
    engine.timer().close().forEach(Shutdown::endTimeout);
    engine.stages().close().forEach(Shutdown::end);
    long last = Math.max(deadline, engine.ticker().nanoTime()) + LAST_NANOS;
    pools.forEach(pool -> pool.runtime().workers().awaitQuiet(last));
    engine.closing().await(() -> virtual.running().isEmpty(), last);
    for (Runnable left : engine.callbacks().close(last)) {
      if (left instanceof HandOver handOver) {
        handOver.bare().run();
      } else if (left instanceof Errand errand) {
        errand.run(); // a stream of metrics that has not told its end
      }
    }
    Set<HandOver> stuckCallbacks = engine.handedOver().tasks();
    stuckCallbacks.forEach(Shutdown::end);
    if (ownSource != null) {
      ownSource.close();
    }
    // user code may have used up its time; what is left to end here needs an instant of its own
    long end = engine.ticker().nanoTime() + LAST_NANOS;
    threads.forEach(made -> made.awaitNone(end));
    pools.stream()
        .filter(pool -> pool.runtime().workers().stuck().isEmpty())
        .forEach(pool -> pool.threads().awaitNone(end));
    return stillRunning(pools, stuckCallbacks);
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

  private static void end(HandOver callback) {
    Execution<?, ?> execution = callback.execution();
    if (execution != null) {
      end(execution);
    }
  }

  private static void endTimeout(Timeout timeout) {
    if (timeout instanceof Execution<?, ?> execution) {
      end(execution);
    } else if (timeout instanceof Batch<?, ?> batch) {
      batch.cancel("its Tenrec was closed");
    }
  }

  private static void end(Execution<?, ?> execution) {
    boolean unused =
        execution.abort(
            new CancellationException(
                execution.commandKey() + " was cancelled: its Tenrec was closed"));
  }

  private List<StillRunning> stillRunning(
      Collection<Registry.Pool> pools, Set<HandOver> stuckCallbacks) {
    long now = engine.ticker().nanoTime();
    List<StillRunning> left = new ArrayList<>();
    for (Registry.Pool pool : pools) {
      for (BusyThread busy : pool.runtime().workers().stuck()) {
        left.add(
            new StillRunning(
                busy.thread().getName(),
                busy.task().toString(),
                Duration.ofNanos(now - busy.sinceNanos())));
      }
    }
    for (Execution<?, ?> execution : virtual.running()) {
      left.add(new StillRunning("virtual", execution.commandKey(), execution.age(now)));
    }
    for (HandOver callback : stuckCallbacks) {
      Execution<?, ?> execution = callback.execution();
      if (execution != null && engine.handedOver().tasks().contains(callback)) {
        left.add(
            new StillRunning(callback.threadName(), execution.commandKey(), execution.age(now)));
      }
    }
    for (StillRunning one : left) {
      LOG.warn(
          "closed, but {} is still at the work of {} after {}; it was interrupted",
          one.thread(),
          one.commandKey(),
          one.age());
    }
    return List.copyOf(left);
  }
}
