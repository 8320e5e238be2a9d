// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.BreakingTime;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.PoolView;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is left of a command that something broke the building of, wherever that was: nothing. */
class FailedBuildingTest {

  private static final String WINDOW = "metrics.rollingStats.timeInMilliseconds";

  private final ManualTime time = new ManualTime();
  private final BreakingTime ticker = new BreakingTime(time);
  private final Tenrec tenrec = Unhurried.builder().build(ticker, time, null);
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void close() {
    held.letGo();
    Elsewhere.close(tenrec, time);
  }

  /** All that there is, by scope and key, and what has settings that are kept up to date. */
  private Set<String> inventory() {
    Set<String> all = new TreeSet<>();
    tenrec.commands().forEach(command -> all.add("command " + command.key()));
    tenrec.collapsers().forEach(collapser -> all.add("collapser " + collapser.key()));
    tenrec.pools().forEach(pool -> all.add("pool " + pool.key()));
    tenrec.semaphores().forEach(semaphore -> all.add("semaphore " + semaphore.name()));
    tenrec.rateLimiters().forEach(limiter -> all.add("limiter " + limiter.name()));
    tenrec.retryBudgets().forEach(budget -> all.add("budget " + budget.name()));
    tenrec
        .resolvedSettings()
        .effective()
        .forEach(setting -> all.add("settings of " + setting.scope() + " " + setting.key()));
    return all;
  }

  /**
   * Builds it until it succeeds, where time cannot be read from the first reading on, then from the
   * second one on, and so forth.
   *
   * @return how often it failed
   */
  private int buildWithBreaks(Runnable build) {
    Set<String> before = inventory();
    int failed = 0;
    while (failsAfter(failed, build)) {
      assertThat(inventory()).as("broken after %d readings", failed).isEqualTo(before);
      failed++;
    }
    return failed;
  }

  private boolean failsAfter(int readings, Runnable build) {
    try {
      ticker.brokenAfter(readings, build);
      return false;
    } catch (IllegalStateException broken) {
      assertThat(broken).hasMessage("thrown on purpose");
      return true;
    }
  }

  private CommandBuilder<String, String> command(String key) {
    return tenrec
        .command(key, held)
        .group("G")
        .withoutTimeout()
        .rateLimit(RateLimit.of(5, Duration.ofSeconds(1)).shared("L " + key))
        .retry(Retry.attempts(2).sharedBudget("B " + key));
  }

  @Test
  void commandOnAPool_thatFailsToBeBuilt_leavesNothing() {
    assertThat(buildWithBreaks(() -> command("C").build())).isGreaterThan(1);

    assertThat(inventory()).contains("pool G", "settings of threadpool G");
    assertThat(tenrec.remove("C")).isTrue();
    assertThat(inventory()).isEmpty();
  }

  @Test
  void commandOnASharedSemaphore_thatFailsToBeBuilt_leavesNothing() {
    Isolation isolation = Isolation.semaphore(3).shared("S");
    assertThat(buildWithBreaks(() -> command("C").isolation(isolation).build())).isPositive();

    assertThat(inventory()).contains("semaphore S", "settings of semaphore S");
    assertThat(tenrec.remove("C")).isTrue();
    assertThat(inventory()).isEmpty();
  }

  /** Its last step is to have the pool that the first one uses go by what its own code says. */
  @Test
  void commandThatChangesAPool_thatFailsToBeBuilt_leavesTheOthers() {
    command("First").build();
    Isolation isolation = Isolation.threadPool().coreSize(5).property(WINDOW, "20000");
    assertThat(buildWithBreaks(() -> command("Second").isolation(isolation).build()))
        .isGreaterThan(1);

    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(5);
    assertThat(tenrec.remove("First")).isTrue();
    assertThat(tenrec.remove("Second")).isTrue();
    assertThat(inventory()).isEmpty();
  }

  @Test
  void collapser_thatFailsToBeBuilt_leavesNothing() {
    assertThat(
            buildWithBreaks(
                () ->
                    tenrec
                        .collapserByPosition("Batched", (List<String> all) -> all)
                        .globalScope()
                        .build()))
        .isGreaterThan(1);

    assertThat(inventory()).contains("collapser Batched", "settings of collapser Batched");
    assertThat(tenrec.remove("Batched")).isTrue();
    assertThat(inventory()).isEmpty();
  }

  /** Else the calls in it and those of a second pool would be twice as many as allowed. */
  @Test
  void poolThatWasLetGoOf_andFailsToBeTakenUpAgain_isTakenUpLater() {
    CompletableFuture<String> call =
        command("C").isolation(Isolation.threadPool().coreSize(2)).build().executeAsync("x");
    held.awaitRunning(1);
    assertThat(tenrec.remove("C")).isTrue();

    Isolation isolation = Isolation.threadPool().coreSize(2).property(WINDOW, "20000");
    assertThat(buildWithBreaks(() -> command("C").isolation(isolation).build())).isGreaterThan(1);

    assertThat(tenrec.pools()).extracting(PoolView::active).containsExactly(1);
    held.letGo();
    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("x");
  }
}
