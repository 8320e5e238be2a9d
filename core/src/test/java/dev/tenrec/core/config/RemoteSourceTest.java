// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Unhurried;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings from elsewhere: below memory, above everything that is of one machine. */
class RemoteSourceTest {

  private static final String ALL = "tenrec.command.default.";
  private static final String ONE = "tenrec.command.RemoteSourceTest.";
  private static final String SLEEP = "circuitBreaker.sleepWindowInMilliseconds";
  private static final String WINDOW = "metrics.rollingStats.timeInMilliseconds";
  private static final String BUCKETS = "metrics.rollingStats.numBuckets";
  private static final String VOLUME = "circuitBreaker.requestVolumeThreshold";

  @TempDir Path directory;
  private final Elsewhere elsewhere = new Elsewhere();

  @AfterEach
  void clear() {
    System.clearProperty(ONE + SLEEP);
  }

  private static EffectiveSetting setting(Tenrec tenrec, String property) {
    return tenrec.resolvedSettings().effective().stream()
        .filter(each -> each.scope().equals("command") && each.property().equals(property))
        .findFirst()
        .orElseThrow();
  }

  private static String value(Tenrec tenrec) {
    return setting(tenrec, SLEEP).value();
  }

  private static void build(Tenrec tenrec) {
    Command<String, String> unused =
        tenrec
            .command("RemoteSourceTest", (String s) -> s)
            .isolation(Isolation.semaphore(1))
            .property(VOLUME, "7")
            .build();
  }

  @Test
  void layers_memoryOverRemoteOverSystemOverFile_eachShownWhenTheOneAboveIsGone() throws Exception {
    Path file = directory.resolve("tenrec.properties");
    Files.writeString(file, ONE + SLEEP + " = 1\n");
    System.setProperty(ONE + SLEEP, "2");
    elsewhere.replace(Map.of(ONE + SLEEP, "3", "other.key", "x"));
    try (Tenrec tenrec = Unhurried.builder().propertiesFile(file).remoteSource(elsewhere).build()) {
      build(tenrec);
      assertThat(value(tenrec)).as("from the start").isEqualTo("3");
      tenrec.set(ONE + SLEEP, "4");
      assertThat(value(tenrec)).isEqualTo("4");
      elsewhere.replace(Map.of(ONE + SLEEP, "5"));
      assertThat(value(tenrec)).as("masked by memory").isEqualTo("4");
      tenrec.clear(ONE + SLEEP);
      assertThat(value(tenrec)).isEqualTo("5");
      elsewhere.replace(Map.of(ONE + SLEEP, "6"));
      assertThat(value(tenrec)).as("applied when the notification has returned").isEqualTo("6");
      elsewhere.replace(Map.of());
      assertThat(value(tenrec)).as("deleted: the level below").isEqualTo("2");
    }
    assertThat(elsewhere.subscribers).as("after close").isEmpty();
    assertThat(elsewhere.closed).as("not the Tenrec's to close").isFalse();
  }

  /** A store that is away, as one instance sees it. */
  private record Away(long version) implements SourceStatus {

    @Override
    public boolean connected() {
      return false;
    }

    @Override
    public String instance() {
      return "i-1";
    }

    @Override
    public @Nullable String zone() {
      return null;
    }

    @Override
    public @Nullable String author() {
      return null;
    }

    @Override
    public @Nullable String reason() {
      return null;
    }

    @Override
    public boolean fromLastGood() {
      return true;
    }

    @Override
    public @Nullable String canary() {
      return null;
    }

    @Override
    public List<String> alarms() {
      return List.of();
    }
  }

  /** Has no values, and says how it stands to its store, or fails to. */
  private record Following(Supplier<@Nullable SourceStatus> said) implements SettingsSource {

    @Override
    public Map<String, String> values(String prefix) {
      return Map.of();
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      return () -> {};
    }

    @Override
    public @Nullable SourceStatus status() {
      return said.get();
    }

    @Override
    public void close() {}
  }

  private static void failToSay() {
    throw new IllegalStateException("cannot say");
  }

  @Test
  void status_ofTheSource_isTheTenrecsOrNoneIfItSaysNothingOrFails() {
    Following away = new Following(() -> new Away(7));
    try (Tenrec remote = Unhurried.builder().remoteSource(away).build();
        Tenrec only = Tenrec.builder().source(away).build()) {
      assertThat(remote.sourceStatus()).contains(new Away(7));
      assertThat(only.sourceStatus()).contains(new Away(7));
    }
    Following failing =
        new Following(
            () -> {
              failToSay();
              return null;
            });
    try (Tenrec plain = Unhurried.builder().build();
        Tenrec silent = Unhurried.builder().remoteSource(elsewhere).build();
        Tenrec broken = Unhurried.builder().remoteSource(failing).build()) {
      assertThat(plain.sourceStatus()).isEmpty();
      assertThat(silent.sourceStatus()).isEmpty();
      assertThat(broken.sourceStatus()).isEmpty();
    }
  }

