// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.PoolView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing that goes through what there is just before something more is there. */
class CloseWhileBuildingTest {

  private final ManualTime time = new ManualTime();
  private final InterludeTime clock = new InterludeTime(time);
  private final Tenrec tenrec = Tenrec.builder().time(clock, time).build();
  private final Registry registry = InsideTenrec.registry(tenrec);

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  /** All is closed, by another thread, while this one makes what it is to make next. */
  private void closeAtMyNextReading() {
    clock.atMyNextReading(
        () ->
            assertThat(Elsewhere.call(() -> tenrec.close(Duration.ZERO)))
                .succeedsWithin(PatientWaits.patience())
                .isEqualTo(List.of()));
  }

  @Test
  void command_thatIsMadeMeanwhile_isRefusedAndClosed() {
    closeAtMyNextReading();

    assertThatThrownBy(
            () -> tenrec.command("Late", (String s) -> s).isolation(Isolation.semaphore(1)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("command Late cannot be built: this Tenrec is closed");
    assertThat(registry.commands()).allMatch(entry -> entry.runtime().isClosed()).hasSize(1);
  }

  @Test
  void collapser_thatIsMadeMeanwhileOverACommandThatWasThere_isRefusedAndClosed() {
    collapser("Early").build();
    closeAtMyNextReading();

    assertThatThrownBy(() -> collapser("Late").build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("command Late cannot be built: this Tenrec is closed");
    assertThat(registry.collapsers()).allMatch(entry -> entry.runtime().isClosed()).hasSize(2);
  }

  @Test
  void pool_thatIsMadeMeanwhileForOtherSettings_isLetGoOf() {
    Command<String, String> command = tenrec.command("C", (String s) -> s).build();
    closeAtMyNextReading();

    tenrec.set("tenrec.command.C.threadPoolKeyOverride", "Late");

    assertThat(tenrec.pools()).extracting(PoolView::key).containsExactly("C");
    assertThat(command.attempt("x").isAnswered()).isFalse();
  }

  private CollapserBuilder<String, String> collapser(String key) {
    return tenrec
        .collapserByPosition(key, (List<String> all) -> all)
        .batchKey("Batches")
        .group("Group")
        .isolation(Isolation.semaphore(1))
        .globalScope();
  }
}
