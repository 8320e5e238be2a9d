// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tenrec.core.retry.Jitter;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackoffTest {

  private static final long SEED = Long.getLong("tenrec.seed", 20_261_122L);
  private static final int DRAWS = 100_000;

  private final Random random = new Random(SEED);

  private Backoff backoff(long first, long longest, Jitter jitter) {
    return new Backoff(first, longest, jitter, this::below);
  }

  private long below(long bound) {
    assertThat(bound).isPositive();
    return Math.floorMod(random.nextLong(), bound);
  }

  @Test
  void withoutJitter_doublesUpToTheLongest() {
    Backoff backoff = backoff(50, 1_000, Jitter.NONE);

    assertThat(IntStream.rangeClosed(1, 8).mapToLong(retry -> backoff.delayNanos(retry, 0)))
        .containsExactly(50L, 100L, 200L, 400L, 800L, 1_000L, 1_000L, 1_000L);
  }

  @Test
  void manyRetries_ofAnyDelay_doNotOverflow() {
    long day = Duration.ofDays(1).toNanos();
    for (long first : new long[] {1, 3, 50_000_000, day}) {
      Backoff backoff = backoff(first, day, Jitter.NONE);
      long before = 0;
      for (int retry = 1; retry <= 100; retry++) {
        long delay = backoff.delayNanos(retry, before);
        assertThat(delay).as("retry %s from %s", retry, first).isBetween(before, day);
        before = delay;
      }
      assertThat(before).isEqualTo(day);
    }
  }

  @ParameterizedTest
  @EnumSource(Jitter.class)
  void noDelay_staysNone(Jitter jitter) {
    Backoff backoff = backoff(0, 0, jitter);

    assertThat(IntStream.rangeClosed(1, 100).mapToLong(retry -> backoff.delayNanos(retry, 0)))
        .containsOnly(0L);
  }

  @Test
  void fullJitter_isEvenFromNothingToTheDelay() {
    Backoff backoff = backoff(100, 1_000, Jitter.FULL);
    long[] drawn = LongStream.range(0, DRAWS).map(i -> backoff.delayNanos(3, 0)).toArray();

    assertThat(LongStream.of(drawn)).as("seed %s", SEED).allMatch(d -> d >= 0 && d <= 400);
    assertThat(LongStream.of(drawn).average().orElseThrow()).isCloseTo(200, within(2.0));
    for (int tenth = 0; tenth < 10; tenth++) {
      long from = tenth * 40L;
      long share = LongStream.of(drawn).filter(d -> d >= from && d < from + 40).count();
      assertThat((double) share / DRAWS)
          .as("delays from %s on, seed %s", from, SEED)
          .isCloseTo(0.1, within(0.01));
    }
    assertThat(drawn).contains(0L, 400L);
  }

  @Test
  void decorrelatedJitter_isBetweenTheFirstAndThreeTimesTheLast() {
    Backoff backoff = backoff(100, 5_000, Jitter.DECORRELATED);
    long previous = 0;
    for (int retry = 1; retry <= 50; retry++) {
      long most = Math.min(5_000, 3 * (retry == 1 ? 100 : previous));
      long delay = backoff.delayNanos(retry, previous);
      assertThat(delay).as("retry %s, seed %s", retry, SEED).isBetween(100L, most);
      previous = delay;
    }
  }

  @Test
  void decorrelatedJitter_isEvenInItsRange() {
    Backoff backoff = backoff(100, 5_000, Jitter.DECORRELATED);

    double mean =
        LongStream.range(0, DRAWS).map(i -> backoff.delayNanos(2, 300)).average().orElseThrow();

    assertThat(mean).as("of 100 to 900, seed %s", SEED).isCloseTo(500, within(5.0));
  }

  @Test
  void ownLots_areEachThatThereCanBe() {
    Backoff backoff = new Backoff(10, 1_000, Jitter.FULL);

    assertThat(IntStream.range(0, 1_000).mapToObj(i -> backoff.delayNanos(1, 0)).distinct())
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(0, 10).boxed().toList());
  }
}
