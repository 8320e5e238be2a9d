// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Fuzz;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes at all levels, drawn at random and in any spelling, against the four lines of the
 * reference: instance, code, global, built-in; memory before what was there at the start. Where a
 * value is refused, or its reference leads nowhere, what its key had before stays.
 */
class LevelsFuzzTest {

  private static final int STEPS = 20;

  /**
   * A setting.
   *
   * @param good texts it takes, each with the value that is in force then
   * @param bad texts it refuses
   * @param byCode whether code may say it
   */
  private record Setting(
      String name, Map<String, String> good, List<String> bad, String builtIn, boolean byCode) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(
              "execution.isolation.thread.timeoutInMilliseconds",
              Map.of("250", "250", "2s", "2000", "PT0.25S", "250", "${ms}", "70", "${ms}0", "700"),
              List.of("0", "-5", "soon", "", "${nowhere}", "${round}", "2s 3"),
              "1000",
              true),
          new Setting(
              "fallback.isolation.semaphore.maxConcurrentRequests",
              Map.of("0", "0", " 7 ", "7", "${chain}", "12", "${nowhere:5}", "5", "1${ms}", "170"),
              List.of("-1", "1.5", "2147483648", "${chain", "${round}", "many"),
              "10",
              true),
          new Setting(
              "fallback.enabled",
              Map.of("no", "false", "OFF", "false", "True", "true", "${flag}", "false"),
              List.of("", "maybe", "0", "${ms}"),
              "true",
              false));

  /** What values refer to. */
  private static final Map<String, String> NAMES =
      Map.of(
          "ms",
          "70",
          "flag",
          "off",
          "chain",
          "${link}",
          "link",
          "1${two}",
          "two",
          "2",
          "round",
          "${trip}",
          "trip",
          "${round}");

  @Test
  void anyChanges_ofAllLevels_comeToWhatTheReferenceSays() {
    Fuzz.rounds(Fuzz.IN_EACH_BUILD, LevelsFuzzTest::round);
  }

  @Tag("long")
  @Test
  void manyChanges_ofAllLevels_comeToWhatTheReferenceSays() {
    Fuzz.rounds(Fuzz.LONG / 10, LevelsFuzzTest::round);
  }

  private static void round(Random random) {
    Setting setting = SETTINGS.get(random.nextInt(SETTINGS.size()));
    Map<String, String> start = new HashMap<>(); // what each key has then
    Map<String, String> base = new HashMap<>(NAMES);
    for (String key : List.of("Get.Quote", "default")) {
      if (random.nextInt(3) == 0) {
        String text = any(random, List.copyOf(setting.good().keySet()));
        base.put(spelled(random, key, setting.name()), text);
        start.put(key, setting.good().get(text));
      }
    }
    Map<String, String> has = new HashMap<>(start);
    String code = setting.byCode() && random.nextBoolean() ? "40" : null;
    try (Tenrec tenrec = Tenrec.builder().baseProperties(base).build()) {
      CommandBuilder<String, String> builder = tenrec.command("Get.Quote", (String s) -> s);
      if (code != null) {
        builder.timeout(Duration.ofMillis(40)).fallbackLimit(40);
      }
      Command<String, String> unused = builder.build();
      StringBuilder told = new StringBuilder(setting.name() + ", base " + base + ", code " + code);
      for (int step = 0; step < STEPS; step++) {
        assertThat(now(tenrec, setting.name()))
            .as("%s", told)
            .isEqualTo(expected(setting, has, code));
        String key = random.nextBoolean() ? "Get.Quote" : "default";
        String property = spelled(random, key, setting.name());
        if (random.nextInt(3) == 0) {
          tenrec.clear(property);
          has.remove(key);
          if (start.containsKey(key)) {
            has.put(key, start.get(key));
          }
          told.append("; clear ").append(property);
        } else {
          String text =
              random.nextInt(3) == 0
                  ? any(random, setting.bad())
                  : any(random, List.copyOf(setting.good().keySet()));
          tenrec.set(property, text);
          if (setting.good().containsKey(text)) {
            has.put(key, setting.good().get(text));
          }
          told.append("; ").append(property).append(" = ").append(text);
        }
      }
      assertThat(now(tenrec, setting.name()))
          .as("%s", told)
          .isEqualTo(expected(setting, has, code));
    }
  }

  private static String expected(Setting setting, Map<String, String> has, @Nullable String code) {
    String global = has.getOrDefault("default", setting.builtIn());
    return has.getOrDefault("Get.Quote", code == null ? global : code);
  }

  private static @Nullable String now(Tenrec tenrec, String property) {
    return tenrec.resolvedSettings().effective().stream()
        .filter(one -> one.scope().equals("command") && one.key().equals("Get.Quote"))
        .filter(one -> one.property().equals(property))
        .map(EffectiveSetting::value)
        .findFirst()
        .orElseThrow();
  }

  private static String any(Random random, List<String> texts) {
    return texts.stream().sorted().toList().get(random.nextInt(texts.size()));
  }

  /** The property of this key, in any case, with dashes and underscores. */
  private static String spelled(Random random, String key, String property) {
    StringBuilder spelled = new StringBuilder();
    for (char letter : property.toCharArray()) {
      if (Character.isUpperCase(letter) && random.nextBoolean()) {
        spelled.append(random.nextBoolean() ? '-' : '_');
      }
      spelled.append(random.nextInt(4) == 0 ? Character.toUpperCase(letter) : letter);
    }
    String scope = random.nextInt(4) == 0 ? "COMMAND" : "command";
    String named =
        key.equals("default") || random.nextBoolean() ? "." + key + "." : "[" + key + "].";
    return "tenrec." + scope + named + spelled;
  }
}
