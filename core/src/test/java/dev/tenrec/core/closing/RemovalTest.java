// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes with a command that is taken out, and what stays. */
class RemovalTest {

  private static final int MANY = 10_000;
  private static final int SAMPLE = 101;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Tenrec tenrec = Unhurried.builder().maxCommands(MANY).build();
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void close() {
    held.letGo();
    tenrec.close();
  }

  private CommandBuilder<String, String> command(String key) {
    return tenrec.command(key, (String s) -> s);
  }

  /**
   * The processor's time of one of {@code SAMPLE} actions: the median, so that neither a collection
   * of garbage nor a busy machine counts.
   */
  private static long cost(IntConsumer action) {
    long[] nanos = new long[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
      long before = THREADS.getCurrentThreadCpuTime();
      action.accept(i);
      nanos[i] = THREADS.getCurrentThreadCpuTime() - before;
    }
    Arrays.sort(nanos);
    return nanos[SAMPLE / 2];
  }

  /**
   * A hundred times as many commands would make it a hundred times as dear, if it looked at all.
   */
  private static void assertIndependent(long amongFew, long amongMany) {
    assertThat(amongMany)
        .as("nanoseconds for one, of which it took %d among a hundredth", amongFew)
        .isLessThan(Math.max(10 * amongFew, 500_000));
  }

