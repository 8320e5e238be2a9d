// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CircuitState;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that come and go, while every publisher there is looks. */
class NothingIsLeftTest {

  @TempDir Path directory;

  @Test
  void thousandCommands_madeAndRemovedInTurn_leaveNothingWithAnyPublisher() throws Exception {
    try (Tenrec tenrec = Tenrec.create();
        AllPublishers all = new AllPublishers(tenrec, directory)) {
      tenrec.command("Stays", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
      int meters = all.plain.getMeters().size();
      List<WeakReference<CommandDetails>> gone = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        gone.add(passing(tenrec, "Passing" + i));
        if (i % 250 == 0) { // each publisher has seen some of them
          String key = "Passing" + i;
          await().atMost(PatientWaits.patience()).until(() -> all.shown().containsKey(key));
          assertThat(all.commandsNamed()).contains("Stays", key);
        }
        assertThat(tenrec.remove("Passing" + i)).isTrue();
      }
      await().atMost(PatientWaits.patience()).until(() -> all.shown().size() == 1);
      assertThat(all.commandsNamed()).containsExactly("Stays");
      assertThat(all.plain.getMeters()).hasSize(meters);
      await()
          .atMost(PatientWaits.patience())
          .untilAsserted(
              () -> {
                System.gc();
                assertThat(gone).filteredOn(each -> each.get() != null).isEmpty();
              });
    }
  }

  /** One whose circuit has opened, so that all kinds of series are of it. */
  private static WeakReference<CommandDetails> passing(Tenrec tenrec, String key) {
    Command<Integer, Integer> command =
        tenrec
            .command(key, (Integer i) -> Integer.parseInt("down"))
            .isolation(Isolation.semaphore(1))
            .errorThreshold(1, 1)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
            .fallbackValue(0)
            .build();
    await()
        .atMost(PatientWaits.patience())
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              command.attempt(1);
              return command.view().circuitState() == CircuitState.OPEN;
            });
    return new WeakReference<>(command.view());
  }
}
