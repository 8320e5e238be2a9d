// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Exact with real threads. */
@Tag("race")
class RateLimiterRaceTest {

  private static final int THREADS = 4;
  private static final long INTERVAL = 1_000;

  /** How many calls of all threads were let in, at moments that all threads push on together. */
  private static long admitted(int calls, AtomicLong clock, LongUnaryOperator take)
      throws InterruptedException {
    AtomicLong admitted = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  return;
                }
                long mine = 0;
                for (int i = 0; i < calls; i++) {
                  if (take.applyAsLong(clock.addAndGet(7)) == RateLimiter.TAKEN) {
                    mine++;
                  }
                }
                admitted.addAndGet(mine);
              });
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return admitted.get();
  }

  @Test
  void take_ofManyThreads_isExact() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      long origin = Long.MAX_VALUE - 5_000; // it wraps around meanwhile
      AtomicLong clock = new AtomicLong(origin);
      RateLimiter limiter = new RateLimiter(new Rate(1, INTERVAL, 50), 10, origin);

      long admitted = admitted(20_000, clock, limiter::take);

      long passed = clock.get() - origin;
      assertThat(admitted)
          .as("never more than the burst and what came since")
          .isLessThanOrEqualTo(50 + passed / INTERVAL);
      // a reading that was overtaken may be refused, but what is there is taken by the next
      assertThat(admitted).isGreaterThanOrEqualTo(passed / INTERVAL);
    }
  }

  @Test
  void take_atOneMoment_letsInTheBurst_exactly() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      RateLimiter limiter = new RateLimiter(new Rate(1, INTERVAL, 100), 10, 0);

      long admitted = admitted(500, new AtomicLong(), now -> limiter.take(0));

      assertThat(admitted).isEqualTo(100);
    }
  }

  @Test
  void take_ofKeysThatCome_andGo_isExactForEach() throws InterruptedException {
    int keys = 6; // more than there is room for, so that they push each other out
    for (int round = 0; round < 10; round++) {
      AtomicLong clock = new AtomicLong();
      AtomicLong turn = new AtomicLong();
      RateLimiter limiter = new RateLimiter(new Rate(1, 300, 2), 3, 0);

      long admitted =
          admitted(
              10_000,
              clock,
              now -> limiter.take(Integer.valueOf((int) (turn.getAndIncrement() % keys)), now));

      long passed = clock.get();
      assertThat(admitted)
          .as("each of %s keys and those without a place: a burst and what came since", keys)
          .isLessThanOrEqualTo((keys + 1) * (2 + passed / 300));
      assertThat(limiter.keyCount()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void take_whileTheRateChanges_spendsNothingTwice() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      Rate one = new Rate(1, INTERVAL, 100);
      Rate other = new Rate(1, 1_000 * INTERVAL, 100);
      RateLimiter limiter = new RateLimiter(one, 10, 0);
      AtomicBoolean done = new AtomicBoolean();
      Thread changing =
          new Thread(
              () -> {
                for (int i = 0; !done.get(); i++) {
                  limiter.change(i % 2 == 0 ? other : one, 10, 0);
                }
              });
      changing.setDaemon(true);
      changing.start();

      long admitted = admitted(500, new AtomicLong(), now -> limiter.take(0));

      done.set(true);
      changing.join();
      assertThat(admitted).isEqualTo(100);
    }
  }
}
