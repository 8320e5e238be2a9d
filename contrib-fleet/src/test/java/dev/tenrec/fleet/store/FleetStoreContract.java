// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.config.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every store has to do. A store's test extends it; each test gets an empty engine. */
public abstract class FleetStoreContract {

  private static final String GUARD = "head";

  /** Opens a session of its own, that may write, on the engine of this test. */
  protected abstract FleetStore open();

  /** What {@link #open} is authenticated as. */
  protected abstract String principal();

  /** By how much the engine's clock and this machine's may differ in the test. */
  protected Duration clockTolerance() {
    return Duration.ofSeconds(5);
  }

  private void assertBetween(long beforeMillis, long millis, long afterMillis) {
    long tolerance = clockTolerance().toMillis();
    assertThat(millis).isBetween(beforeMillis - tolerance, afterMillis + tolerance);
  }

  private static void put(FleetStore store, String... namesAndTexts) {
    Stored guard = store.read(GUARD);
    Map<String, String> puts = new HashMap<>();
    puts.put(GUARD, guard == null ? "1" : guard.text() + "1");
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      puts.put(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    store.commit(
        new Transaction(
            GUARD, guard == null ? Transaction.ABSENT : guard.revision(), puts, Set.of()));
  }

  private static String text(FleetStore store, String name) {
    Stored stored = store.read(name);
    return stored == null ? null : stored.text();
  }

  @Test
  void read_ofNothing_isNull() {
    try (FleetStore store = open()) {
      assertThat(store.read("config/zone/none")).isNull();
      assertThat(store.names("config/zone")).isEmpty();
    }
  }

  @Test
  void commit_ofNewNames_isReadByOthers() {
    try (FleetStore one = open();
        FleetStore other = open()) {
      long before = System.currentTimeMillis();
      put(one, "config/zone/a", "ä\n\"x\"", "config/fleet", "f");
      long after = System.currentTimeMillis();
      await().untilAsserted(() -> assertThat(text(other, "config/zone/a")).isEqualTo("ä\n\"x\""));
      assertThat(other.names("config")).contains("zone", "fleet");
      assertThat(other.names("config/zone")).containsExactly("a");
      assertBetween(before, one.read(GUARD).writtenMillis(), after);
    }
  }

  @Test
  void readAll_always_isWhatEachReadIs_inTheirOrder() {
    try (FleetStore store = open()) {
      put(store, "config/fleet", "ü", "history/1", "one");

      assertThat(store.readAll(List.of("history/1", "history/2", "config/fleet")))
          .containsExactly(store.read("history/1"), null, store.read("config/fleet"));
      assertThat(store.readAll(List.of())).isEmpty();
    }
  }

  @Test
  void commit_again_raisesTheRevisionAndDeletes() {
    try (FleetStore store = open()) {
      put(store, "config/fleet", "1");
      Stored first = store.read("config/fleet");
      put(store, "config/fleet", "2");
      assertThat(store.read("config/fleet").revision()).isNotEqualTo(first.revision());
      Stored guard = store.read(GUARD);
      store.commit(
          new Transaction(
              GUARD,
              guard.revision(),
              Map.of(GUARD, "x"),
              Set.of("config/fleet", "config/zone/never")));
      assertThat(store.read("config/fleet")).isNull();
      assertThat(text(store, GUARD)).isEqualTo("x");
    }
  }

  @Test
  void commit_onAStaleGuard_writesNothing() {
    try (FleetStore store = open()) {
      put(store, "config/fleet", "1");
      Stored guard = store.read(GUARD);
      put(store, "config/fleet", "2");
      assertThatThrownBy(
              () ->
                  store.commit(
                      new Transaction(
                          GUARD,
                          guard.revision(),
                          Map.of(GUARD, "late", "config/fleet", "late", "config/zone/z", "late"),
                          Set.of())))
          .isInstanceOf(StaleWriteException.class);
      assertThatThrownBy(
              () ->
                  store.commit(
                      new Transaction(GUARD, Transaction.ABSENT, Map.of(GUARD, "late"), Set.of())))
          .isInstanceOf(StaleWriteException.class);
      assertThat(text(store, "config/fleet")).isEqualTo("2");
      assertThat(store.read("config/zone/z")).isNull();
    }
  }

  @Test
  void commit_ofAGuardThatIsGone_isStale() {
    try (FleetStore store = open()) {
      assertThatThrownBy(
              () -> store.commit(new Transaction(GUARD, 7, Map.of(GUARD, "late"), Set.of())))
          .isInstanceOf(StaleWriteException.class);
      assertThat(store.read(GUARD)).isNull();
    }
  }

  @Test
  void commit_byManyAtOnce_letsEachPassOnce() throws Exception {
    try (FleetStore one = open();
        FleetStore other = open()) {
      put(one);
      ExecutorService threads = Executors.newFixedThreadPool(2);
      AtomicInteger written = new AtomicInteger();
      List<Future<?>> done = new ArrayList<>();
      for (FleetStore store : List.of(one, other)) {
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    try {
                      put(store);
                      written.incrementAndGet();
                    } catch (StaleWriteException stale) {
                      // the other was first
                    }
                  }
                }));
      }
      threads.shutdown();
      for (Future<?> each : done) {
        each.get(); // throws what it threw
      }
      await().untilAsserted(() -> assertThat(text(one, GUARD)).hasSize(1 + written.get()));
      assertThat(written.get()).isPositive();
    }
  }

  @Test
  void announce_always_lastsAsLongAsItsSession() {
    try (FleetStore reader = open()) {
      try (FleetStore announcer = open()) {
        announcer.announce("applied/i-1", "a");
        announcer.announce("applied/i-1", "b");
        await().untilAsserted(() -> assertThat(text(reader, "applied/i-1")).isEqualTo("b"));
        assertThat(reader.names("applied")).containsExactly("i-1");
        assertThatThrownBy(() -> reader.announce("applied/i-1", "mine"))
            .isInstanceOf(NameTakenException.class);
        reader.withdraw("applied/i-1");
        assertThat(text(reader, "applied/i-1")).as("not its to withdraw").isEqualTo("b");
        announcer.announce("applied/i-2", "c");
        announcer.withdraw("applied/i-2");
        assertThat(announcer.read("applied/i-2")).isNull();
      }
      await().untilAsserted(() -> assertThat(reader.read("applied/i-1")).isNull());
      reader.announce("applied/i-1", "mine");
      assertThat(text(reader, "applied/i-1")).isEqualTo("mine");
    }
  }

  @Test
  void watch_always_seesChangesOfItsNameAndBelow() {
    try (FleetStore store = open();
        FleetStore watcher = open()) {
      Signals head = new Signals();
      Signals applied = new Signals();
      try (Subscription one = watcher.watch(GUARD, head);
          Subscription other = watcher.watch("applied", applied)) {
        put(store, "config/fleet", "1"); // the watched name did not exist before
        await().until(() -> head.changes.get() > 0);
        head.changes.set(0);
        put(store, "config/fleet", "2");
        await().until(() -> head.changes.get() > 0);
        store.announce("applied/i-1", "a");
        await().until(() -> applied.changes.get() > 0);
        applied.changes.set(0);
        store.announce("applied/i-1", "b");
        await().until(() -> applied.changes.get() > 0);
        applied.changes.set(0);
        store.withdraw("applied/i-1");
        await().until(() -> applied.changes.get() > 0);
      }
    }
  }

  @Test
  void session_always_knowsItsPrincipalAndTheTime() {
    try (FleetStore store = open()) {
      assertThat(store.principal()).isEqualTo(principal());
      long before = System.currentTimeMillis();
      long now = store.nowMillis();
      assertBetween(before, now, System.currentTimeMillis());
      assertThat(store.nowMillis()).isGreaterThanOrEqualTo(0);
    }
  }

  @Test
  void closed_always_reachesNothing() {
    FleetStore store = open();
    store.close();
    store.close();
    assertThatThrownBy(() -> store.read(GUARD)).isInstanceOf(StoreUnavailableException.class);
  }

  private static final class Signals implements StoreListener {

    final AtomicInteger changes = new AtomicInteger();

    @Override
    public void changed() {
      changes.incrementAndGet();
    }

    @Override
    public void connected() {}

    @Override
    public void disconnected() {}
  }
}
