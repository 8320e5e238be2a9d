// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import com.sun.management.OperatingSystemMXBean;
import dev.tenrec.core.Command;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What the provider knows of itself. All but sizes has been counted since it began. */
final class ProviderFigures {

  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Provider provider;
  private final RunClock clock = new RunClock();
  private final RunQueue runQueue = new RunQueue();

  ProviderFigures(Provider provider) {
    this.provider = provider;
  }

  /** When nothing is under way: waits for that, for some seconds. */
  Map<String, Double> read() throws InterruptedException {
    long lastNanos = clock.nanos() + PATIENCE_NANOS;
    while (isBusy() && clock.nanos() < lastNanos) {
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    Map<String, Double> figures = new TreeMap<>();
    figures.put("nanos", (double) clock.nanos());
    figures.put("cpuNanos", (double) SYSTEM.getProcessCpuTime());
    figures.put("waitedForCoreNanos", runQueue.waitedNanos());
    figures.put("received", (double) provider.received());
    figures.put("answered", (double) provider.answered());
    for (Command<Long, Integer> command : provider.commands()) {
      CommandView view = command.view();
      for (EventType event :
          new EventType[] {EventType.SUCCESS, EventType.FAILURE, EventType.THREAD_POOL_REJECTED}) {
        figures.put(view.key() + "." + event, (double) view.cumulativeCount(event));
      }
    }
    for (PoolView pool : provider.tenrec().pools()) {
      String name = "pool." + pool.key() + ".";
      figures.put(name + "core", (double) pool.coreSize());
      figures.put(name + "maximum", (double) pool.maximumSize());
      figures.put(name + "queue", (double) pool.queueCapacity());
      figures.put(name + "threads", (double) pool.threads());
      figures.put(name + "executed", (double) pool.cumulativeExecuted());
      figures.put(name + "rejected", (double) pool.cumulativeRejected());
    }
    return figures;
  }

  private boolean isBusy() {
    return provider.received() != provider.answered()
        || provider.commands().stream().anyMatch(command -> command.view().concurrency() > 0);
  }
}
