// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of trouble that looks miss, none is lost, and one look at most is armed for it. */
@Tag("race")
@OwnThread
class CommandWatchRaceTest {

  private static final int THREADS = 3;
  private static final int ERRORS = 20;
  private static final int ROUNDS = 1_500;

  private final CommandMetrics metrics =
      new CommandMetrics(new MetricsSettings(10_000, 10, false, 60_000, 6, 1_000), 0, () -> 0);

  /** Looks that are armed now. */
  private final AtomicInteger armed = new AtomicInteger();

  private final AtomicInteger mostArmed = new AtomicInteger();

  /** The most errors any look has seen. */
  private final AtomicLong seen = new AtomicLong();

  private void fail() {
    metrics.count(EventType.FAILURE);
    if (!metrics.isLookComing() && metrics.claimLook()) {
      int now = armed.incrementAndGet();
      mostArmed.accumulateAndGet(now, Math::max);
    }
  }

  private boolean look() {
    @Nullable HealthSnapshot health = metrics.lookArmed(1);
    if (health != null) {
      seen.accumulateAndGet(health.errors(), Math::max);
    }
    return health != null;
  }

  /** As the timer's thread does. */
  private void expire() {
    armed.decrementAndGet();
    if (metrics.disarm() && !look() && metrics.claimLook()) {
      armed.incrementAndGet();
    }
  }

  @Test
  void errorsThatRaceWithLooks_areSeenByOne_orByTheArmedOne() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);
    try {
      for (int round = 1; round <= ROUNDS; round++) {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          all.add(threads.submit(() -> times(start, ERRORS, this::fail)));
        }
        all.add(threads.submit(() -> times(start, ERRORS, () -> look())));
        all.add(
            threads.submit(
                () ->
                    times(
                        start,
                        ERRORS,
                        () -> {
                          if (armed.get() > 0) {
                            expire();
                          }
                        })));
        start.countDown();
        for (Future<?> one : all) {
          one.get();
        }
        for (int i = 0; i < 100 && armed.get() > 0; i++) {
          expire();
        }
        assertThat(armed).hasValue(0);
        assertThat(seen).as("round %s", round).hasValue((long) round * THREADS * ERRORS);
      }
      assertThat(mostArmed).hasValue(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void times(CountDownLatch start, int times, Runnable what) {
    try {
      start.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    for (int i = 0; i < times; i++) {
      what.run();
    }
  }
}
