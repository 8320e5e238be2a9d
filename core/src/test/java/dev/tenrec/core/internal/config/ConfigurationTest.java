// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.RefusalListener;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingChangeListener;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.metrics.internal.MetricsSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

  private static final CodeSettings NO_CODE = CodeSettings.command().build();
  private static final String TIMEOUT = ".execution.isolation.thread.timeoutInMilliseconds";
  private static final String FORCE_OPEN = ".circuitBreaker.forceOpen";

  private final MapSource source = new MapSource();
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<SettingChange> changes = new ArrayList<>();
  private final List<CommandSettings> notified = new ArrayList<>();
  private final Configuration configuration =
      Configuration.open(source, "tenrec", refusals::add, changes::add);

  @AfterEach
  void close() {
    configuration.close();
  }

  private LiveSettings<CommandSettings> command(String key) {
    return configuration.command(key, NO_CODE, notified::add);
  }

  private static long ms(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void command_nothingSet_hasDefaults() {
    assertThat(command("A").current())
        .isEqualTo(
            new CommandSettings(
                IsolationStrategy.THREAD,
                true,
                ms(1_000),
                true,
                false,
                10,
                10,
                ms(60_000),
                0,
                10,
                true,
                true,
                20,
                50,
                ms(5_000),
                false,
                false,
                false,
                1,
                0,
                false,
                new RateSettings(100, ms(1_000), 100, 1_000),
                new RetrySettings(true, 2, ms(50), ms(1_000), 0, 20, 3),
                new HedgeSettings(true, ms(50), 0, 1, 5, 1),
                false,
                new MetricsSettings(ms(10_000), 10, true, ms(60_000), 6, ms(500)),
                100,
                true,
                true,
                null));
  }

  @Test
  void pool_nothingSet_hasDefaults() {
    assertThat(configuration.pool("P", CodeSettings.pool().build(), settings -> {}).current())
        .isEqualTo(new PoolSettings(10, 10, false, ms(60_000), -1, -1, ms(10_000), 10));
  }

  @Test
  void change_ofOneCommand_notifiesItAlone() {
    LiveSettings<CommandSettings> a = command("A");
    LiveSettings<CommandSettings> b =
        configuration.command("B", NO_CODE, settings -> notified.add(null));
    source.set("tenrec.command.A" + TIMEOUT, "250");
    assertThat(notified).containsExactly(a.current());
    assertThat(a.current().timeoutNanos()).isEqualTo(ms(250));
    assertThat(b.current().timeoutNanos()).isEqualTo(ms(1_000));
    assertThat(changes)
        .containsExactly(
            new SettingChange(
                "command", "A", "execution.isolation.thread.timeoutInMilliseconds", "1000", "250"));
  }

  @Test
  void change_ofSeveralProperties_isOneSnapshot() {
    LiveSettings<CommandSettings> a = command("A");
    source.set(
        Map.of("tenrec.command.A" + TIMEOUT, "250", "tenrec.command.default" + FORCE_OPEN, "true"));
    assertThat(notified).containsExactly(a.current());
    assertThat(changes)
        .extracting(SettingChange::property, SettingChange::oldValue, SettingChange::newValue)
        .containsExactlyInAnyOrder(
            tuple("execution.isolation.thread.timeoutInMilliseconds", "1000", "250"),
            tuple("circuitBreaker.forceOpen", "false", "true"));
  }

  @Test
  void change_withoutEffect_notifiesNobody() {
    LiveSettings<CommandSettings> a = command("A");
    CommandSettings before = a.current();
    source
        .set("tenrec.command.A" + TIMEOUT, "1000")
        .set("tenrec.other", "1")
        .set("tenrec.collapser.A.maxRequestsInBatch", "5");
    assertThat(a.current()).isSameAs(before);
    assertThat(notified).isEmpty();
    assertThat(changes).isEmpty();
    assertThat(refusals).isEmpty();
  }

  @Test
  void change_ofKeyWithDots_findsItsCommand() {
    LiveSettings<CommandSettings> dotted = command("com.example.circuitBreaker");
    source.set("tenrec.command.com.example.circuitBreaker" + FORCE_OPEN, "on");
    assertThat(dotted.current().forceOpen()).isTrue();
  }

  @Test
  void badValue_live_leavesRestOfTheChange() {
    LiveSettings<CommandSettings> a = command("A");
    source.set("tenrec.command.A" + TIMEOUT, "250");
    source.set(
        Map.of("tenrec.command.A" + TIMEOUT, "abc", "tenrec.command.A" + FORCE_OPEN, "true"));
    assertThat(a.current().timeoutNanos()).isEqualTo(ms(250));
    assertThat(a.current().forceOpen()).isTrue();
    assertThat(refusals)
        .containsExactly(
            new Refusal(
                "tenrec.command.A" + TIMEOUT,
                "abc",
                "must be a whole number of milliseconds, or a time as 250ms, 2s, 1m or PT0.25S"));
  }

  @Test
  void badValue_thatStays_isReportedOnceUntilItChanges() {
    command("A");
    source.set("tenrec.command.A" + TIMEOUT, "abc").set("tenrec.command.A" + FORCE_OPEN, "true");
    source.set("tenrec.command.default" + TIMEOUT, "7");
    command("A");
    assertThat(configuration.refusedCount()).isOne();
    source.set("tenrec.command.A" + TIMEOUT, "1.5").set("tenrec.command.A" + TIMEOUT, "abc");
    assertThat(refusals).extracting(Refusal::value).containsExactly("abc", "1.5", "abc");
    assertThat(configuration.refusedCount()).isEqualTo(3);
  }

  @Test
  void badValue_withoutGoodOneBefore_letsLowerLevelsThrough() {
    LiveSettings<CommandSettings> a = command("A");
    source.set("tenrec.command.A" + TIMEOUT, "abc").set("tenrec.command.default" + TIMEOUT, "300");
    assertThat(a.current().timeoutNanos()).isEqualTo(ms(300));
  }

  @Test
  void unknownName_isRefusedWithNearNames() {
    source.set("tenrec.command.A.circuitBreaker.forcedOpen", "true");
    assertThat(refusals)
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.key()).isEqualTo("tenrec.command.A.circuitBreaker.forcedOpen");
              assertThat(refusal.rule())
                  .contains(
                      "names no property of a command", "near names: circuitBreaker.forceOpen,");
            });
    source.clear("tenrec.command.A.circuitBreaker.forcedOpen");
    assertThat(configuration.refusedCount()).isOne();
  }

  @Test
  void open_otherPrefix_readsThatAlone() {
    source.set(Map.of("hystrix.command.A" + TIMEOUT, "250", "tenrec.command.A" + TIMEOUT, "260"));
    try (Configuration other =
        Configuration.open(source, "hystrix", RefusalListener.NONE, SettingChangeListener.NONE)) {
      assertThat(other.prefix()).isEqualTo("hystrix");
      assertThat(other.command("A", NO_CODE, settings -> {}).current().timeoutNanos())
          .isEqualTo(ms(250));
    }
    assertThat(command("A").current().timeoutNanos()).isEqualTo(ms(260));
  }

  @Test
  void open_badPrefix_throws() {
    for (String prefix : List.of("", " ", "tenrec.", ".tenrec", " tenrec")) {
      assertThatThrownBy(
              () ->
                  Configuration.open(
                      source, prefix, RefusalListener.NONE, SettingChangeListener.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + prefix + "'");
    }
  }

  @Test
  void command_keyThatMeansAll_throws() {
    assertThatThrownBy(() -> command("default"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'default'");
    assertThatThrownBy(() -> command(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void command_settingsOfAPool_throws() {
    assertThatThrownBy(() -> configuration.command("A", CodeSettings.pool().build(), notified::add))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tenrec.command.A was given the settings of a threadpool");
  }

  @Test
  void onChange_throwing_doesNotStopOthers() {
    SettingsOwner<CommandSettings> thrower =
        settings -> {
          throw new IllegalStateException("thrown on purpose");
        };
    configuration.command("A", NO_CODE, thrower);
    LiveSettings<CommandSettings> second = command("A");
    source.set("tenrec.command.A" + FORCE_OPEN, "true");
    assertThat(notified).containsExactly(second.current());
    assertThat(changes).as("of the second only").hasSize(1);
  }

  @Test
  void listeners_throwing_doNotStopOthers() {
    MapSource other = new MapSource();
    RefusalListener refusing =
        refusal -> {
          throw new IllegalStateException("thrown on purpose");
        };
    SettingChangeListener changing =
        change -> {
          throw new IllegalStateException("thrown on purpose");
        };
    try (Configuration strict = Configuration.open(other, "tenrec", refusing, changing)) {
      LiveSettings<CommandSettings> a = strict.command("A", NO_CODE, notified::add);
      LiveSettings<CommandSettings> b = strict.command("B", NO_CODE, notified::add);
      other.set(
          Map.of(
              "tenrec.command.default" + FORCE_OPEN,
              "on",
              "tenrec.command.default" + TIMEOUT,
              "x"));
      assertThat(notified).containsExactly(a.current(), b.current());
    }
  }

  @Test
  void onChange_thatSetsAProperty_isServedAfterThisChange() {
    List<Boolean> forcedOpen = new ArrayList<>();
    configuration.command(
        "A", NO_CODE, settings -> source.set("tenrec.command.default" + TIMEOUT, "77"));
    configuration.command("A", NO_CODE, settings -> forcedOpen.add(settings.forceOpen()));
    LiveSettings<CommandSettings> last = command("A");
    source.set("tenrec.command.A" + FORCE_OPEN, "true");
    assertThat(last.current().timeoutNanos()).isEqualTo(ms(77));
    assertThat(forcedOpen).containsExactly(true, true);
    assertThat(notified)
        .extracting(CommandSettings::timeoutNanos)
        .containsExactly(ms(1_000), ms(77));
  }

  @Test
  void refusalListener_thatRepairs_reachesTheCommandBeingBuilt() {
    MapSource other =
        new MapSource().set(Map.of("tenrec.command.A.metrics.rollingStats.numBuckets", "7"));
    RefusalListener repairing = refusal -> other.set(refusal.key(), "5");
    try (Configuration repaired =
        Configuration.open(other, "tenrec", repairing, SettingChangeListener.NONE)) {
      assertThat(repaired.command("A", NO_CODE, notified::add).current().metrics().rollingBuckets())
          .isEqualTo(5);
    }
  }

  @Test
  void close_live_isNotNotifiedAnyMore() {
    LiveSettings<CommandSettings> gone = command("A");
    LiveSettings<CommandSettings> stays = command("A");
    gone.close();
    gone.close();
    source.set("tenrec.command.A" + FORCE_OPEN, "true");
    assertThat(gone.current().forceOpen()).isFalse();
    assertThat(notified).containsExactly(stays.current());
  }

  @Test
  void close_byAnotherDuringAChange_isNotNotifiedAnyMore() {
    List<LiveSettings<CommandSettings>> second = new ArrayList<>();
    configuration.command("A", NO_CODE, settings -> second.forEach(LiveSettings::close));
    second.add(command("A"));
    source.set("tenrec.command.A" + FORCE_OPEN, "true");
    assertThat(notified).isEmpty();
  }

  @Test
  void close_configuration_unsubscribes() {
    LiveSettings<CommandSettings> live = command("A");
    configuration.close();
    assertThat(source.subscribers()).isZero();
    source.set("tenrec.command.A" + FORCE_OPEN, "true");
    assertThat(live.current().forceOpen()).isFalse();
  }

  @Test
  void source_failing_keepsEverything() {
    List<Runnable> subscribed = new ArrayList<>();
    List<RuntimeException> failure = new ArrayList<>();
    SettingsSource failing =
        new SettingsSource() {
          @Override
          public Map<String, String> values(String prefix) {
            for (RuntimeException thrown : failure) {
              throw thrown;
            }
            return Map.of("tenrec.command.A" + FORCE_OPEN, "true");
          }

          @Override
          public Subscription subscribe(Runnable onChange) {
            subscribed.add(onChange);
            return () -> {};
          }

          @Override
          public void close() {}
        };
    try (Configuration followed = Configuration.open(failing)) {
      LiveSettings<CommandSettings> live = followed.command("A", NO_CODE, notified::add);
      failure.add(new IllegalStateException("thrown on purpose"));
      subscribed.forEach(Runnable::run);
      assertThat(live.current().forceOpen()).isTrue();
    }
  }

  @Test
  void commands_withoutSettingsOfTheirOwn_shareOneSnapshot() {
    LiveSettings<CommandSettings> a = command("A");
    LiveSettings<CommandSettings> b = command("B");
    assertThat(a.current()).isSameAs(b.current());
    source.set("tenrec.command.default" + TIMEOUT, "300");
    assertThat(a.current().timeoutNanos()).isEqualTo(ms(300));
    assertThat(a.current()).isSameAs(b.current());
  }

  @Test
  void globalChange_tenThousandCommands_reachesAll() {
    List<LiveSettings<CommandSettings>> lives = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      CodeSettings code =
          CodeSettings.command().set(CommandProperties.REQUEST_VOLUME_THRESHOLD, i + 1).build();
      lives.add(configuration.command("C" + i, code, notified::add));
    }
    source.set("tenrec.command.default" + TIMEOUT, "300");
    assertThat(lives).allMatch(live -> live.current().timeoutNanos() == ms(300));
    assertThat(notified).hasSize(10_000);
    source.set("tenrec.command.C7" + TIMEOUT, "301");
    assertThat(notified).hasSize(10_001);
  }
}
