// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingsSource;
import dev.tenrec.core.config.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Owners that cannot take over what changed. */
class SettingsOwnerTest {

  private static final String FORCE_OPEN = "tenrec.command.A.circuitBreaker.forceOpen";
  private static final String VOLUME = "tenrec.command.A.circuitBreaker.requestVolumeThreshold";
  private static final String WINDOW = "tenrec.command.A.metrics.rollingStats.timeInMilliseconds";
  private static final String BUCKETS = "tenrec.command.A.metrics.rollingStats.numBuckets";
  private static final CodeSettings NO_CODE = CodeSettings.command().build();

  private final MapSource source = new MapSource();
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<SettingChange> changes = new ArrayList<>();
  private final Configuration configuration =
      Configuration.open(source, "tenrec", refusals::add, changes::add);
  private final List<String> log = new ArrayList<>();

  @AfterEach
  void close() {
    configuration.close();
  }

  /** Throws at settings it does not like, either where it prepares or where it applies. */
  private final class Picky implements SettingsOwner<CommandSettings> {

    private final String name;
    private final Predicate<CommandSettings> whenPreparing;
    private final Predicate<CommandSettings> whenApplying;

    Picky(
        String name,
        Predicate<CommandSettings> whenPreparing,
        Predicate<CommandSettings> whenApplying) {
      this.name = name;
      this.whenPreparing = whenPreparing;
      this.whenApplying = whenApplying;
    }

    @Override
    public void take(CommandSettings changed) {
      throw new AssertionError("prepared for, so applied");
    }

    @Override
    public PreparedChange prepare(CommandSettings changed) {
      if (whenPreparing.test(changed)) {
        throw new IllegalStateException("thrown on purpose");
      }
      log.add(name + " prepares");
      return new PreparedChange() {
        @Override
        public void apply() {
          if (whenApplying.test(changed)) {
            throw new OutOfMemoryError("thrown on purpose");
          }
          log.add(name + " applies");
        }

        @Override
        public void discard() {
          log.add(name + " discards");
        }
      };
    }
  }

  private static Predicate<CommandSettings> never() {
    return settings -> false;
  }

  @Test
  void prepare_throwing_refusesThatPropertyOnly_nowAndAtLaterChanges() {
    LiveSettings<CommandSettings> live =
        configuration.command("A", NO_CODE, new Picky("a", CommandSettings::forceOpen, never()));
    source.set(Map.of(FORCE_OPEN, "true", VOLUME, "7"));

    assertThat(live.current().forceOpen()).isFalse();
    assertThat(live.current().requestVolumeThreshold()).isEqualTo(7);
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0).key()).isEqualTo(FORCE_OPEN);
    assertThat(refusals.get(0).value()).isEqualTo("true");
    assertThat(refusals.get(0).rule())
        .contains("cannot be taken over")
        .contains("thrown on purpose");
    assertThat(configuration.refusedCount()).isOne();
    assertThat(changes).extracting(SettingChange::newValue).containsExactly("7");

    source.set(VOLUME, "8");
    assertThat(live.current().requestVolumeThreshold()).isEqualTo(8);
    assertThat(configuration.refusedCount()).as("it stays, and is not reported again").isOne();
  }

  @Test
  void prepare_throwing_refusesTogetherWhatARuleTies() {
    LiveSettings<CommandSettings> live =
        configuration.command(
            "A",
            NO_CODE,
            new Picky("a", settings -> settings.metrics().rollingBuckets() == 7, never()));
    source.set(Map.of(WINDOW, "7000", BUCKETS, "7", VOLUME, "7"));

    assertThat(refusals).extracting(Refusal::key).containsExactlyInAnyOrder(WINDOW, BUCKETS);
    assertThat(live.current().metrics().rollingBuckets()).isEqualTo(10);
    assertThat(live.current().requestVolumeThreshold()).isEqualTo(7);
  }

  @Test
  void prepare_thatWasTriedPartly_isAppliedOnceAndElseDiscarded() {
    configuration.command("A", NO_CODE, new Picky("a", CommandSettings::forceOpen, never()));
    source.set(
        Map.of(
            FORCE_OPEN, "true", VOLUME, "7", "tenrec.command.A.circuitBreaker.observeOnly", "on"));

    assertThat(log).containsExactly("a prepares", "a prepares", "a discards", "a applies");
  }

  @Test
  void apply_throwing_isARefusalAndTheOldOnesAreCurrent() {
    LiveSettings<CommandSettings> live =
        configuration.command("A", NO_CODE, new Picky("a", never(), CommandSettings::forceOpen));
    source.set(FORCE_OPEN, "true");

    assertThat(live.current().forceOpen()).isFalse();
    assertThat(refusals).extracting(Refusal::key).containsExactly(FORCE_OPEN);
    assertThat(changes).isEmpty();
    source.set(FORCE_OPEN, "no");
    source.set(VOLUME, "7");
    assertThat(live.current().requestVolumeThreshold()).isEqualTo(7);
    assertThat(configuration.refusedCount()).isOne();
  }

  @Test
  void change_ofSeveral_isPreparedByAllBeforeTheFirstApplies() {
    configuration.command("A", NO_CODE, new Picky("a", never(), never()));
    configuration.command("B", NO_CODE, new Picky("b", never(), never()));
    source.set("tenrec.command.default.circuitBreaker.forceOpen", "true");

    assertThat(log.subList(0, 2)).containsExactlyInAnyOrder("a prepares", "b prepares");
    assertThat(log.subList(2, 4)).containsExactlyInAnyOrder("a applies", "b applies");
  }

  @Test
  void owner_closedWhileItsChangeIsPrepared_discardsIt() {
    List<LiveSettings<CommandSettings>> gone = new ArrayList<>();
    Predicate<CommandSettings> closing =
        settings -> {
          gone.forEach(LiveSettings::close);
          return settings.forceOpen();
        };
    try (Configuration closed = Configuration.open(source, "tenrec", refusals::add, changes::add)) {
      gone.add(closed.command("A", NO_CODE, new Picky("a", never(), never())));
      closed.command("A", NO_CODE, new Picky("b", closing, never()));
      source.set(FORCE_OPEN, "true");
    }
    assertThat(log).containsExactly("a prepares", "a discards");
  }

  @Test
  void source_thatFails_leavesAllAsTheyAre() {
    List<Runnable> subscribed = new ArrayList<>();
    List<Integer> looks = new ArrayList<>();
    SettingsSource failing =
        new SettingsSource() {
          @Override
          public Map<String, String> values(String prefix) {
            looks.add(1);
            if (looks.size() == 3) {
              throw new StackOverflowError("thrown on purpose");
            }
            return looks.size() > 3 ? Map.of(VOLUME, "7") : Map.of();
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
      LiveSettings<CommandSettings> live = followed.command("A", NO_CODE, settings -> {});
      subscribed.forEach(Runnable::run);
      assertThat(live.current().requestVolumeThreshold()).isEqualTo(20);
      subscribed.forEach(Runnable::run);
      assertThat(live.current().requestVolumeThreshold()).isEqualTo(7);
    }
  }
}
