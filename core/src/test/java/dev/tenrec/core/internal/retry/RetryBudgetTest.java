// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryBudgetTest {

  private static final long SEED = Long.getLong("tenrec.seed", 20_261_122L);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

  private static boolean draws(
      RetryBudget budget, int percent, int perSecond, LongSupplier executions, long at) {
    return budget.draw(percent, perSecond, executions, at) != null;
  }

  private static RetryToken drawOne(RetryBudget budget, long at) {
    return Objects.requireNonNull(budget.draw(0, 1, () -> 0, at));
  }

  /** How many are drawn at once, of a budget that is asked as often as it takes. */
  private static int drawAll(
      RetryBudget budget, int percent, int perSecond, long executions, long at) {
    int drawn = 0;
    while (draws(budget, percent, perSecond, () -> executions, at)) {
      drawn++;
      assertThat(drawn).isLessThan(100_000);
    }
    return drawn;
  }

  @Test
  void withoutExecutions_hasTheFixedNumberOfTenSeconds() {
    assertThat(drawAll(new RetryBudget(0), 20, 3, 0, 0)).isEqualTo(30);
  }

  @Test
  void executions_addTheirShare() {
    assertThat(drawAll(new RetryBudget(0), 20, 3, 1_000, 0)).isEqualTo(230);
    assertThat(drawAll(new RetryBudget(0), 20, 0, 1_000, 0)).isEqualTo(200);
    assertThat(drawAll(new RetryBudget(0), 20, 0, 4, 0)).as("less than one").isZero();
    assertThat(drawAll(new RetryBudget(0), 0, 0, 1_000, 0)).as("nothing").isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000_000_000L, Long.MAX_VALUE - 5_000_000_000L, Long.MIN_VALUE})
  void whatWasDrawn_isThereAgainAfterTenSeconds_onAnyClock(long origin) {
    RetryBudget budget = new RetryBudget(origin);
    assertThat(drawAll(budget, 0, 3, 0, origin)).isEqualTo(30);

    assertThat(drawAll(budget, 0, 3, 0, origin + 10 * SECOND)).as("still in the window").isZero();
    assertThat(drawAll(budget, 0, 3, 0, origin + 11 * SECOND)).isEqualTo(30);
    assertThat(drawAll(budget, 0, 3, 0, origin + 1_000 * SECOND)).isEqualTo(30);
  }

  @Test
  void whatIsGivenBack_canBeDrawnAgain_andNothingElse() {
    RetryBudget budget = new RetryBudget(0);
    RetryToken early = drawOne(budget, 0);
    RetryToken spent = drawOne(budget, 0);
    assertThat(drawAll(budget, 0, 1, 0, 5 * SECOND)).isEqualTo(8);
    assertThat(spent.spend()).isTrue();
    spent.giveBack();
    assertThat(drawAll(budget, 0, 1, 0, 5 * SECOND)).as("nothing was given back").isZero();

    early.giveBack();
    early.giveBack();
    assertThat(early.spend()).isFalse();
    RetryToken again = drawOne(budget, 6 * SECOND);
    assertThat(drawAll(budget, 0, 1, 0, 6 * SECOND)).isZero();

    assertThat(drawAll(budget, 0, 1, 0, 17 * SECOND)).as("all is forgotten").isEqualTo(10);
    again.giveBack();
    assertThat(drawAll(budget, 0, 1, 0, 17 * SECOND)).as("given back too late").isZero();

    RetryToken later = drawOne(budget, 30 * SECOND);
    assertThat(drawAll(budget, 0, 1, 0, 31 * SECOND)).isEqualTo(9);
    later.giveBack();
    assertThat(drawAll(budget, 0, 1, 0, 31 * SECOND)).as("from the second it was of").isOne();
  }

  @Test
  void lateReadingOfTheClock_givesNothingBack() {
    RetryBudget budget = new RetryBudget(0);
    assertThat(drawAll(budget, 0, 3, 0, 20 * SECOND)).isEqualTo(30);

    assertThat(drawAll(budget, 0, 3, 0, 5 * SECOND)).isZero();
    assertThat(drawAll(budget, 0, 3, 0, -5 * SECOND)).isZero();
    assertThat(drawAll(budget, 0, 3, 0, 20 * SECOND)).isZero();
  }

  @Test
  void draws_atAnyTimes_areWithinTheBudgetOfEveryTenSeconds() {
    Random random = new Random(SEED);
    RetryBudget budget = new RetryBudget(0);
    List<Long> drawn = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextLong(50_000_000);
      if (draws(budget, 20, 3, () -> 500, now)) {
        drawn.add(now);
        long since = now - 10 * SECOND;
        assertThat(drawn.stream().skip(Math.max(0, drawn.size() - 200)).filter(at -> at > since))
            .as("seed %s", SEED)
            .hasSizeLessThanOrEqualTo(130);
      }
    }
    assertThat(drawn).hasSizeGreaterThan(4_000); // some 500 s at nearly 13 a second
  }

  @Test
  void executions_areReadAgainAfterFiftyMillisecondsOrAtAnEarlierMoment() {
    RetryBudget budget = new RetryBudget(0);
    AtomicInteger readings = new AtomicInteger();
    LongSupplier executions =
        () -> {
          readings.incrementAndGet();
          return 1_000;
        };
    long first = MILLISECOND;

    assertThat(draws(budget, 20, 0, executions, first)).as("by the first reading").isTrue();
    assertThat(readings).hasValue(1);
    assertThat(draws(budget, 20, 0, executions, first)).isTrue();
    assertThat(draws(budget, 20, 0, executions, first + 50 * MILLISECOND - 1)).isTrue();
    assertThat(readings).as("young enough").hasValue(1);

    assertThat(draws(budget, 20, 0, executions, first + 50 * MILLISECOND)).isTrue();
    assertThat(readings).as("too old").hasValue(2);

    assertThat(draws(budget, 20, 0, executions, first + 50 * MILLISECOND - 1)).isTrue();
    assertThat(readings).as("from the future").hasValue(3);
  }

  @Tag("race")
  @Test
  void manyThreads_drawExactlyWhatThereIs() throws Exception {
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 50; round++) {
        RetryBudget budget = new RetryBudget(0);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
          results.add(
              executor.submit(
                  () -> {
                    start.await();
                    int drawn = 0;
                    for (int i = 0; i < 500; i++) {
                      drawn += draws(budget, 20, 3, () -> 5_000, i) ? 1 : 0;
                    }
                    return drawn;
                  }));
        }
        start.countDown();
        int all = 0;
        for (Future<Integer> result : results) {
          all += result.get();
        }
        assertThat(all).isEqualTo(1_030);
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
