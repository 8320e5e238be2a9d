// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * User code that hears of settings, or has them, does not come back: closing goes on without it.
 */
class CloseWhileReportingTest {

  private static final String FORCE_OPEN = "tenrec.command.Other.circuitBreaker.forceOpen";

  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void goOn() {
    over.countDown();
  }

  private void hang() {
    hanging.countDown();
    Uninterruptibly.await(over);
  }

  @Test
  void aListenerOfSettings_thatHangs_holdsUpNoClose() throws Exception {
    closes(
        Tenrec.builder().onSettingChange(change -> hang()),
        tenrec -> tenrec.set(FORCE_OPEN, "true"));
  }

  @Test
  void aListenerOfRefusals_thatHangs_holdsUpNoClose() throws Exception {
    closes(
        Tenrec.builder().onRefusedSetting(refusal -> hang()),
        tenrec -> tenrec.set(FORCE_OPEN, "perhaps"));
  }

  @Test
  void aListenerOfWhatThereIs_thatHangs_holdsUpNoClose() throws Exception {
    closes(
        Tenrec.builder(),
        tenrec -> {
          InventoryListener hangs =
              new InventoryListener() {
                @Override
                public void onCommandAdded(CommandDetails command) {
                  hang();
                }
              };
          Subscription unused = tenrec.follow(hangs);
        });
  }

  @Test
  void aSourceOfSettings_thatHangs_holdsUpNoClose() throws Exception {
    AtomicBoolean hangs = new AtomicBoolean();
    AtomicReference<Runnable> changed = new AtomicReference<>(() -> {});
    SettingsSource source =
        new SettingsSource() {
          @Override
          public Map<String, String> values(String prefix) {
            if (hangs.get()) {
              hang();
            }
            return Map.of();
          }

          @Override
          public Subscription subscribe(Runnable onChange) {
            changed.set(onChange);
            return () -> {};
          }

          @Override
          public void close() {}
        };
    closes(
        Tenrec.builder().source(source),
        tenrec -> {
          hangs.set(true);
          changed.get().run();
        });
  }

  private interface Change {
    void make(Tenrec tenrec);
  }

  private void closes(TenrecBuilder builder, Change change) throws Exception {
    Tenrec tenrec = builder.build();
    CountDownLatch working = new CountDownLatch(1);
    Command<String, String> other =
        tenrec
            .command(
                "Other",
                (String text) -> {
                  working.countDown();
                  Uninterruptibly.await(over);
                  return text;
                })
            .timeout(Duration.ofHours(1))
            .build();
    CompletableFuture<String> call = other.executeAsync("x");
    assertThat(working.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    Thread changing = Elsewhere.start(() -> change.make(tenrec));
    assertThat(hanging.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    CompletableFuture<List<StillRunning>> closed = new CompletableFuture<>();
    Thread closing = Elsewhere.start(() -> closed.complete(tenrec.close(Duration.ZERO)));

    assertThat(CloseReport.atWork(closed.get(PatientWaits.seconds(), TimeUnit.SECONDS)))
        .as("what hangs in its work")
        .hasSize(1);
    assertThatThrownBy(() -> call.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOfAny(CancellationException.class, ExecutionException.class);
    over.countDown();
    changing.join();
    closing.join();
  }
}
