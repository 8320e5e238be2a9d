// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real circuit and a real budget do with the figures of {@link Sizing}, in manual time. */
class SleepAndRetriesTest {

  private static final long STEP_MILLIS = 20;
  private static final long MOST_MILLIS = 500;
  private static final int PHASES = 25;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  /** Whether the dependency answers; it hangs if not. Read by the threads that call it. */
  private volatile boolean isWell = true;

  private final AtomicInteger attempts = new AtomicInteger();

  /** A call, and when it was begun. Each is over after the time-out, or what its retry takes. */
  private record Begun(CompletableFuture<Integer> answer, long millis) {}

  private final Queue<Begun> underWay = new ArrayDeque<>();
  private long now;

  private static Sizing withTimeout(Duration timeout) {
    return Sizing.of(BigDecimal.TEN, timeout, timeout, new BigDecimal("0.5"));
  }

  @Test
  void sleepWindow_isTwiceTheLateShareWithoutTheTimeout() {
    assertThat(
            withTimeout(Duration.ofMillis(500))
                .sleepWindow(Duration.ofMinutes(1), new BigDecimal("0.05")))
        .isEqualTo(Duration.ofMillis(5_500));
    assertThat(
            withTimeout(Duration.ofMillis(500))
                .sleepWindow(Duration.ofSeconds(4), new BigDecimal("0.125")))
        .isEqualTo(Duration.ofMillis(500));
  }

  /** Outages that end in each phase of the circuit's period, one after the other. */
  @Test
  void outage_isNoticedLateByThatShareOnAverage() {
    Duration outage = Duration.ofSeconds(60);
    Sizing sizing = withTimeout(Duration.ofMillis(500));
    Duration sleep = sizing.sleepWindow(outage, new BigDecimal("0.05"));
    Command<String, Integer> command =
        tenrec
            .asyncCommand("Dependency", (String call) -> answer())
            .isolation(Isolation.semaphore(1_000))
            .timeout(sizing.timeout())
            .errorThreshold(sizing.errorThresholdPercentage(), 20)
            .sleepWindow(sleep)
            .build();
    long period = sleep.plus(sizing.timeout()).toMillis();
    long late = 0;
    for (int phase = 0; phase < PHASES; phase++) {
      callFor(command, 15_000); // healthy, until the window has forgotten the last outage
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
      isWell = false;
      callFor(command, outage.toMillis() + period * phase / PHASES);
      assertThat(command.view().circuitState()).isNotEqualTo(CircuitState.CLOSED);
      isWell = true;
      late += untilClosed(command);
    }

    // the phases are 240 ms apart, and a step counts until its end
    assertThat(late / (double) PHASES).isBetween(3_000.0 - 120, 3_000.0 + 120 + STEP_MILLIS);
  }

  private CompletableFuture<Integer> answer() {
    return isWell ? CompletableFuture.completedFuture(1) : new CompletableFuture<>();
  }

  /** Each step begins a call, and ends when all that is due by then has happened. */
  private void callFor(Command<String, Integer> command, long millis) {
    for (long passed = 0; passed < millis; passed += STEP_MILLIS) {
      underWay.add(new Begun(command.executeAsync("call"), now));
      now += STEP_MILLIS;
      time.advanceMillis(STEP_MILLIS);
      while (!underWay.isEmpty() && now - underWay.peek().millis() >= MOST_MILLIS) {
        underWay.remove().answer().exceptionally(thrown -> 0).join();
      }
    }
  }

  private long untilClosed(Command<String, Integer> command) {
    long passed = 0;
    while (command.view().circuitState() != CircuitState.CLOSED) {
      callFor(command, STEP_MILLIS);
      passed += STEP_MILLIS;
    }
    return passed;
  }

