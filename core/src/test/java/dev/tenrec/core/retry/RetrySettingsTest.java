// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The figures of a retry are settings, by the four levels, and change while it runs. */
class RetrySettingsTest {

  private static final String KEY = "Flaky";

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.tenrec());
  private final AtomicInteger attempts = new AtomicInteger();

  private Integer fail(Integer argument) throws IOException {
    attempts.incrementAndGet();
    throw new IOException("down at " + argument);
  }

  private Integer failAndSwitchOff(Integer argument) throws IOException {
    if (attempts.get() == 1) {
      set(KEY, "enabled", "false");
    }
    return fail(argument);
  }

  private CommandBuilder<Integer, Integer> failing(Retry retry) {
    return tenrec
        .command(KEY, this::fail)
        .isolation(Isolation.semaphore(10))
        .withoutCircuitBreaker()
        .fallbackValue(-1)
        .retry(retry);
  }

  private static Retry atOnce(int attempts) {
    return Retry.attempts(attempts).backoff(Duration.ZERO, Duration.ZERO);
  }

  private int attemptsOf(Command<Integer, Integer> command) {
    attempts.set(0);
    assertThat(command.execute(1)).isEqualTo(-1);
    return attempts.get();
  }

  private void set(String scope, String name, String value) {
    tenrec.set("tenrec.command." + scope + ".retry." + name, value);
  }

  @Test
  void attempts_changedWhileItRuns_holdForTheNextCall() {
    Command<Integer, Integer> command = failing(atOnce(3)).build();
    assertThat(attemptsOf(command)).isEqualTo(3);

    set(KEY, "attempts", "2");
    assertThat(attemptsOf(command)).isEqualTo(2);
    set(KEY, "attempts", "1");
    assertThat(attemptsOf(command)).isEqualTo(1);
  }

  @Test
  void enabled_byDefaultLevel_stopsAndResumesRetriesOfAllCommands() {
    Command<Integer, Integer> command = failing(atOnce(3)).build();

    set("default", "enabled", "false");
    assertThat(attemptsOf(command)).isEqualTo(1);
    set("default", "enabled", "true");
    assertThat(attemptsOf(command)).isEqualTo(3);
  }

  @Test
  void enabled_switchedOffBetweenTwoAttempts_isTheEndOfTheCall() {
    Command<Integer, Integer> command =
        tenrec
            .command(KEY, this::failAndSwitchOff)
            .isolation(Isolation.semaphore(10))
            .withoutCircuitBreaker()
            .fallback((i, cause) -> -1)
            .retry(atOnce(5))
            .build();

    assertThat(command.execute(1)).isEqualTo(-1);
    assertThat(attempts).hasValue(2);
  }

  @Test
  void hint_ofMoreThanAMinute_withoutATimeOut_isTheEndOfTheCall() {
    Command<Integer, Integer> command =
        failing(atOnce(2).notBefore(thrown -> Duration.ofSeconds(61)))
            .property("execution.timeout.enabled", "false")
            .build();

    assertThat(attemptsOf(command)).isEqualTo(1);
  }

  @Test
  void enabled_onACommandWithoutRetry_givesItNone() {
    Command<Integer, Integer> command =
        tenrec
            .command(KEY, this::fail)
            .isolation(Isolation.semaphore(10))
            .fallbackValue(-1)
            .build();

    set(KEY, "attempts", "5");
    assertThat(attemptsOf(command)).isEqualTo(1);
  }

  @Test
  void budget_changedWhileItRuns_holdsAtOnce() {
    Command<Integer, Integer> command = failing(atOnce(2)).build();
    assertThat(attemptsOf(command)).isEqualTo(2);

    set(KEY, "budgetPercent", "0");
    set(KEY, "budgetPerSecond", "0");
    assertThat(attemptsOf(command)).isEqualTo(1);
    assertThat(command.view().cumulativeCount(EventType.RETRY_BUDGET_EXHAUSTED)).isOne();
    set(KEY, "budgetPerSecond", "1000");
    assertThat(attemptsOf(command)).isEqualTo(2);
  }

  @Test
  void figures_thatTheCodeLeavesOpen_comeFromTheDefaultLevel() {
    set("default", "attempts", "7");
    set("default", "budgetPercent", "7");
    set("default", "longestDelayInMilliseconds", "70");
    set("default", "attemptTimeoutInMilliseconds", "700");
    Command<Integer, Integer> open = failing(Retry.attempts(3)).build();
    assertThat(open.view().key()).isEqualTo(KEY);

    assertThat(tenrec.<Integer>setting(CommandProperties.RETRY_ATTEMPTS, KEY)).isEqualTo(3);
    assertThat(tenrec.<Integer>setting(CommandProperties.RETRY_BUDGET_PERCENT, KEY)).isEqualTo(7);
    assertThat(tenrec.<Duration>setting(CommandProperties.RETRY_LONGEST_DELAY, KEY))
        .isEqualTo(Duration.ofMillis(70));
    assertThat(tenrec.<Duration>setting(CommandProperties.RETRY_ATTEMPT_TIMEOUT, KEY))
        .isEqualTo(Duration.ofMillis(700));
  }

  @Test
  void figures_ofTheCode_winOverTheDefaultLevel() {
    set("default", "budgetPercent", "7");
    set("default", "firstDelayInMilliseconds", "70");
    Command<Integer, Integer> said = failing(atOnce(3).budget(5, 1)).build();
    assertThat(said.view().key()).isEqualTo(KEY);

    assertThat(tenrec.<Integer>setting(CommandProperties.RETRY_BUDGET_PERCENT, KEY)).isEqualTo(5);
    assertThat(tenrec.<Integer>setting(CommandProperties.RETRY_BUDGET_PER_SECOND, KEY)).isOne();
    assertThat(tenrec.<Duration>setting(CommandProperties.RETRY_FIRST_DELAY, KEY))
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void build_secondTimeWithOtherFigures_saysSo() {
    Command<Integer, Integer> first = failing(atOnce(3)).build();
    assertThat(first.view().key()).isEqualTo(KEY);

    assertThatIllegalStateException()
        .isThrownBy(() -> failing(atOnce(2)).build())
        .withMessageContaining(KEY)
        .withMessageContaining("retry.attempts");
  }

  @Test
  void longestDelay_shorterThanTheFirst_holdsForTheFirst() {
    Command<Integer, Integer> command =
        failing(
                Retry.attempts(2)
                    .backoff(Duration.ofDays(1), Duration.ofDays(1))
                    .jitter(Jitter.NONE))
            .build();
    assertThat(attemptsOf(command)).as("no time is left for the second").isEqualTo(1);

    set(KEY, "longestDelayInMilliseconds", "0");
    assertThat(attemptsOf(command)).isEqualTo(2);
  }

  @Test
  void change_outOfRange_leavesTheLastGoodValue() {
    Command<Integer, Integer> command = failing(atOnce(3)).build();

    set(KEY, "attempts", "0");
    assertThat(tenrec.resolvedSettings().refusals())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.key()).isEqualTo("tenrec.command." + KEY + ".retry.attempts");
              assertThat(refusal.rule()).contains("1").contains("100");
            });
    assertThat(attemptsOf(command)).isEqualTo(3);
  }
}