  /** When each looked at all pools and all commands, these took hours. */
  @Test
  void remove_oneOfTenThousand_costsAsMuchAsOneOfAHundred() {
    for (int i = 0; i < MANY; i++) { // so that neither is measured before its code is compiled
      command("W").isolation(Isolation.threadPool().coreSize(2)).build();
      assertThat(tenrec.remove("W")).isTrue();
    }
    for (int i = 0; i < MANY; i++) {
      command("C" + i).isolation(Isolation.threadPool().coreSize(2)).build();
    }
    assertThat(tenrec.pools()).hasSize(MANY);
    long amongMany = cost(i -> assertThat(tenrec.remove("C" + i)).isTrue());
    for (int i = SAMPLE; i < MANY - SAMPLE; i++) {
      assertThat(tenrec.remove("C" + i)).isTrue();
    }
    long amongFew = cost(i -> assertThat(tenrec.remove("C" + (MANY - SAMPLE + i))).isTrue());
    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.pools()).isEmpty();
    assertIndependent(amongFew, amongMany);
  }

  @Test
  void remove_allOfTenThousandOfOnePoolAndOneSemaphore_isDoneSoon() {
    for (int i = 0; i < MANY; i++) {
      CommandBuilder<String, String> command = command("C" + i).group("G");
      (i % 2 == 0 ? command : command.isolation(Isolation.semaphore(3).shared("S"))).build();
    }
    for (int i = 0; i < MANY; i++) {
      assertThat(tenrec.pools()).hasSize(1);
      assertThat(tenrec.remove("C" + i)).isTrue();
    }
    assertThat(tenrec.pools()).isEmpty();
  }

  @Test
  void override_ofTenThousand_costsWhatItConcerns() {
    String override = "tenrec.command.C7.threadPoolKeyOverride";
    command("C7").build();
    for (int i = 0; i < MANY; i++) { // so that neither is measured before its code is compiled
      tenrec.set(override, "P" + i % 20);
    }
    tenrec.clear(override);
    assertThat(tenrec.remove("C7")).isTrue();
    for (int i = 0; i < MANY; i++) {
      command("C" + i).build();
    }
    long amongMany = cost(i -> tenrec.set(override, "P" + i % 20));
    assertThat(tenrec.pools()).hasSize(MANY + 1);
    for (int i = SAMPLE; i < MANY; i++) {
      assertThat(tenrec.remove("C" + i)).isTrue();
    }
    long amongFew = cost(i -> tenrec.set(override, "P" + i % 20));
    assertThat(tenrec.pools()).hasSize(SAMPLE + 1);
    assertIndependent(amongFew, amongMany);
  }

  @Test
  void remove_oneOfTwoThatNameAPool_leavesItToTheOther() {
    command("A").group("G").build();
    Command<String, String> other = command("B").group("G").build();
    assertThat(tenrec.remove("A")).isTrue();
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("G");
    assertThat(other.execute("x")).isEqualTo("x");
    assertThat(tenrec.remove("B")).isTrue();
    assertThat(tenrec.pools()).isEmpty();
  }

  @Test
  void remove_whileOverridden_takesBothPools() {
    command("A").build();
    tenrec.set("tenrec.command.A.threadPoolKeyOverride", "P");
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactlyInAnyOrder("A", "P");
    assertThat(tenrec.remove("A")).isTrue();
    assertThat(tenrec.pools()).isEmpty();
    tenrec.clear("tenrec.command.A.threadPoolKeyOverride");
    command("A").build();
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("A");
  }

  @Test
  void remove_theOneWhoseCodeSaidHowThePoolIs_freesOthersToSayItAnew() {
    command("A").group("G").isolation(Isolation.threadPool().coreSize(5)).build();
    command("B").group("G").build();
    assertThat(tenrec.remove("A")).isTrue();
    command("C").group("G").isolation(Isolation.threadPool().coreSize(7)).build();
    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(7);
  }

  @Test
  void build_thatIsRefused_bindsNothing() {
    command("A").isolation(Isolation.semaphore(3).shared("S")).build();
    try {
      command("B").isolation(Isolation.semaphore(4).shared("S")).build();
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessageContaining("semaphore S was built before");
    }
    assertThat(tenrec.commands()).extracting(CommandView::key).containsExactly("A");
    assertThat(tenrec.remove("A")).isTrue();
    command("B").isolation(Isolation.semaphore(4).shared("S")).build();
  }

  @Test
  void remove_oneOfTwoWhoseCodeSaidHowThePoolIs_leavesThatSaidByTheOther() {
    for (String key : List.of("A", "B")) {
      command(key).group("G").isolation(Isolation.threadPool().coreSize(5)).build();
    }
    assertThat(tenrec.remove("A")).isTrue();

    assertThatThrownBy(
            () -> command("C").group("G").isolation(Isolation.threadPool().coreSize(7)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("thread pool G was built before with other settings");
    assertThat(tenrec.remove("B")).isTrue();
    command("C").group("G").isolation(Isolation.threadPool().coreSize(7)).build();
    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(7);
  }

  /** A change of settings would otherwise go on resizing what nobody uses, for ever. */
  @Test
  void remove_theLastUserOfEachThing_leavesNoSettingsOfIt() {
    command("Pooled").group("G").isolation(Isolation.threadPool().coreSize(2)).build();
    command("Sharing")
        .isolation(Isolation.semaphore(3).shared("S"))
        .rateLimit(RateLimit.of(5, Duration.ofSeconds(1)).shared("L"))
        .retry(Retry.attempts(2).sharedBudget("R"))
        .build();
    tenrec.collapserByPosition("Batched", (List<String> all) -> all).globalScope().build();
    assertThat(tenrec.resolvedSettings().effective())
        .extracting(EffectiveSetting::key)
        .contains("Pooled", "G", "Sharing", "S", "L", "R", "Batched");

    for (String key : List.of("Pooled", "Sharing", "Batched")) {
      assertThat(tenrec.remove(key)).isTrue();
    }

    assertThat(tenrec.resolvedSettings().effective())
        .extracting(EffectiveSetting::scope, EffectiveSetting::key)
        .isEmpty();
  }

  /** Its budget, which is looked at last, is another one's by other figures. */
  @Test
  void build_thatIsRefusedAtItsLastStep_bindsNothingOfTheStepsBefore() {
    Retry retry = Retry.attempts(2).sharedBudget("R");
    command("First").isolation(Isolation.semaphore(1)).retry(retry.budget(10, 1)).build();
    assertThatThrownBy(
            () ->
                command("Second")
                    .group("G")
                    .isolation(Isolation.semaphore(3).shared("S"))
                    .rateLimit(RateLimit.of(5, Duration.ofSeconds(1)).shared("L"))
                    .retry(retry.budget(10, 2))
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("retry budget R was built before");

    assertThat(tenrec.semaphores()).isEmpty();
    assertThat(tenrec.rateLimiters()).isEmpty();
    assertThat(tenrec.resolvedSettings().effective())
        .extracting(EffectiveSetting::key)
        .containsOnly("First", "R");
    command("Third").group("G").isolation(Isolation.threadPool()).build();
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("G");
    assertThat(tenrec.remove("Third")).isTrue();
    assertThat(tenrec.pools()).as("named by nobody any more").isEmpty();
  }

  @Test
  void build_onAPoolThatIsRefusedAtItsLastStep_leavesThePoolToBeSaidAnew() {
    Retry retry = Retry.attempts(2).sharedBudget("R");
    command("First").isolation(Isolation.semaphore(1)).retry(retry.budget(10, 1)).build();
    assertThatThrownBy(
            () ->
                command("Second")
                    .group("G")
                    .isolation(Isolation.threadPool().coreSize(5))
                    .retry(retry.budget(10, 2))
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("retry budget R was built before");
    assertThat(tenrec.pools()).isEmpty();

    command("Third").group("G").isolation(Isolation.threadPool().coreSize(7)).build();
    assertThat(tenrec.pools()).extracting(PoolView::coreSize).containsExactly(7);
  }

  @Test
  void close_afterManyMoreWereTakenOut_endsTheCallsOfThemAll() {
    Command<String, String> command = tenrec.command("Gone", held).withoutTimeout().build();
    CompletableFuture<String> call = command.executeAsync("x");
    held.awaitRunning(1);
    assertThat(tenrec.remove("Gone")).isTrue();
    for (int i = 0; i < 1_000; i++) {
      command("C" + i).build();
      assertThat(tenrec.remove("C" + i)).isTrue();
    }
    assertThat(InsideTenrec.registry(tenrec).poolsAndRetired())
        .as("those that are quiet are not kept")
        .hasSizeLessThan(100);

    assertThat(tenrec.close(Duration.ZERO)).isEmpty();

    assertThat(call).isCancelled();
    held.awaitInterrupts(1);
  }

  /** Closing would otherwise not wait for it. */
  @Test
  void call_ofACommandThatWasTakenOutBeforeManyOthers_isInFlightUntilItEnds() {
    Command<String, String> command =
        tenrec.command("Gone", held).isolation(Isolation.semaphore(1)).withoutTimeout().build();
    command("Idle").build();
    CompletableFuture<String> call = Elsewhere.call(() -> command.execute("x"));
    held.awaitRunning(1);
    assertThat(tenrec.remove("Gone")).isTrue();
    for (int i = 0; i < 100; i++) {
      command("C" + i).build();
      assertThat(tenrec.remove("C" + i)).isTrue();
    }
    Registry registry = InsideTenrec.registry(tenrec);
    assertThat(registry.hasCallsInFlight()).isTrue();
    assertThat(registry.withCallsInFlight())
        .extracting(CommandRuntime::key)
        .containsExactly("Gone");

    held.letGo();
    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("x");
    assertThat(registry.hasCallsInFlight()).isFalse();
    assertThat(registry.withCallsInFlight()).isEmpty();
  }

  @Test
  void close_waitsForCallsOfCommandsThatWereTakenOut() {
    Command<String, String> command = tenrec.command("Gone", held).withoutTimeout().build();
    CompletableFuture<String> call = command.executeAsync("x");
    held.awaitRunning(1);
    assertThat(tenrec.remove("Gone")).isTrue();
    for (int i = 0; i < 100; i++) {
      command("C" + i).build();
      assertThat(tenrec.remove("C" + i)).isTrue();
    }
    assertThat(tenrec.liveThreads()).isPositive();
    held.letGo();
    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("x");
    await().atMost(PatientWaits.patience()).until(() -> tenrec.liveThreads() <= 3);
  }
}
