// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Field;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A success is counted by its latency's slot; here that goes wrong, and it is counted still. */
@OwnThread
class CommandCountersTest {

  private final CommandMetrics metrics = new CommandMetrics(settings(true), 0, () -> 0);

  @Test
  void recordSuccess_whilePercentilesAreSwitchedOff_isCountedOnce() throws Exception {
    StripedCounters slots = (StripedCounters) slotsField().get(recorder());
    FutureTask<Void> success = new FutureTask<>(() -> metrics.recordSuccess(1), null);
    Thread caller = new Thread(success);
    synchronized (slots) { // a first latency waits for this
      caller.start();
      await().until(() -> waitsFor(slots, caller));
      metrics.reconfigure(settings(false), 1);
    }
    success.get(PatientWaits.seconds(), TimeUnit.SECONDS);

    assertThat(metrics.lock.isLocked()).isFalse();
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(1);
  }

  @Test
  void recordSuccess_withoutMemoryForTheLatency_isCountedStill() throws Exception {
    slotsField().set(recorder(), new StripedCounters(Integer.MAX_VALUE - 32)); // no such arrays

    metrics.recordSuccess(1);

    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(1);
  }

  private static boolean waitsFor(Object monitor, Thread thread) {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && info.getLockInfo() != null
        && info.getLockInfo().getIdentityHashCode() == System.identityHashCode(monitor);
  }

  /** The recorder of latencies that are successes. */
  private Object recorder() throws ReflectiveOperationException {
    Object latencies = requireNonNull(metrics.latencies);
    Field shared = latencies.getClass().getDeclaredField("shared");
    shared.setAccessible(true);
    return shared.get(latencies);
  }

  private Field slotsField() throws ReflectiveOperationException {
    Field slots = recorder().getClass().getDeclaredField("slots");
    slots.setAccessible(true);
    return slots;
  }

  private static MetricsSettings settings(boolean percentiles) {
    return new MetricsSettings(10_000, 10, percentiles, 60_000, 6, 500);
  }
}
