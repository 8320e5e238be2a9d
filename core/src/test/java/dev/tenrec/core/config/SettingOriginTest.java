// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.view.JournalEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gave a setting its value, and in which version, as far as its source knows. */
class SettingOriginTest {

  private static final String ALL = "tenrec.command.default.";
  private static final String ONE = "tenrec.command.Signed.";
  private static final String SLEEP = "circuitBreaker.sleepWindowInMilliseconds";
  private static final String VOLUME = "circuitBreaker.requestVolumeThreshold";
  private static final String WINDOW = "metrics.rollingStats.timeInMilliseconds";
  private static final String BUCKETS = "metrics.rollingStats.numBuckets";
  private static final SettingOrigin ALICE = new SettingOrigin(1, "alice");
  private static final SettingOrigin BOB = new SettingOrigin(2, "bob");

  @TempDir Path directory;
  private final Versioned source = new Versioned();
  private final List<SettingChange> changes = new CopyOnWriteArrayList<>();
  private final List<Refusal> refusals = new CopyOnWriteArrayList<>();

  private Tenrec tenrec(TenrecBuilder builder) {
    Tenrec tenrec = builder.onSettingChange(changes::add).onRefusedSetting(refusals::add).build();
    Command<String, String> unused =
        tenrec.command("Signed", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    return tenrec;
  }

  private static EffectiveSetting setting(Tenrec tenrec, String property) {
    return tenrec.resolvedSettings().effective().stream()
        .filter(each -> each.scope().equals("command") && each.property().equals(property))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> journal(Tenrec tenrec) {
    return tenrec.journal().stream().map(JournalEntry::text).toList();
  }

  @Test
  void change_always_saysWhichVersionGaveTheValue_andWho() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().source(source))) {
      source.write(ALICE, Map.of(ALL + SLEEP, "3", ONE + VOLUME, "7"));
      source.write(BOB, Map.of(ALL + SLEEP, "3", ONE + VOLUME, "8"));
      assertThat(changes)
          .extracting(SettingChange::property, SettingChange::newValue, SettingChange::origin)
          .containsExactlyInAnyOrder(
              tuple(SLEEP, "3", ALICE), tuple(VOLUME, "7", ALICE), tuple(VOLUME, "8", BOB));
      assertThat(journal(tenrec))
          .contains(
              SLEEP + " 5000 -> 3 (version 1 by alice)", VOLUME + " 7 -> 8 (version 2 by bob)");
      assertThat(setting(tenrec, SLEEP).origin()).as("of a value for all").isEqualTo(ALICE);
      assertThat(setting(tenrec, VOLUME).origin()).isEqualTo(BOB);
      assertThat(setting(tenrec, WINDOW).origin()).as("by default").isNull();
    }
  }

  @Test
  void change_byWhatIsTakenAway_saysWhoTookIt() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().source(source))) {
      source.write(ALICE, Map.of(ALL + SLEEP, "3", ONE + SLEEP, "4"));
      changes.clear();
      source.write(BOB, Map.of(ALL + SLEEP, "3"));
      assertThat(changes)
          .extracting(SettingChange::newValue, SettingChange::origin)
          .as("what shows again is alice's")
          .containsExactly(tuple("3", ALICE));
      changes.clear();
      source.write(BOB, Map.of());
      assertThat(changes)
          .extracting(SettingChange::newValue, SettingChange::origin)
          .containsExactly(tuple("5000", BOB));
      assertThat(setting(tenrec, SLEEP).origin()).isNull();
    }
  }

  @Test
  void refusal_always_saysWhoseValueItIs() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().source(source))) {
      source.write(
          BOB, Map.of(ONE + SLEEP, "soon", ALL + BUCKETS, "7", ONE + "nothing.at.all", "x"));
      assertThat(refusals)
          .extracting(Refusal::key, Refusal::origin)
          .as("one that cannot be read, one that breaks a rule with a default, one of no property")
          .contains(
              tuple(ONE + SLEEP, BOB),
              tuple(ALL + BUCKETS, BOB),
              tuple(ONE + "nothing.at.all", BOB));
      assertThat(refusals.get(0).toString()).endsWith(" (version 2 by bob)");
      assertThat(journal(tenrec)).anyMatch(text -> text.endsWith("(version 2 by bob)"));
      int before = refusals.size();
      source.write(ALICE, Map.of(ONE + SLEEP, "soon", ALL + BUCKETS, "7", ONE + VOLUME, "9"));
      assertThat(refusals).as("each is reported once").hasSize(before);
    }
  }

  @Test
  void remoteSource_maskedByMemory_isNotNamed() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().remoteSource(source))) {
      source.write(ALICE, Map.of(ONE + SLEEP, "3"));
      assertThat(setting(tenrec, SLEEP).origin()).isEqualTo(ALICE);
      tenrec.set(ONE + SLEEP, "4");
      assertThat(setting(tenrec, SLEEP).origin()).isNull();
      tenrec.clear(ONE + SLEEP);
      assertThat(setting(tenrec, SLEEP).origin()).isEqualTo(ALICE);
      assertThat(changes)
          .extracting(SettingChange::newValue, SettingChange::origin)
          .containsExactly(tuple("3", ALICE), tuple("4", null), tuple("3", ALICE));
    }
  }

  @Test
  void sameValue_ofALaterVersion_isTheLaterOnes() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().remoteSource(source))) {
      source.write(ALICE, Map.of(ONE + SLEEP, "3"));
      source.values = Map.of();
      source.write(BOB, Map.of(ONE + SLEEP, "3"));
      assertThat(setting(tenrec, SLEEP).origin()).isEqualTo(BOB);
      assertThat(changes).as("nothing is another value").hasSize(1);
    }
  }

  @Test
  void origin_thatThrows_costsTheNamesOnly() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().source(source))) {
      source.failing = true;
      source.write(ALICE, Map.of(ONE + SLEEP, "3"));
      assertThat(setting(tenrec, SLEEP).value()).isEqualTo("3");
      assertThat(changes).extracting(SettingChange::origin).containsOnlyNulls();
    }
  }

  @Test
  void explanation_ofARefusingCommand_namesWhoSetIt() {
    try (Tenrec tenrec = tenrec(Unhurried.builder().remoteSource(source))) {
      source.write(BOB, Map.of(ONE + "circuitBreaker.forceOpen", "true"));
      assertThat(tenrec.commands().get(0).explain())
          .contains("forceOpen = true (set for this command, version 2 by bob)");
    }
  }

  @Test
  void flightRecorder_always_hasVersionAndAuthor() throws IOException {
    Path file = directory.resolve("settings.jfr");
    try (Recording recording = new Recording();
        Tenrec tenrec = tenrec(Unhurried.builder().source(source))) {
      recording.enable("dev.tenrec.SettingChange");
      recording.enable("dev.tenrec.SettingRefused");
      recording.start();
      source.write(ALICE, Map.of(ONE + SLEEP, "3"));
      source.write(BOB, Map.of(ONE + SLEEP, "3", ONE + VOLUME, "many"));
      recording.stop();
      recording.dump(file);
      assertThat(tenrec.refusedSettings()).isEqualTo(1);
    }
    assertThat(RecordingFile.readAllEvents(file))
        .filteredOn(event -> event.getEventType().getName().startsWith("dev.tenrec.Setting"))
        .extracting(
            event -> event.getEventType().getName(),
            event -> event.getLong("version"),
            event -> event.getString("author"))
        .containsExactlyInAnyOrder(
            tuple("dev.tenrec.SettingChange", 1L, "alice"),
            tuple("dev.tenrec.SettingRefused", 2L, "bob"));
  }

  @Test
  void words_always_nameTheAuthorIfThereIsOne() {
    assertThat(new SettingOrigin(3, null)).hasToString("version 3");
    assertThat(ALICE).hasToString("version 1 by alice");
    assertThat(new Refusal("k", "v", "r")).hasToString("k = v: r");
  }

  /** A source whose values have versions. */
  private static final class Versioned implements SettingsSource {

    final List<Runnable> subscribers = new CopyOnWriteArrayList<>();
    final Map<String, SettingOrigin> origins = new HashMap<>();
    volatile Map<String, String> values = Map.of();
    volatile boolean failing;

    /** What is new or gone is this version's. */
    void write(SettingOrigin version, Map<String, String> next) {
      List<String> keys = new ArrayList<>(values.keySet());
      keys.addAll(next.keySet());
      for (String key : keys) {
        if (!Objects.equals(values.get(key), next.get(key))) {
          origins.put(key, version);
        }
      }
      values = next;
      subscribers.forEach(Runnable::run);
    }

    @Override
    public Map<String, String> values(String prefix) {
      return values;
    }

    @Override
    public @Nullable SettingOrigin origin(String key, @Nullable String value) {
      if (failing) {
        throw new IllegalStateException("no origins today");
      }
      return Objects.equals(value, values.get(key)) ? origins.get(key) : null;
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      subscribers.add(onChange);
      return () -> subscribers.remove(onChange);
    }

    @Override
    public void close() {}
  }
}
