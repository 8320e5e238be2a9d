// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("race")
class PermitsRaceTest {

  private static final int ROUNDS = 60_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger mostHeld = new AtomicInteger();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void tryTake_withOnePermitMoreThanThreads_isNeverRefused() throws Exception {
    Permits permits = new Permits(5);
    all(churners(4, permits), () -> false);
    assertThat(refused).hasValue(0);
    assertQuiet(permits, 5);
  }

  @Test
  void tryTake_withAsManyPermitsAsThreads_isNeverRefused() throws Exception {
    Permits permits = new Permits(4);
    all(churners(4, permits), () -> false);
    assertThat(refused).hasValue(0);
    assertQuiet(permits, 4);
  }

  @Test
  void tryTake_whilePermitsWanderBetweenCells_isNeverRefused() throws Exception {
    // three threads at least: one gives where the second has looked, a third takes where it has not
    Permits permits = new Permits(6);
    permits.grow();
    all(churners(6, permits), () -> false);
    assertThat(refused).hasValue(0);
    assertQuiet(permits, 6);
  }

  @Test
  void tryTake_whileTheLimitMovesAboveTheThreads_isNeverRefused() throws Exception {
    Permits permits = new Permits(5);
    int[] limits = {9, 5, 7, 4, 6};
    int[] at = {0};
    all(
        churners(4, permits),
        () -> {
          permits.resize(limits[at[0]++ % limits.length]);
          return true;
        });
    assertThat(refused).hasValue(0);
    permits.resize(5);
    assertQuiet(permits, 5);
  }

  @Test
  void resize_belowAndAboveUse_neverLetsMoreInThanTheGreaterLimit() throws Exception {
    Permits permits = new Permits(3);
    int[] limits = {1, 3, 0, 2, 1, 3};
    int[] at = {0};
    all(
        churners(6, permits),
        () -> {
          permits.resize(limits[at[0]++ % limits.length]);
          return true;
        });
    assertThat(mostHeld.get()).isBetween(1, 3);
    permits.resize(3);
    assertQuiet(permits, 3);
  }

  @Test
  void tryTake_atTheLimit_neverLetsMoreIn() throws Exception {
    Permits permits = new Permits(2);
    all(churners(6, permits), () -> false);
    assertThat(mostHeld.get()).isBetween(1, 2);
    assertThat(permits.takeMaximum()).isBetween(1, 2);
    assertQuiet(permits, 2);
  }

  @Test
  void takeMaximum_whileThreadsCollide_isNeverMoreThanTheThreads() throws Exception {
    Permits permits = new Permits(1_000);
    int[] most = {0};
    int[] at = {0};
    all(
        churners(4, permits),
        () -> {
          most[0] = Math.max(most[0], permits.takeMaximum());
          permits.resize(at[0]++ % 2 == 0 ? 900 : 1_000);
          return true;
        });
    assertThat(Math.max(most[0], permits.takeMaximum())).isBetween(1, 4);
    permits.resize(1_000);
    assertQuiet(permits, 1_000);
  }

  private List<Runnable> churners(int count, Permits permits) {
    List<Runnable> churners = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      churners.add(() -> churn(permits));
    }
    return churners;
  }

  private void churn(Permits permits) {
    int most = 0;
    long refusals = 0;
    // at least until it has held one: all rounds may pass while the limit is 0; or until the test
    // ends, which may have failed while it is
    for (int round = 0; round < ROUNDS || most == 0 && !isStopped(); round++) {
      if (permits.tryTake()) {
        most = Math.max(most, held.incrementAndGet());
        if (round % 64 == 0) {
          // lose the core with a permit in hand, or two cores would seldom see more than two of
          // them out
          Thread.yield();
        }
        held.decrementAndGet();
        permits.give();
      } else {
        refusals++;
      }
    }
    refused.addAndGet(refusals);
    mostHeld.accumulateAndGet(most, Math::max);
  }

  private static boolean isStopped() {
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Runs {@code work} at once, and {@code beside} again and again until all are done or it returns
   * false.
   */
  private void all(List<Runnable> work, BooleanSupplier beside) throws Exception {
    CyclicBarrier start = new CyclicBarrier(work.size() + 1);
    AtomicInteger left = new AtomicInteger(work.size());
    List<Future<?>> running = new ArrayList<>();
    for (Runnable runnable : work) {
      running.add(
          threads.submit(
              () -> {
                start.await();
                try {
                  runnable.run();
                } finally {
                  left.decrementAndGet();
                }
                return null;
              }));
    }
    start.await();
    boolean again = beside.getAsBoolean();
    while (again && left.get() != 0) {
      again = beside.getAsBoolean();
    }
    for (Future<?> future : running) {
      future.get();
    }
  }

  private static void assertQuiet(Permits permits, int limit) {
    assertThat(permits.inUse()).isZero();
    assertThat(permits.limit()).isEqualTo(limit);
    for (int i = 0; i < limit; i++) {
      assertThat(permits.tryTake()).isTrue();
    }
    assertThat(permits.tryTake()).isFalse();
    assertThat(permits.inUse()).isEqualTo(limit);
  }
}
