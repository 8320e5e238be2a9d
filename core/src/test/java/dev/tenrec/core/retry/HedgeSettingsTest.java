// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The figures of a hedge are settings, by the four levels; what cannot be hedged is not built. */
class HedgeSettingsTest {

  private static final String KEY = "Slow";

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.tenrec());

  private CommandBuilder<String, String> builder() {
    return tenrec.command(KEY, (String x) -> x);
  }

  private static Hedge hedge() {
    return Hedge.after(Duration.ofMillis(20));
  }

  @Test
  void build_onTheCallersThread_saysWhyNot() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().isolation(Isolation.semaphore(5)).hedge(hedge()).build())
        .withMessageContaining(KEY)
        .withMessageContaining("caller's own thread cannot be hedged");
    Command<String, String> command = builder().hedge(hedge()).build(); // nothing was left of it
    assertThat(command.execute("x")).isEqualTo("x");
  }

  @Test
  void build_onTheCallersThreadByAProperty_saysWhyNot() {
    tenrec.set("tenrec.command." + KEY + ".execution.isolation.strategy", "SEMAPHORE");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().hedge(hedge()).build())
        .withMessageContaining("caller's own thread cannot be hedged");
  }

  @Test
  void build_refusedForAProperty_leavesNothingOfTheCommand() {
    List<String> there = new ArrayList<>();
    Subscription following =
        tenrec.follow(
            new InventoryListener() {
              @Override
              public void onCommandAdded(CommandDetails command) {
                there.add(command.key());
              }
            });
    tenrec.set("tenrec.command." + KEY + ".execution.isolation.strategy", "SEMAPHORE");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().hedge(hedge().sharedBudget("Shared")).build());

    following.close();
    assertThat(there).isEmpty();
    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.retryBudgets()).isEmpty();
    assertThat(builder().build().execute("x")).as("built without a hedge").isEqualTo("x");
  }

  /** Built before, on a pool, with the same settings: it stays as it is. */
  @Test
  void build_refusedForAProperty_leavesTheCommandThatIsThere() {
    Command<String, String> before = builder().hedge(hedge()).build();
    tenrec.set("tenrec.command." + KEY + ".execution.isolation.strategy", "SEMAPHORE");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().hedge(hedge()).build())
        .withMessageContaining("caller's own thread cannot be hedged");

    assertThat(before.isClosed()).isFalse();
    assertThat(before.execute("x")).isEqualTo("x");
  }

  @Test
  void isolation_changedToTheCallersThread_leavesCallsUnhedged() {
    Command<String, String> command = builder().hedge(hedge()).build();
    tenrec.set("tenrec.command." + KEY + ".execution.isolation.strategy", "SEMAPHORE");

    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(command.attempt("x").attempts()).isOne();
  }

  @Test
  void build_secondTimeWithOtherFigures_saysSo() {
    Command<String, String> first = builder().hedge(hedge()).build();
    assertThat(first.view().key()).isEqualTo(KEY);

    assertThatIllegalStateException()
        .isThrownBy(() -> builder().hedge(hedge().atMost(2)).build())
        .withMessageContaining("hedge.atMost");
  }

  @Test
  void figures_ofTheCode_winOverTheDefaultLevelAndLoseToTheCommands() {
    tenrec.set("tenrec.command.default.hedge.afterInMilliseconds", "70");
    tenrec.set("tenrec.command.default.hedge.budgetPercent", "7");
    tenrec.set("tenrec.command." + KEY + ".hedge.atMost", "3");
    Command<String, String> command = builder().hedge(hedge()).build();
    assertThat(command.view().key()).isEqualTo(KEY);

    assertThat(tenrec.<Duration>setting(CommandProperties.HEDGE_AFTER, KEY))
        .isEqualTo(Duration.ofMillis(20));
    assertThat(tenrec.<Integer>setting(CommandProperties.HEDGE_AT_MOST, KEY)).isEqualTo(3);
    assertThat(tenrec.<Integer>setting(CommandProperties.HEDGE_BUDGET_PERCENT, KEY)).isEqualTo(7);
  }

  @Test
  void figures_outOfRange_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Hedge.after(Duration.ofNanos(999_999)));
    assertThatIllegalArgumentException().isThrownBy(() -> Hedge.after(Duration.ofDays(2)));
    assertThatIllegalArgumentException().isThrownBy(() -> Hedge.afterPercentile(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Hedge.afterPercentile(100));
    assertThatIllegalArgumentException().isThrownBy(() -> hedge().atMost(0));
    assertThatIllegalArgumentException().isThrownBy(() -> hedge().atMost(11));
    assertThatIllegalArgumentException().isThrownBy(() -> hedge().budget(101, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> hedge().budget(1, -1));
    assertThat(Hedge.afterPercentile(95).noEarlierThan(Duration.ofMillis(3)))
        .hasToString("up to 1 more, p95 and at least PT0.003S apart, budget 5 % and 1 a second");
  }
}
