// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandTotals;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The snippets of docs/reference/operating.md, each in the test of its section's name. */
class OperatingSnippetsTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Unhurried.tenrec());
  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final Command<Integer, Integer> getUser =
      tenrec.command("GetUser", (Integer i) -> i).isolation(Isolation.semaphore(2)).build();

  private long exported;

  private void print(String text) {
    printed.add(text);
  }

  private void export(long fromNanos, long toNanos, long count) {
    assertThat(fromNanos).isLessThan(toNanos);
    exported += count;
  }

  @Test
  void totals() {
    assertThat(getUser.execute(1)).isEqualTo(1);
    CommandTotals totals = getUser.view().totals(); // one reading
    long timeouts = totals.events().get(EventType.TIMEOUT);
    long[] classic = totals.execution().countsUpTo(10_000_000, 100_000_000, 1_000_000_000); // ns
    totals.caller().forEachSlot((fromNanos, toNanos, count) -> export(fromNanos, toNanos, count));

    assertThat(timeouts).isZero();
    assertThat(classic).hasSize(3).isSorted();
    assertThat(exported).isEqualTo(1);
  }

  @Test
  void whatThereIs() {
    Map<String, CommandDetails> meters = new HashMap<>();
    Subscription following =
        tenrec.follow(
            new InventoryListener() {
              @Override
              public void onCommandAdded(CommandDetails command) {
                meters.put(command.key(), command);
              }

              @Override
              public void onCommandRemoved(CommandDetails command) {
                meters.remove(command.key());
              }
            });

    assertThat(meters).containsOnlyKeys("GetUser");
    assertThat(tenrec.remove("GetUser")).isTrue();
    assertThat(meters).isEmpty();
    following.close();
  }

  @Test
  void settingsInForce() {
    tenrec.set("tenrec.command.GetUser.fallback.enabled", "perhaps");
    for (EffectiveSetting setting : getUser.view().settings()) {
      print(setting.property() + " = " + setting.value() + " from " + setting.level());
      if (setting.refusal() != null) { // a value that stands in the source and was not taken over
        print("refused: " + setting.refusal());
      }
    }

    assertThat(printed)
        .contains("execution.isolation.semaphore.maxConcurrentRequests = 2 from CODE")
        .contains("fallback.enabled = true from DEFAULT")
        .anyMatch(line -> line.startsWith("refused: ") && line.contains("perhaps"));
  }

  @Test
  void theJournal() {
    List<JournalEntry> happened = tenrec.journal(); // or getUser.view().journal()
    Disposable subscription =
        tenrec
            .journalStream()
            .subscribe(entry -> print(entry.at() + " " + entry.key() + " " + entry.text()));

    assertThat(happened).isEmpty();
    tenrec.set("tenrec.command.GetUser.fallback.enabled", "false");
    await()
        .untilAsserted(
            () ->
                assertThat(printed)
                    .singleElement()
                    .asString()
                    .endsWith(" GetUser fallback.enabled true -> false"));
    subscription.dispose();
  }

  @Test
  void why() {
    assertThat(getUser.execute(1)).isEqualTo(1);
    String why = tenrec.explain("GetUser");

    assertThat(why).startsWith("GetUser: the circuit is closed.\nOf the last 10 s: 1 succeeded");
  }

  @Test
  void byHand() {
    boolean wasOpen = tenrec.closeCircuit("GetUser", "the database is back");
    tenrec.resetMetrics("GetUser");

    assertThat(wasOpen).isFalse();
  }
}
