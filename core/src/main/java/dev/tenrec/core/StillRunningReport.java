// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.isolation.BusyThread;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.text.LogText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What user code keeps running after everything else of a Tenrec has ended; for the closing thread.
 */
final class StillRunningReport {

  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  /** How long closing waits for its own lines in the log. */
  private static final long LOG_MILLIS = 500;

  private final Engine engine;
  private final Registry registry;
  private final VirtualStarter virtual;

  StillRunningReport(Engine engine, Registry registry, VirtualStarter virtual) {
    this.engine = engine;
    this.registry = registry;
    this.virtual = virtual;
  }

  /** All that is still at its work. */
  List<StillRunning> read(
      Collection<PoolRuntime> pools, List<CallbackExecutor.Stuck> stuckCallbacks) {
    long now = engine.ticker().nanoTime();
    List<StillRunning> left = new ArrayList<>();
    for (PoolRuntime pool : pools) {
      for (BusyThread busy : pool.workers().stuck()) {
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
    return List.copyOf(left);
  }

  private static StillRunning ours(String thread, String commandKey, long nanos) {
    return new StillRunning(thread, commandKey, 1, Duration.ofNanos(nanos));
  }

  /** On another thread, for a logger may block: the caller of close has the list. */
  void logApart(List<StillRunning> left) {
    if (left.isEmpty()) {
      return;
    }
    try {
      CountDownLatch logged = new CountDownLatch(1);
      CallbackTask lines =
          CallbackTask.of(
              () -> {
                left.forEach(StillRunningReport::log);
                logged.countDown();
              });
      engine.callbacks().newShare("close").execute(lines);
      // in most cases the lines are there when close returns
      boolean unused = logged.await(LOG_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable thrown) { // no memory: the list says it all
      return;
    }
  }

  private static void log(StillRunning one) {
    try {
      if (one.age() == null) {
        LOG.warn(
            "closed, but {} calls of {} are still at their work on their callers' threads",
            one.calls(),
            LogText.of(one.commandKey()));
      } else {
        LOG.warn(
            "closed, but {} is still at the work of {} after {}; it was interrupted",
            LogText.of(one.thread()),
            LogText.of(one.commandKey()),
            one.age());
      }
    } catch (Throwable loggers) { // the caller of close gets the list nevertheless
      return;
    }
  }
}
