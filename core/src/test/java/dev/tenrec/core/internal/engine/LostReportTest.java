// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.Configuration;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * There is no memory to keep what is to be reported to a follower of the inventory. What was to be
 * added is there all the same, and what was to be removed is gone.
 */
class LostReportTest {

  private static final NamedShare SEMAPHORE =
      new NamedShare(
          "S", CodeSettings.semaphore().set(SemaphoreProperties.MAX_CONCURRENT, 3).build());
  private static final NamedShare LIMITER =
      new NamedShare("L", CodeSettings.rateLimiter().set(RateLimiterProperties.PERMITS, 5).build());
  private static final NamedShare BUDGET =
      new NamedShare("B", CodeSettings.retryBudget().set(RetryBudgetProperties.PERCENT, 7).build());
  private static final CodeSettings BATCHING = CodeSettings.collapser().build();

  private final Tenrec tenrec = Unhurried.tenrec();
  private final Engine engine = InsideTenrec.registry(tenrec).engine();
  private final Configuration configuration = Configuration.open(new NoSettings());
  private final List<Throwable> lost = new ArrayList<>();
  private final List<String> news = new ArrayList<>();

  /** Whether there is memory for the report that so many came before. */
  private IntPredicate isKept = before -> true;

  private int reports;

  /** Whether another thread is at the reports, and takes each when it comes. */
  private boolean takenAtOnce;

  private final Registry registry =
      new Registry(
          engine,
          configuration,
          new VirtualStarter(engine.closing()),
          10,
          "LostReportTest",
          new Inventory(this::afterwards, (what, thrown) -> lost.add(thrown)));

  @AfterEach
  void close() {
    registry.close();
    registry.closeAll();
    configuration.close();
    tenrec.close();
  }

  private void afterwards(Runnable report) {
    if (!isKept.test(reports++)) {
      throw new OutOfMemoryError("of the test");
    }
    if (takenAtOnce) {
      report.run();
    } else {
      configuration.afterwards(report);
    }
  }

  /** Writes down what is added. */
  private final class Told implements InventoryListener {

    @Override
    public void onCommandAdded(CommandDetails command) {
      news.add("command " + command.key());
    }

    @Override
    public void onPoolAdded(PoolDetails pool) {
      news.add("pool " + pool.key());
    }

    @Override
    public void onCollapserAdded(CollapserDetails collapser) {
      news.add("collapser " + collapser.key());
    }

    @Override
    public void onSemaphoreAdded(SemaphoreDetails semaphore) {
      news.add("semaphore " + semaphore.name());
    }

    @Override
    public void onRateLimiterAdded(RateLimiterDetails limiter) {
      news.add("limiter " + limiter.name());
    }

    @Override
    public void onRetryBudgetAdded(RetryBudgetDetails budget) {
      news.add("budget " + budget.name());
    }
  }

  private static Definition definition() {
    return new Definition(
        "G",
        CodeSettings.command().build(),
        "G",
        CodeSettings.pool().build(),
        SEMAPHORE,
        LIMITER,
        BUDGET,
        null,
        false);
  }

  /** All that there is, and what has settings that are kept up to date. */
  private Set<String> inventory() {
    Set<String> all = new TreeSet<>();
    registry.commands().forEach(entry -> all.add("command " + entry.runtime().commandKey));
    registry.collapsers().forEach(entry -> all.add("collapser " + entry.view().key()));
    registry.pools().forEach(pool -> all.add("pool " + pool.view().key()));
    registry.semaphores().forEach(semaphore -> all.add("semaphore " + semaphore.name()));
    registry.rateLimiters().forEach(limiter -> all.add("limiter " + limiter.name()));
    registry.retryBudgets().forEach(budget -> all.add("budget " + budget.name()));
    configuration
        .resolved()
        .effective()
        .forEach(setting -> all.add("settings of " + setting.scope() + " " + setting.key()));
    return all;
  }

  /** Also what is listed has settings, and what has settings is listed. */
  private Set<String> withCommand() {
    return withSettings(
        "command C", "semaphore S", "ratelimiter L", "retrybudget B", "threadpool G");
  }

