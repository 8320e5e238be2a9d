// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.kit.Fuzz;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever the value or the key of a setting is, it is understood or refused in words. */
class PropertyFuzzTest {

  private static final String KEY = "tenrec.any.Key";

  static final List<Property<?>> ALL =
      Stream.of(
              CommandSettings.SCOPE.table(),
              PoolSettings.SCOPE.table(),
              SemaphoreSettings.SCOPE.table(),
              RateSettings.SCOPE.table(),
              RetryBudgetSettings.SCOPE.table(),
              CollapserSettings.SCOPE.table())
          .flatMap(table -> table.properties().stream())
          .toList();

  @Test
  void anyValue_isReadOrRefused_andReadAgainAsItIsWritten() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, PropertyFuzzTest::value);
  }

  @Tag("long")
  @Test
  void manyValues_areReadOrRefused_andReadAgainAsTheyAreWritten() {
    Fuzz.rounds(Fuzz.LONG, PropertyFuzzTest::value);
  }

  private static void value(Random random) {
    String text = Fuzz.text(random);
    ALL.forEach(property -> value(property, text));
  }

  static void value(Property<?> property, String text) {
    Object value;
    try {
      value = property.read(KEY, text);
    } catch (InvalidSettingException refused) {
      assertThat(refused).as("%s", property).hasMessageContaining(KEY);
      return;
    }
    String written = property.write(value);
    assertThat((Object) property.read(KEY, written)).as("%s", property).isEqualTo(value);
  }

  @Test
  void anyTime_byCode_isTakenOrRefused() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, PropertyFuzzTest::time);
  }

  @Tag("long")
  @Test
  void manyTimes_byCode_areTakenOrRefused() {
    Fuzz.rounds(Fuzz.LONG, PropertyFuzzTest::time);
  }

  @SuppressWarnings("unchecked") // of those only whose default is a time
  private static void time(Random random) {
    Duration time =
        Duration.ofSeconds(random.nextLong() >> random.nextInt(64), random.nextInt(1_000_000_000));
    for (Property<?> property : ALL) {
      if (property.defaultValue() instanceof Duration) {
        Property<Duration> times = (Property<Duration>) property;
        try {
          assertThat(times.check(KEY, time)).isEqualTo(time);
        } catch (InvalidSettingException refused) {
          assertThat(refused).as("%s", property).hasMessageContaining(KEY);
          continue;
        }
        assertThat(times.read(KEY, times.write(time))).as("%s", property).isEqualTo(time);
      }
    }
  }

  @Test
  void anyKey_isSpelledInOneWay_andTakenApartAsItWasPutTogether() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, PropertyFuzzTest::key);
  }

  @Tag("long")
  @Test
  void manyKeys_areSpelledInOneWay_andTakenApartAsTheyWerePutTogether() {
    Fuzz.rounds(Fuzz.LONG, PropertyFuzzTest::key);
  }

  private static void key(Random random) {
    spelling("tenrec." + Fuzz.text(random) + Fuzz.text(random));
    apart(Fuzz.text(random), ALL.get(random.nextInt(ALL.size())));
    Property<?> property = ALL.get(random.nextInt(ALL.size()));
    String name = property.name();
    int cut = random.nextInt(name.length());
    inBrackets(property.scope(), Fuzz.text(random), Fuzz.text(random) + name);
    inBrackets(property.scope(), Fuzz.text(random) + name.substring(0, cut), name.substring(cut));
    inBrackets(
        property.scope(),
        Fuzz.text(random) + "." + name.substring(0, cut),
        name.substring(cut).replaceFirst("^\\.", ""));
  }

  /** A key in brackets is that key, and what follows is a property's name or nothing's. */
  static void inBrackets(String scope, String key, String name) {
    if (key.isEmpty() || name.contains("].")) {
      return;
    }
    String plain = name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    SettingKey meant =
        ALL.stream()
            .filter(one -> one.scope().equals(scope))
            .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(plain))
            .map(one -> new SettingKey(scope, key, one.name()))
            .findFirst()
            .orElse(null);
    String written = "tenrec." + scope + "[" + key + "]." + name;
    String spelled = new Spelling("tenrec").apply(written);
    assertThat(SettingKey.parse("tenrec", spelled))
        .as("%s, respelled %s", written, spelled)
        .isEqualTo(meant);
  }

  static void spelling(String any) {
    Spelling spelling = new Spelling("tenrec");
    String once = spelling.apply(any);
    assertThat(SettingKey.parse("tenrec", once))
        .as("%s, respelled %s", any, once)
        .isEqualTo(SettingKey.parse("tenrec", spelling.apply(once)));
  }

  static void apart(String key, Property<?> property) {
    String full = "tenrec." + property.scope() + "." + key + "." + property.name();
    if (!key.isEmpty()) {
      assertThat(SettingKey.parse("tenrec", full))
          .isEqualTo(new SettingKey(property.scope(), key, property.name()));
    }
  }
}