  @Test
  void remote_thatFails_leavesItsLastValues() {
    elsewhere.replace(Map.of(ONE + SLEEP, "3"));
    try (Tenrec tenrec = Unhurried.builder().remoteSource(elsewhere).build()) {
      build(tenrec);
      elsewhere.failing = true;
      elsewhere.replace(Map.of(ONE + SLEEP, "4"));
      assertThat(value(tenrec)).isEqualTo("3");
      elsewhere.failing = false;
      elsewhere.replace(Map.of(ONE + SLEEP, "5"));
      assertThat(value(tenrec)).isEqualTo("5");
    }
  }

  @Test
  void change_thatIsStuckInItsSource_holdsUpNoCall() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    elsewhere.replace(Map.of(ONE + SLEEP, "3"));
    try (Tenrec tenrec = Unhurried.builder().remoteSource(elsewhere).build()) {
      Command<String, String> command =
          tenrec
              .command("RemoteSourceTest", (String s) -> s)
              .isolation(Isolation.semaphore(1))
              .build();
      elsewhere.before =
          () -> {
            asked.countDown();
            goOn.await();
          };
      Thread changing = new Thread(() -> elsewhere.replace(Map.of(ONE + SLEEP, "4")));
      changing.start();
      try {
        asked.await(); // the change holds what changes wait for
        for (int i = 0; i < 1_000; i++) {
          assertThat(command.execute("x")).isEqualTo("x");
        }
      } finally {
        elsewhere.before = null;
        goOn.countDown();
        changing.join();
      }
      assertThat(value(tenrec)).isEqualTo("4");
    }
  }

  @Test
  void remote_besideASourceOfItsOwn_isRefused() {
    TenrecBuilder builder = Unhurried.builder().source(new NoSettings()).remoteSource(elsewhere);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("remoteSource", "would be ignored");
  }

  @Test
  void resolved_always_namesTheLevelOfEachValue() {
    elsewhere.replace(Map.of(ALL + SLEEP, "3", ALL + VOLUME, "9"));
    try (Tenrec tenrec = Unhurried.builder().remoteSource(elsewhere).build()) {
      build(tenrec);
      assertThat(List.of(setting(tenrec, SLEEP), setting(tenrec, VOLUME), setting(tenrec, WINDOW)))
          .extracting(EffectiveSetting::value, EffectiveSetting::level)
          .containsExactly(
              tuple("3", SettingLevel.GLOBAL),
              tuple("7", SettingLevel.CODE),
              tuple("10000", SettingLevel.DEFAULT));
      elsewhere.replace(Map.of(ALL + SLEEP, "3", ONE + SLEEP, "4"));
      assertThat(setting(tenrec, SLEEP).level()).isEqualTo(SettingLevel.INSTANCE);
      assertThat(tenrec.resolvedSettings().properties())
          .containsEntry(ALL + SLEEP, "3")
          .containsEntry(ONE + SLEEP, "4");
    }
  }

  @Test
  void resolved_ofRefusals_hasThoseThatStandOnly() {
    elsewhere.replace(Map.of(ONE + SLEEP, "none"));
    try (Tenrec tenrec = Unhurried.builder().remoteSource(elsewhere).build()) {
      build(tenrec);
      assertThat(tenrec.resolvedSettings().refusals())
          .extracting(Refusal::key)
          .containsExactly(ONE + SLEEP);
      elsewhere.replace(Map.of(ONE + BUCKETS, "3"));
      assertThat(setting(tenrec, BUCKETS).level())
          .as("3 does not divide 10 s")
          .isEqualTo(SettingLevel.KEPT);
      assertThat(tenrec.resolvedSettings().refusals())
          .extracting(Refusal::key)
          .contains(ONE + BUCKETS)
          .doesNotContain(ONE + SLEEP);
      elsewhere.replace(Map.of(ONE + BUCKETS, "3", ONE + WINDOW, "9000"));
      assertThat(setting(tenrec, BUCKETS).value()).isEqualTo("3");
      assertThat(tenrec.resolvedSettings().refusals()).as("the other made it good").isEmpty();
    }
  }

  /** Waits for something. */
  private interface Waiting {
    void await() throws InterruptedException;
  }

  /** A source that a test changes. */
  private static final class Elsewhere implements SettingsSource {

    final List<Runnable> subscribers = new CopyOnWriteArrayList<>();
    volatile Map<String, String> values = new HashMap<>();
    volatile boolean failing;
    volatile boolean closed;
    volatile @Nullable Waiting before;

    void replace(Map<String, String> next) {
      values = next;
      subscribers.forEach(Runnable::run);
    }

    @Override
    public Map<String, String> values(String prefix) {
      Waiting waiting = before;
      if (waiting != null) {
        try {
          waiting.await();
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      if (failing) {
        throw new IllegalStateException("elsewhere is away");
      }
      Map<String, String> ours = new HashMap<>(values);
      ours.keySet().removeIf(key -> !key.startsWith(prefix + "."));
      return ours;
    }

    @Override
    public Subscription subscribe(Runnable onChange) {
      subscribers.add(onChange);
      return () -> subscribers.remove(onChange);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
