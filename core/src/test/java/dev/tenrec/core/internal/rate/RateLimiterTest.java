// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** In virtual time, to the nanosecond. */
class RateLimiterTest {

  private static final Logger LOG = LoggerFactory.getLogger(RateLimiterTest.class);
  private static final long MS = 1_000_000;

  private static RateLimiter limiter(long intervalNanos, int burst, long now) {
    return new RateLimiter(new Rate(1, intervalNanos, burst), 10, now);
  }

  @Test
  void take_ofABurst_leavesNoneUntilTheInterval() {
    RateLimiter limiter = limiter(10 * MS, 3, 0);

    assertThat(limiter.left(0)).isEqualTo(3);
    assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.left(0)).isEqualTo(1);
    assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.left(0)).isZero();
    assertThat(limiter.take(0)).as("the time until the next one").isEqualTo(10 * MS);
    assertThat(limiter.take(10 * MS - 1)).as("a nanosecond early").isEqualTo(1);
    assertThat(limiter.take(10 * MS)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(10 * MS)).isEqualTo(10 * MS);
  }

  @Test
  void take_refused_spendsNothing() {
    RateLimiter limiter = limiter(10 * MS, 1, 0);
    assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);

    for (int i = 0; i < 1_000; i++) {
      assertThat(limiter.take(i)).isEqualTo(10 * MS - i);
    }

    assertThat(limiter.take(10 * MS)).isEqualTo(RateLimiter.TAKEN);
  }

  @Test
  void take_afterALongSilence_hasABurstAndNoMore() {
    RateLimiter limiter = limiter(10 * MS, 3, 0);
    long later = 40L * 365 * 24 * 3_600 * 1_000 * MS;

    assertThat(limiter.left(later)).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.take(later)).isEqualTo(RateLimiter.TAKEN);
    }
    assertThat(limiter.take(later)).isEqualTo(10 * MS);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 15 * MS, -5 * MS, -1, Long.MIN_VALUE})
  void take_whereTheClockWrapsAround_goesOn(long start) {
    RateLimiter limiter = limiter(10 * MS, 3, start);

    for (int i = 0; i < 3; i++) {
      assertThat(limiter.take(start)).isEqualTo(RateLimiter.TAKEN);
    }
    for (int i = 1; i <= 10; i++) {
      assertThat(limiter.take(start + i * 10 * MS - 1)).as("permit %s, early", i).isEqualTo(1);
      assertThat(limiter.take(start + i * 10 * MS)).as("permit %s", i).isZero();
    }
  }

  @Test
  void take_withAnOlderReading_letsInNoMore() {
    RateLimiter limiter = limiter(10 * MS, 1, 0);
    assertThat(limiter.take(100 * MS)).isEqualTo(RateLimiter.TAKEN);

    assertThat(limiter.take(50 * MS)).as("of a thread held up").isEqualTo(60 * MS);

    assertThat(limiter.take(110 * MS)).isEqualTo(RateLimiter.TAKEN);
  }

  /**
   * Against a bucket that counts what drips into it nanosecond by nanosecond: both let the same
   * calls in, and the time they say to the others is the first at which a permit is there.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7, 10, 64, 1_000})
  void take_always_agreesWithABucket(long interval) {
    long seed = Long.getLong("tenrec.seed", System.nanoTime());
    LOG.info("tenrec.seed={}", seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20; round++) {
      int burst = 1 + random.nextInt(6);
      long start = Long.MAX_VALUE - random.nextInt(200);
      RateLimiter limiter = limiter(interval, burst, start);
      long full = burst * interval;
      long level = full; // in nanoseconds of refill
      long now = start;
      for (int call = 0; call < 400; call++) {
        long step = random.nextLong(3 * interval * (1 + random.nextInt(burst)));
        now += step;
        level = Math.min(full, level + step);

        long taken = limiter.take(now);

        if (level >= interval) {
          assertThat(taken).isEqualTo(RateLimiter.TAKEN);
          level -= interval;
        } else {
          assertThat(taken).isEqualTo(interval - level);
        }
        assertThat(limiter.left(now)).isEqualTo((int) (level / interval));
      }
    }
  }

  @Test
  void change_toAFasterRate_isNotHeldUpByWhatWasSpent() {
    RateLimiter limiter = limiter(60_000 * MS, 60, 0);
    for (int i = 0; i < 60; i++) {
      assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    }

    limiter.change(new Rate(100, 10 * MS, 100), 10, 0);

    assertThat(limiter.left(0)).as("60 of 100 are spent").isEqualTo(40);
    for (int i = 0; i < 40; i++) {
      assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    }
    assertThat(limiter.take(0)).isEqualTo(10 * MS);
  }

  @Test
  void change_toASmallerBurst_asksForNoMoreThanThat() {
    RateLimiter limiter = limiter(10 * MS, 100, 0);
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    }

    limiter.change(new Rate(1, 10 * MS, 2), 10, 0);

    assertThat(limiter.take(0)).isEqualTo(10 * MS);
    assertThat(limiter.take(20 * MS)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(20 * MS)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(20 * MS)).isEqualTo(10 * MS);
  }

  @Test
  void change_ofThePartOfAnInterval_keepsThePart() {
    RateLimiter limiter = limiter(100, 1, 0);
    assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(25)).isEqualTo(75);

    limiter.change(new Rate(1, 1_000, 1), 10, 25);

    assertThat(limiter.take(25)).as("three quarters of it are left").isEqualTo(750);
  }

  @Test
  void change_whileIdle_leavesTheBurstFull() {
    RateLimiter limiter = limiter(100, 2, 0);

    limiter.change(new Rate(1, 1_000, 3), 10, 7);

    for (int i = 0; i < 3; i++) {
      assertThat(limiter.take(7)).isEqualTo(RateLimiter.TAKEN);
    }
    assertThat(limiter.take(7)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000_000_000L, Long.MAX_VALUE - 5 * MS, Long.MIN_VALUE})
  void change_onAnyClock_keepsWhatIsSpent(long start) {
    RateLimiter limiter = limiter(10 * MS, 3, start);
    assertThat(limiter.take(start)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(start)).isEqualTo(RateLimiter.TAKEN);

    limiter.change(new Rate(1, 20 * MS, 3), 10, start);

    assertThat(limiter.left(start)).isEqualTo(1);
    assertThat(limiter.take(start)).isEqualTo(RateLimiter.TAKEN);
    assertThat(limiter.take(start)).isEqualTo(20 * MS);
    assertThat(limiter.take(start + 20 * MS)).isEqualTo(RateLimiter.TAKEN);
  }

  @Test
  void change_ofTheBurstOnly_isTakenOver() {
    RateLimiter limiter = limiter(10 * MS, 3, 0);
    Rate next = new Rate(7, 10 * MS, 5);

    limiter.change(next, 10, 0);

    assertThat(limiter.rate()).isSameAs(next);
    assertThat(limiter.rate().permits()).isEqualTo(7);
    assertThat(limiter.rate().burst()).isEqualTo(5);
    assertThat(limiter.left(100 * MS)).isEqualTo(5);
  }

  /** Ten in a second are as many as twenty in two. */
  @Test
  void change_ofThePeriodOnly_saysHowManyComeInThat() {
    RateLimiter limiter = limiter(100 * MS, 10, 0);
    assertThat(limiter.take(0)).isEqualTo(RateLimiter.TAKEN);

    limiter.change(new Rate(20, 100 * MS, 10), 10, 0);

    assertThat(limiter.rate().permits()).isEqualTo(20);
    assertThat(limiter.left(0)).as("as many are spent").isEqualTo(9);
  }

  @Test
  void change_toTheSame_leavesTheRate() {
    RateLimiter limiter = limiter(10 * MS, 3, 0);
    Rate before = limiter.rate();

    limiter.change(new Rate(1, 10 * MS, 3), 20, 0);

    assertThat(limiter.rate()).isSameAs(before);
    assertThat(limiter.maxKeys()).isEqualTo(20);
  }
}
