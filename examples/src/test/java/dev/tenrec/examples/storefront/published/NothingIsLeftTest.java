// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import static dev.tenrec.test.TenrecAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.Faults;
import dev.tenrec.test.TenrecExtension;
import dev.tenrec.test.VirtualTime;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that come and go, while every publisher there is looks. The commands are in virtual
 * time, so no circuit waits for a clock; what the publishers show, which have sockets and threads
 * of their own, is waited for.
 */
@ExtendWith(TenrecExtension.class)
class NothingIsLeftTest {

  @TempDir Path directory;

  @Test
  void thousandCommands_madeAndRemovedInTurn_leaveNothingWithAnyPublisher(
      Tenrec tenrec, Faults faults, VirtualTime time) throws Exception {
    try (AllPublishers all = new AllPublishers(tenrec, directory)) {
      tenrec.command("Stays", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
      int meters = all.plain.getMeters().size();
      List<WeakReference<CommandDetails>> gone = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        gone.add(passing(tenrec, faults, time, "Passing" + i));
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
  private static WeakReference<CommandDetails> passing(
      Tenrec tenrec, Faults faults, VirtualTime time, String key) {
    Command<Integer, Integer> command =
        tenrec
            .command(key, (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .errorThreshold(1, 1)
            .fallbackValue(0)
            .build();
    faults.on(key).fail(new IOException("down"));
    assertThat(command.attempt(1)).hasFailed().isAnsweredByFallback();
    faults.clear(key);
    time.advance(Duration.ofSeconds(1)); // health is looked at
    assertThat(command).hasCircuit(CircuitState.OPEN);
    return new WeakReference<>(command.view());
  }
}
