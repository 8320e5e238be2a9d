// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A budget that commands share by its name, by the manual clock. */
class SharedBudgetTest {

  private static final String NAME = "Warehouse";

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    tenrec.close(Duration.ZERO);
  }

  private static Retry once() {
    return Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).howeverLittleTimeIsLeft();
  }

  /** Answers an even number, and fails for an odd one, on its caller's thread. */
  private Command<Integer, Integer> command(String key, Retry retry) {
    return tenrec
        .command(
            key,
            (Integer i) -> {
              if (i % 2 == 1) {
                throw new IOException("odd");
              }
              return i;
            })
        .isolation(Isolation.semaphore(100))
        .withoutCircuitBreaker()
        .retry(retry)
        .fallback((i, cause) -> -i)
        .build();
  }

  private static void call(Command<Integer, Integer> command, int times, int argument) {
    for (int i = 0; i < times; i++) {
      assertThat(Math.abs(command.execute(argument))).isEqualTo(argument);
    }
  }

  private static long retries(Command<?, ?> command) {
    return command.view().cumulativeCount(EventType.RETRY);
  }

  private RetryBudgetDetails budget() {
    assertThat(tenrec.retryBudgets()).hasSize(1);
    return tenrec.retryBudgets().get(0);
  }

  @Test
  void commands_thatNameIt_spendFromOneBudget() {
    Command<Integer, Integer> first = command("First", once().sharedBudget(NAME).budget(0, 1));
    Command<Integer, Integer> second = command("Second", once().budget(0, 1).sharedBudget(NAME));
    Command<Integer, Integer> other = command("Other", once().budget(0, 1));

    call(first, 7, 1);
    call(second, 7, 1);
    call(other, 7, 1);

    assertThat(retries(first)).isEqualTo(7);
    assertThat(retries(second)).isEqualTo(3);
    assertThat(second.view().cumulativeCount(EventType.RETRY_BUDGET_EXHAUSTED)).isEqualTo(4);
    assertThat(retries(other)).as("on a budget of its own").isEqualTo(7);
    assertThat(budget().name()).isEqualTo(NAME);
    assertThat(budget().spent()).isEqualTo(10);
    assertThat(budget().available()).isZero();
    assertThat(budget().commands()).containsExactlyInAnyOrder("First", "Second");

    time.advance(Duration.ofSeconds(11));
    assertThat(budget().spent()).isZero();
    assertThat(budget().available()).isEqualTo(10);
  }

  @Test
  void share_isOfWhatAllOfThemExecuted() {
    Command<Integer, Integer> busy = command("Busy", once().sharedBudget(NAME).budget(10, 0));
    Command<Integer, Integer> failing = command("Failing", once().sharedBudget(NAME).budget(10, 0));

    call(failing, 1, 2);
    call(busy, 98, 2);
    call(failing, 20, 1); // of which the first is read with the others: a hundred

    assertThat(retries(failing)).isEqualTo(10);
    assertThat(retries(busy)).isZero();
  }

  /** Of two minutes that are looked back on, a twelfth: as much as fell to its ten seconds. */
  @Test
  void share_ofACommandThatCountsForLonger_isOfTheTimeOfTheBudget() {
    tenrec.set("tenrec.command.default.metrics.rollingStats.timeInMilliseconds", "120000");
    Command<Integer, Integer> command = command("Long", once().sharedBudget(NAME).budget(100, 0));

    call(command, 120, 2);

    assertThat(budget().available()).isEqualTo(10);
  }

  @Test
  void hedgesAndRetries_ofOneCommand_mayNameTheSame() {
    Command<Integer, Integer> command =
        tenrec
            .asyncCommand(
                "Both",
                (Integer i) -> CompletableFuture.<Integer>failedFuture(new IOException("down")))
            .withoutCircuitBreaker()
            .hedge(Hedge.after(Duration.ofMillis(5)).sharedBudget(NAME))
            .retry(once().sharedBudget(NAME))
            .fallback((i, cause) -> -i)
            .build();

    assertThat(command.isClosed()).isFalse();
    assertThat(budget().commands()).containsExactly("Both");
    assertThat(tenrec.remove("Both")).isTrue();
    assertThat(tenrec.retryBudgets()).isEmpty();
  }

  @Test
  void hedges_ofACommandWithoutRetry_areOfTheBudgetTheyName() {
    Command<Integer, Integer> command =
        tenrec
            .asyncCommand("Hedged", (Integer i) -> CompletableFuture.completedFuture(i))
            .hedge(Hedge.after(Duration.ofMillis(5)).sharedBudget(NAME))
            .build();

    assertThat(command.isClosed()).isFalse();
    assertThat(budget().commands()).containsExactly("Hedged");
    assertThat(tenrec.remove("Hedged")).isTrue();
    assertThat(tenrec.retryBudgets()).isEmpty();
  }

  @Test
  void figures_areSettingsOfItsName_inFourLevels() {
    Command<Integer, Integer> command = command("First", once().sharedBudget(NAME));
    assertThat(figures()).containsExactly("20 DEFAULT", "3 DEFAULT");

    tenrec.set("tenrec.retrybudget.default.percent", "7");
    tenrec.set("tenrec.retrybudget." + NAME + ".perSecond", "2");
    assertThat(figures()).containsExactly("7 GLOBAL", "2 INSTANCE");
    call(command, 30, 1);
    assertThat(retries(command)).as("at two a second, and 7 % of one").isEqualTo(20);

    tenrec.set("tenrec.retrybudget." + NAME + ".perSecond", "3");
    call(command, 30, 1);
    assertThat(retries(command)).as("what was spent is spent").isEqualTo(30);
  }

  private List<String> figures() {
    List<String> figures = new ArrayList<>();
    for (EffectiveSetting setting : budget().settings()) {
      figures.add(setting.value() + " " + setting.level());
    }
    return figures;
  }

  @Test
  void figures_ofTheCommand_meanNothing() {
    Command<Integer, Integer> command = command("First", once().sharedBudget(NAME).budget(0, 1));
    tenrec.set("tenrec.command.First.retry.budgetPerSecond", "1000");

    call(command, 20, 1);

    assertThat(retries(command)).isEqualTo(10);
  }

  @Test
  void figures_thatOtherCodeSaysOtherwise_areAnError() {
    Command<Integer, Integer> first = command("First", once().sharedBudget(NAME).budget(0, 1));
    assertThat(first.isClosed()).isFalse();

    assertThatIllegalStateException()
        .isThrownBy(() -> command("Second", once().sharedBudget(NAME).budget(0, 2)))
        .withMessageContaining("retry budget " + NAME + " was built before with other settings");
    assertThat(budget().commands()).containsExactly("First");
    assertThatIllegalStateException()
        .isThrownBy(() -> command("First", once()))
        .withMessageContaining("budget of retries " + NAME);
  }

  @Test
  void name_thatIsBlank_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> once().sharedBudget(" "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hedge.after(Duration.ofMillis(5)).sharedBudget(""));
  }

  @Test
  void budget_isThereAsLongAsACommandSharesIt() {
    Command<Integer, Integer> first = command("First", once().sharedBudget(NAME).budget(0, 1));
    Command<Integer, Integer> second = command("Second", once().sharedBudget(NAME).budget(0, 1));
    call(first, 10, 1);

    assertThat(tenrec.remove("First")).isTrue();
    call(second, 1, 1);
    assertThat(retries(second)).as("spent by the one that has gone").isZero();
    assertThat(budget().commands()).containsExactly("Second");

    assertThat(tenrec.remove("Second")).isTrue();
    assertThat(tenrec.retryBudgets()).isEmpty();
    Command<Integer, Integer> anew = command("First", once().sharedBudget(NAME).budget(0, 2));
    call(anew, 30, 1);
    assertThat(retries(anew)).isEqualTo(20);
  }

  @Test
  void follower_isToldOfEachBudgetOnce_asItComesAndGoes() {
    List<String> news = new ArrayList<>();
    List<RetryBudgetDetails> told = new ArrayList<>();
    command("Before", once().sharedBudget("There").budget(0, 1));
    tenrec.follow(
        new InventoryListener() {
          @Override
          public void onCommandAdded(CommandDetails command) {
            news.add("+" + command.key());
          }

          @Override
          public void onRetryBudgetAdded(RetryBudgetDetails budget) {
            news.add("+" + budget.name());
            told.add(budget);
          }

          @Override
          public void onRetryBudgetRemoved(RetryBudgetDetails budget) {
            news.add("-" + budget.name());
            assertThat(told).contains(budget);
          }
        });
    assertThat(news).containsExactly("+Before", "+There");

    Command<Integer, Integer> first = command("First", once().sharedBudget(NAME).budget(0, 1));
    command("Second", once().sharedBudget(NAME).budget(0, 1));
    call(first, 4, 1);
    assertThat(told.get(1).spent()).isEqualTo(4);
    assertThat(told.get(1).available()).isEqualTo(6);
    assertThat(tenrec.remove("First")).isTrue();
    assertThat(tenrec.remove("Second")).isTrue();

    assertThat(news)
        .containsExactly("+Before", "+There", "+" + NAME, "+First", "+Second", "-" + NAME);
    assertThat(told.get(1).commands()).as("readable, though it has gone").isEmpty();
  }

  @Test
  void follower_ofABuildThatIsRefused_isLeftWithNoBudget() {
    List<String> there = new ArrayList<>();
    command("First", once().sharedBudget("Other").budget(0, 1));
    tenrec.follow(
        new InventoryListener() {
          @Override
          public void onRetryBudgetAdded(RetryBudgetDetails budget) {
            there.add(budget.name());
          }

          @Override
          public void onRetryBudgetRemoved(RetryBudgetDetails budget) {
            assertThat(there.remove(budget.name())).isTrue();
          }
        });

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                tenrec
                    .asyncCommand("Both", (Integer i) -> CompletableFuture.completedFuture(i))
                    .retry(once().sharedBudget(NAME))
                    .hedge(Hedge.after(Duration.ofMillis(5)).sharedBudget("Other").budget(0, 2))
                    .build())
        .withMessageContaining("retry budget Other was built before");

    assertThat(there).containsExactly("Other");
    assertThat(tenrec.retryBudgets()).hasSize(1);
  }

  @Test
  void explanation_namesTheBudgetThatWasUsedUp() {
    Command<Integer, Integer> command = command("First", once().sharedBudget(NAME).budget(0, 0));
    assertThat(command.view().explain()).doesNotContain(NAME);

    call(command, 3, 1);

    assertThat(tenrec.explain("First"))
        .isEqualTo(command.view().explain())
        .contains(
            "3 failures were not retried",
            "in force is what retry budget " + NAME + " allows all that share it.");
  }

  @Test
  void figure_thatIsRefused_isSeenWithItsRule() {
    Command<Integer, Integer> command = command("First", once().sharedBudget(NAME).budget(0, 1));
    String percent = "tenrec.retrybudget." + NAME + ".percent";

    tenrec.set(percent, "101");

    EffectiveSetting setting = budget().settings().get(0);
    assertThat(setting.value()).isEqualTo("0");
    assertThat(setting.level()).isEqualTo(SettingLevel.CODE);
    assertThat(setting.refusal()).isNotNull();
    assertThat(setting.refusal().key()).isEqualTo(percent);
    call(command, 1, 1);
    assertThat(budget().available()).isEqualTo(9);
  }

  @Tag("race")
  @Test
  void manyThreads_ofSeveralCommands_spendExactlyWhatThereIs() throws Exception {
    int threads = 6;
    List<Command<Integer, Integer>> commands = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      commands.add(command("Raced" + i, once().sharedBudget(NAME).budget(0, 50)));
    }
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<?>> callers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Command<Integer, Integer> command = commands.get(t % commands.size());
      callers.add(
          executor.submit(
              () -> {
                start.await();
                call(command, 300, 1);
                return null;
              }));
    }
    start.countDown();
    for (Future<?> caller : callers) {
      caller.get();
    }
    executor.shutdown();

    assertThat(commands.stream().mapToLong(SharedBudgetTest::retries).sum()).isEqualTo(500);
    assertThat(budget().spent()).isEqualTo(500);
    for (Command<Integer, Integer> command : commands) {
      assertThat(command.view().concurrency()).isZero();
    }
  }
}
