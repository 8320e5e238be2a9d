// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolAgreementTest {

  private final Tenrec tenrec = Unhurried.tenrec();

  @AfterEach
  void close() {
    tenrec.close();
  }

  private CommandBuilder<Integer, Integer> command(String key) {
    return tenrec.command(key, (Integer i) -> i).group("Group");
  }

  @Test
  void pool_madeByOneWhoSaidNothing_goesByTheNextWhoDoes() {
    command("First").build();
    command("Second").isolation(Isolation.threadPool().coreSize(5)).build();

    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(5);
  }

  /** What it went by before would otherwise be shown, and be changed by properties, for ever. */
  @Test
  void pool_thatCodeSaysSomethingOfLater_hasTheSettingsOfThatOnly() {
    command("First").build();
    command("Second").isolation(Isolation.threadPool().coreSize(5)).build();

    assertThat(tenrec.setting(PoolProperties.CORE_SIZE, "Group")).isEqualTo(5);
    assertThat(tenrec.resolvedSettings().effective())
        .filteredOn(
            setting -> setting.key().equals("Group") && setting.property().equals("coreSize"))
        .extracting(EffectiveSetting::value)
        .containsExactly("5");
    assertThat(tenrec.remove("First")).isTrue();
    assertThat(tenrec.remove("Second")).isTrue();
    assertThat(tenrec.resolvedSettings().effective()).isEmpty();
  }

  /** The others' calls would find another room, because of a command that there is not. */
  @Test
  void pool_thatARefusedCommandSaysSomethingOf_staysAsItIs() {
    Retry retry = Retry.attempts(2).sharedBudget("Budget");
    command("First").retry(retry.budget(10, 1)).build();
    int before = tenrec.pools().get(0).coreSize();

    assertThatThrownBy(
            () ->
                command("Second")
                    .isolation(Isolation.threadPool().coreSize(5))
                    .retry(retry.budget(10, 2))
                    .build())
        .hasMessageContaining("retry budget Budget was built before");

    assertThat(before).isNotEqualTo(5);
    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(before);
    assertThat(tenrec.setting(PoolProperties.CORE_SIZE, "Group")).isEqualTo(before);
    command("Third").isolation(Isolation.threadPool().coreSize(7)).build();
    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(7);
  }

  /** The same for the command of its batches, which is made first. */
  @Test
  void pool_thatARefusedCollapserSaysSomethingOf_staysAsItIs() {
    command("First").build();
    collapser("Batched", "Batches").build();
    int before = tenrec.pools().get(0).coreSize();

    assertThatThrownBy(
            () ->
                collapser("Batched", "Others")
                    .isolation(Isolation.threadPool().coreSize(5))
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "collapser Batched was built before with the batch command Batches, now Others");
    assertThatThrownBy(
            () ->
                collapser("Uneven", "Others")
                    .isolation(Isolation.threadPool().coreSize(5))
                    .collapserProperty("metrics.rollingStats.numBuckets", "7")
                    .build())
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(before).isNotEqualTo(5);
    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(before);
    assertThat(tenrec.commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder("First", "Batches");
  }

  private CollapserBuilder<Integer, Integer> collapser(String key, String batchKey) {
    return tenrec
        .collapserByPosition(key, (List<Integer> all) -> all)
        .batchKey(batchKey)
        .group("Group")
        .globalScope();
  }

  @Test
  void pool_thatIsLeftByOneWhoSaidNothing_staysAsTheOtherSaid() {
    command("First").build();
    command("Second").isolation(Isolation.threadPool().coreSize(5)).build();
    assertThat(tenrec.remove("First")).isTrue();

    assertThatThrownBy(() -> command("Third").isolation(Isolation.threadPool().coreSize(7)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("thread pool Group was built before with other settings");
  }

  /** Its command may come back to it, and nothing else may say otherwise until then. */
  @Test
  void pool_thatCodeSaysSomethingOf_staysWhileItsCommandIsOnAnother() {
    command("Moving").isolation(Isolation.threadPool().coreSize(5)).build();

    tenrec.set("tenrec.command.Moving.threadPoolKeyOverride", "Other");

    assertThat(tenrec.pools())
        .extracting(PoolView::key)
        .containsExactlyInAnyOrder("Group", "Other");
    assertThat(tenrec.remove("Moving")).isTrue();
    assertThat(tenrec.pools()).isEmpty();
  }

  @Test
  void pool_ofTwoOverrides_staysUntilBothAreOver() {
    Command<Integer, Integer> first = tenrec.command("First", (Integer i) -> i).build();
    Command<Integer, Integer> second = tenrec.command("Second", (Integer i) -> i).build();
    tenrec.set("tenrec.command.First.threadPoolKeyOverride", "Common");
    tenrec.set("tenrec.command.Second.threadPoolKeyOverride", "Common");

    tenrec.clear("tenrec.command.First.threadPoolKeyOverride");

    assertThat(tenrec.pools())
        .extracting(PoolView::key)
        .containsExactlyInAnyOrder("First", "Second", "Common");
    assertThat(first.execute(1) + second.execute(2)).isEqualTo(3);
    tenrec.clear("tenrec.command.Second.threadPoolKeyOverride");
    assertThat(tenrec.pools())
        .extracting(PoolView::key)
        .containsExactlyInAnyOrder("First", "Second");
  }

  @Test
  void pool_saidDifferently_isAnErrorAtOnce_whateverTheStrategyNow() {
    tenrec.set("tenrec.command.First.execution.isolation.strategy", "SEMAPHORE");
    command("First").isolation(Isolation.threadPool().coreSize(5)).build();

    assertThatThrownBy(
            () -> command("Second").isolation(Isolation.threadPool().coreSize(7)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Group")
        .hasMessageContaining("5")
        .hasMessageContaining("7");
    assertThat(tenrec.commands()).hasSize(1);
  }

  @Test
  void pool_ofAnOverrideThatIsOver_goesWithItsThreads() {
    Command<Integer, Integer> command = command("Moving").build();
    for (int i = 0; i < 5; i++) {
      tenrec.set("tenrec.command.Moving.threadPoolKeyOverride", "Pool" + i);
      assertThat(command.execute(i)).isEqualTo(i);
    }
    tenrec.clear("tenrec.command.Moving.threadPoolKeyOverride");
    assertThat(command.execute(7)).isEqualTo(7);

    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("Group");
    await().atMost(PatientWaits.patience()).until(() -> tenrec.liveThreads() <= 3);
  }

  @Test
  void pool_describedByPropertyNames_isTheSameAsByMethods() {
    command("First").isolation(Isolation.threadPool().coreSize(5).queueSize(7)).build();
    command("Second")
        .isolation(Isolation.threadPool().property("coreSize", "5").property("maxQueueSize", " 7 "))
        .build();

    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(5);
    assertThatThrownBy(() -> Isolation.threadPool().key("P").property("coreSiz", "5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threadpool.P.coreSiz")
        .hasMessageContaining("coreSize");
  }
}