  @Test
  void sleepWindow_ofWrongInput_saysWhatWasExpected() {
    Sizing sizing = withTimeout(Duration.ofSeconds(1));
    assertThatThrownBy(() -> sizing.sleepWindow(Duration.ZERO, BigDecimal.ONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("outage is PT0S, expected more than 0 and at most PT8760H");
    assertThatThrownBy(() -> sizing.sleepWindow(Duration.ofSeconds(Long.MAX_VALUE), BigDecimal.ONE))
        .hasMessageStartingWith("outage is PT");
    assertThatThrownBy(() -> sizing.sleepWindow(Duration.ofSeconds(1), BigDecimal.ZERO))
        .hasMessage("lateShare is 0, expected above 0 and at most 1");
    assertThatThrownBy(() -> sizing.sleepWindow(Duration.ofSeconds(5), new BigDecimal("0.1")))
        .hasMessage(
            "lateShare is 0.1, expected a share of PT5S that is longer than half of the time-out,"
                + " PT1S");
  }

  @ParameterizedTest
  @CsvSource({
    "50, 60, 1, 18", // (60 - 1) / 50 - 1
    "1000, 1200, 0, 20",
    "10, 100, 3, 100", // no more than a retry for each call
    "100, 102, 3, 0", // the fixed number alone is too much
    "100, 50, 0, 0", // and so are the calls
    "0.3, 0.4, 0, 33"
  })
  void retryBudget_isTheRoomThatThereIs(
      BigDecimal calls, BigDecimal capacity, int fixed, int percent) {
    assertThat(Sizing.retryBudgetPercent(calls, capacity, fixed)).isEqualTo(percent);
  }

  /**
   * Two of five fail: the budget is used to the last, and the dependency is asked what it can do.
   */
  @Test
  void manyFailures_withRetriesOnThatBudget_askNoMoreThanCanBeDone() {
    int percent = Sizing.retryBudgetPercent(BigDecimal.valueOf(50), BigDecimal.valueOf(60), 1);

    assertThat(attemptsASecond("Within", percent, 2)).isBetween(57.0, 60.0);
    assertThat(attemptsASecond("Beyond", percent + 10, 2)).isGreaterThan(60.0);
  }

  /** All fail: nothing comes on top of the calls but the fixed number, of one a second. */
  @Test
  void outage_withRetriesOnThatBudget_asksTheFixedNumberMore() {
    int percent = Sizing.retryBudgetPercent(BigDecimal.valueOf(50), BigDecimal.valueOf(60), 1);

    assertThat(attemptsASecond("Down", percent, 5)).isBetween(50.5, 51.0);
  }

  /**
   * Of 50 calls a second for a minute, of which the first ten seconds do not count.
   *
   * @param failing how many of five attempts fail
   */
  private double attemptsASecond(String key, int percent, int failing) {
    Command<String, Integer> command =
        tenrec
            .asyncCommand(
                key,
                (String call) -> {
                  return attempts.incrementAndGet() % 5 < failing
                      ? CompletableFuture.<Integer>failedFuture(new IllegalStateException("down"))
                      : CompletableFuture.completedFuture(0);
                })
            .isolation(Isolation.semaphore(1_000))
            .withoutCircuitBreaker()
            .retry(
                Retry.attempts(2)
                    .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                    .budget(percent, 1))
            .build();
    callFor(command, 10_000);
    attempts.set(0);
    callFor(command, 50_000);
    return attempts.get() / 50.0;
  }

  @Test
  void retryBudget_ofWrongInput_saysWhatWasExpected() {
    BigDecimal ten = BigDecimal.TEN;
    assertThatThrownBy(() -> Sizing.retryBudgetPercent(BigDecimal.ZERO, ten, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("requestsPerSecond is 0, expected more than 0");
    assertThatThrownBy(() -> Sizing.retryBudgetPercent(ten, BigDecimal.ZERO, 0))
        .hasMessage("capacityPerSecond is 0, expected more than 0");
    assertThatThrownBy(() -> Sizing.retryBudgetPercent(ten, ten, -1))
        .hasMessage("budgetPerSecond is -1, expected at least 0");
  }
}
