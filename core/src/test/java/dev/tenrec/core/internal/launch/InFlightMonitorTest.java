// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightMonitorTest {

  private static final Duration PATIENCE = Duration.ofMillis(100);

  private final ManualTime time = new ManualTime();
  private final InFlightMonitor monitor = new InFlightMonitor(time, time);
  private final AtomicInteger inFlight = new AtomicInteger(2);
  private final AtomicBoolean flag = new AtomicBoolean();

  private Thread closing() {
    long deadline = time.nanoTime() + PATIENCE.toNanos();
    return Elsewhere.start(
        () -> {
          monitor.await(() -> inFlight.get() == 0, deadline);
          flag.set(Thread.currentThread().isInterrupted());
        });
  }

  private void awaitWaiting(Thread closer) {
    await().until(() -> time.waiting().contains(closer));
  }

  private static void awaitEnd(Thread closer) {
    await().until(() -> !closer.isAlive());
  }

  @Test
  void left_whileNobodyCloses_doesNothing() {
    monitor.left();
    assertThat(time.waiting()).isEmpty();
  }

  @Test
  void await_whileCallsLeave_waitsForTheLast() {
    Thread closer = closing();
    awaitWaiting(closer);
    inFlight.decrementAndGet();
    monitor.left();
    awaitWaiting(closer);
    inFlight.decrementAndGet();
    monitor.left();
    awaitEnd(closer); // no time has moved
    assertThat(flag).isFalse();
  }

  @Test
  void await_whenAllHaveLeft_doesNotWait() {
    inFlight.set(0);
    awaitEnd(closing());
  }

  @Test
  void await_atTheDeadline_waitsNoLonger() {
    Thread closer = closing();
    awaitWaiting(closer);
    time.advance(PATIENCE.minusNanos(1));
    awaitWaiting(closer);
    time.advance(Duration.ofNanos(1));
    awaitEnd(closer);
  }

  @Test
  void await_interrupted_waitsNoLongerAndKeepsTheFlag() {
    Thread closer = closing();
    awaitWaiting(closer);
    closer.interrupt();
    awaitEnd(closer);
    assertThat(flag).isTrue();
  }
}
