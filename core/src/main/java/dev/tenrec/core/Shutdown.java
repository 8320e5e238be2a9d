// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.archaius.ArchaiusSource;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Ends what one Tenrec has running. In order: no new calls; patience; then every execution that is
 * left is ended, so that no caller waits for ever, and the threads are interrupted; then the
 * threads end, all but those that user code keeps.
 */
final class Shutdown {

  /** As good as for ever, and near enough that a deadline reckoned from it does not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Configuration configuration;
  private final Registry registry;
  private final VirtualStarter virtual;
  private final List<DaemonThreads> threads;
  private final StillRunningReport report;

  /** Taken by the thread that closes first: what is closed is not kept with it. */
  private final AtomicReference<@Nullable ClosingSteps> steps;

  /** Counted down by the thread that closes first, awaited by those that close as well. */
  private final CountDownLatch closed = new CountDownLatch(1);

  Shutdown(
      Engine engine,
      Configuration configuration,
      @Nullable ArchaiusSource ownSource,
      Registry registry,
      VirtualStarter virtual,
      List<DaemonThreads> threads) {
    this.configuration = configuration;
    this.registry = registry;
    this.virtual = virtual;
    this.threads = threads;
    this.report = new StillRunningReport(engine, registry, virtual);
    this.steps =
        new AtomicReference<>(
            new ClosingSteps(engine, configuration, ownSource, registry, virtual, threads, report));
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
      left = Objects.requireNonNull(steps.getAndSet(null)).run(patienceNanos);
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

  private static Duration reckonable(Duration patience) {
    if (patience.isNegative()) {
      return Duration.ZERO;
    }
    return patience.compareTo(LONGEST) > 0 ? LONGEST : patience;
  }
}
