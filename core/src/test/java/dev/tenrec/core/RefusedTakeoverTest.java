// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.kit.BreakingTime;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Good values that a command cannot take over, because something breaks while it tries to. */
class RefusedTakeoverTest {

  private static final String OVERRIDE = "tenrec.command.C.threadPoolKeyOverride";
  private static final String FORCE_OPEN = "tenrec.command.C.circuitBreaker.forceOpen";
  private static final String STRATEGY = "tenrec.command.C.execution.isolation.strategy";
  private static final String PERMITS =
      "tenrec.command.C.execution.isolation.semaphore.maxConcurrentRequests";

  private final ManualTime time = new ManualTime();

  private final BreakingTime ticker = new BreakingTime(time);
  private final List<Refusal> refusals = new ArrayList<>();
  private final Tenrec tenrec =
      Unhurried.builder().onRefusedSetting(refusals::add).build(ticker, time, null);
  private final Command<String, String> command =
      tenrec.command("C", (String s) -> s).isolation(Isolation.threadPool()).build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private String circuit() {
    return command.view().circuitState().name();
  }

  private void whileBroken(Runnable action) {
    ticker.brokenAfter(0, action);
  }

  private List<String> pools() {
    return tenrec.pools().stream().map(PoolView::key).sorted().toList();
  }

  @Test
  void poolThatCannotBeMade_isRefused_andCountsOnceItCan() {
    whileBroken(() -> tenrec.set(OVERRIDE, "P"));

    assertThat(refusals).extracting(Refusal::key).containsExactly(OVERRIDE);
    assertThat(refusals.get(0).rule()).contains("cannot be taken over", "thrown on purpose");
    assertThat(tenrec.refusedSettings()).isOne();
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("C");
    assertThat(command.execute("x")).isEqualTo("x");

    tenrec.set(FORCE_OPEN, "true");
    assertThat(circuit()).isEqualTo("FORCED_OPEN");
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactlyInAnyOrder("C", "P");
    assertThat(tenrec.refusedSettings()).isOne();
  }

  @Test
  void errorWhileAChangeIsApplied_leavesAllAsItWas() {
    whileBroken(() -> tenrec.set(FORCE_OPEN, "true"));

    assertThat(refusals).extracting(Refusal::key).containsExactly(FORCE_OPEN);
    assertThat(circuit()).isEqualTo("CLOSED");
    assertThat(command.execute("x")).isEqualTo("x");
    tenrec.set(FORCE_OPEN, "on");
    assertThat(circuit()).isEqualTo("FORCED_OPEN");
  }

  @Test
  void permits_ofAChangeThatIsRefused_areNotResized() {
    tenrec.set(STRATEGY, "SEMAPHORE");
    whileBroken(() -> tenrec.set(Map.of(PERMITS, "0", FORCE_OPEN, "false")));

    assertThat(refusals).extracting(Refusal::key).contains(PERMITS);
    assertThat(command.execute("x")).isEqualTo("x");
  }

  @Test
  void pools_ofChangesThatWereRefused_areNotHeld() {
    tenrec.set(OVERRIDE, "P");
    whileBroken(() -> tenrec.set(OVERRIDE, "Q"));
    whileBroken(() -> tenrec.set(Map.of(OVERRIDE, "R", FORCE_OPEN, "true")));
    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactlyInAnyOrder("C", "P");

    assertThat(tenrec.remove("C")).isTrue();
    assertThat(tenrec.pools()).isEmpty();
    assertThat(tenrec.commands()).extracting(CommandView::key).isEmpty();
  }

  /** Whether it was before the pool was made, or after that, or when all was ready. */
  @Test
  void pool_ofAChangeThatBreaksAnywhere_isLetGoOf() {
    int readings = 0;
    while (isRefusedAfter(readings)) {
      assertThat(pools()).as("broken after %d readings", readings).containsExactly("C");
      tenrec.clear(OVERRIDE);
      readings++;
    }

    assertThat(readings).isGreaterThan(1);
    assertThat(pools()).containsExactly("C", "P");
    tenrec.clear(OVERRIDE);
    assertThat(pools()).containsExactly("C");
  }

  private boolean isRefusedAfter(int readings) {
    long before = tenrec.refusedSettings();
    ticker.brokenAfter(readings, () -> tenrec.set(OVERRIDE, "P"));
    return tenrec.refusedSettings() > before;
  }
}