  private static Set<String> withSettings(String... live) {
    Set<String> all = new TreeSet<>();
    for (String one : live) {
      all.add("settings of " + one);
      all.add(
          one.replace("ratelimiter", "limiter")
              .replace("retrybudget", "budget")
              .replace("threadpool", "pool"));
    }
    return all;
  }

  private void whileKept(IntPredicate those, Runnable action) {
    reports = 0;
    isKept = those;
    action.run();
    isKept = before -> true;
  }

  private void whileNoneIsKept(Runnable action) {
    whileKept(before -> false, action);
  }

  private void build() {
    Registry.Entry unused = registry.command("C", definition());
  }

  private void collapse() {
    Collapsers.Entry unused = registry.collapser("Over", "C", definition(), BATCHING);
  }

  @Test
  void command_thatNoFollowerCanBeToldOf_isThereWithAllThatItShares() {
    Subscription unused = registry.follow(new Told());

    whileNoneIsKept(this::build);

    assertThat(lost).hasSize(5).hasOnlyElementsOfType(OutOfMemoryError.class);
    assertThat(news).isEmpty();
    assertThat(inventory()).isEqualTo(withCommand());
    assertThat(registry.command("C", definition())).isSameAs(registry.find("C"));
    assertThat(registry.remove("C")).isTrue();
    assertThat(inventory()).isEmpty();
  }

  /** Whichever it is: that of a thing it shares, of its pool, or of the command itself. */
  @Test
  void command_ofWhichOneReportIsLost_isThere() {
    Subscription unused = registry.follow(new Told());
    for (int one = 0; one < 5; one++) {
      int missed = one;
      whileKept(before -> before != missed, this::build);

      assertThat(lost).hasSize(missed + 1);
      assertThat(news).hasSize(4);
      assertThat(inventory()).as("without report %d", missed).isEqualTo(withCommand());
      assertThat(registry.remove("C")).isTrue();
      assertThat(inventory()).isEmpty();
      news.clear();
    }
  }

  @Test
  void collapser_thatNoFollowerCanBeToldOf_isThere() {
    Subscription unused = registry.follow(new Told());
    build();

    whileNoneIsKept(this::collapse);

    assertThat(lost).hasSize(1);
    assertThat(inventory()).contains("collapser Over", "settings of collapser Over");
    assertThat(registry.remove("Over")).isTrue();
    assertThat(inventory()).isEmpty();
  }

  @Test
  void command_whoseRemovalNoFollowerCanBeToldOf_isGoneWithAllThatItShared() {
    Subscription unused = registry.follow(new Told());
    collapse();

    whileNoneIsKept(() -> assertThat(registry.remove("C")).isTrue());

    assertThat(lost).hasSize(6);
    assertThat(inventory()).isEmpty();
  }

  @Test
  void report_thatIsLostForOneFollower_reachesTheOthers() {
    Subscription first = registry.follow(new Told());
    Subscription second = registry.follow(new Told());
    Subscription third = registry.follow(new Told());

    whileKept(before -> before != 1, this::build); // the second follower's of the semaphore

    assertThat(news).hasSize(3 * 5 - 1);
    assertThat(news.subList(0, 3)).containsExactly("semaphore S", "semaphore S", "limiter L");
    assertThat(lost).hasSize(1);
  }

  /** There is no subscription to end it by. */
  @Test
  void follower_thatCannotBeToldWhatThereIs_followsNothing() {
    build();

    whileKept(
        before -> before < 3,
        () ->
            assertThatThrownBy(() -> registry.follow(new Told()))
                .isInstanceOf(OutOfMemoryError.class));

    assertThat(registry.remove("C")).isTrue();
    build();
    assertThat(news).isEmpty();
    assertThat(lost).isEmpty();
  }

  @Test
  void follower_whoseReportsAreTakenAtOnce_isToldWhatThereIs() {
    build();
    takenAtOnce = true;

    Subscription unused = registry.follow(new Told());

    assertThat(news)
        .containsExactlyInAnyOrder("command C", "pool G", "semaphore S", "limiter L", "budget B");
  }
}
