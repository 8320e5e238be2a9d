// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Fuzz;
import dev.tenrec.core.retry.Retry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes at all levels of all scopes, drawn at random and in any spelling, against the four lines
 * of the reference: instance, code, global, built-in; memory before what was there at the start.
 * Where a value is refused, or its reference leads nowhere, what its key had before stays.
 */
class LevelsFuzzTest {

  private static final int STEPS = 20;

  /** Of whatever is built: a command, a pool, and so on. */
  private static final String KEY = "Get.Quote";

  /** What code says, where it says something: a number, or so many of the property's unit. */
  private static final int BY_CODE = 40;

  private static final Duration MS_BY_CODE = Duration.ofMillis(BY_CODE);

  private enum Code {
    SAYS_NOTHING,
    MAY_SAY,
    ALWAYS_SAYS
  }

  /** Builds what has the settings of a scope, so that they are in force. */
  private interface Built {

    /**
     * Builds it.
     *
     * @param code whether code says what it may say
     */
    void in(Tenrec tenrec, boolean code);
  }

  /**
   * A setting.
   *
   * @param good texts it takes, each with the value that is in force then
   * @param bad texts it refuses
   * @param builtIn null for none
   * @param code whether code can say it
   */
  private record Setting(
      String scope,
      String name,
      Map<String, String> good,
      List<String> bad,
      @Nullable String builtIn,
      Code code,
      Built built) {}

  private static final Map<String, String> COUNTS =
      Map.of(" 7 ", "7", "${chain}", "12", "${nowhere:5}", "5", "1${link}", "112");
  private static final List<String> NO_COUNTS =
      List.of("-2", "1.5", "2147483648", "${chain", "${round}", "many", "");

  private static final Map<String, String> TIMES =
      Map.of("250", "250", "2s", "2000", "PT0.25S", "250", "${ms}", "70", "${ms}0", "700");
  private static final List<String> NO_TIMES =
      List.of("0", "-5", "soon", "", "${nowhere}", "${round}", "2s 3");

  private static final Map<String, String> FLAGS =
      Map.of("no", "false", "OFF", "false", "True", "true", "${flag}", "false");
  private static final List<String> NO_FLAGS = List.of("", "maybe", "0", "${ms}");

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(
              "command",
              "execution.isolation.thread.timeoutInMilliseconds",
              TIMES,
              NO_TIMES,
              "1000",
              Code.MAY_SAY,
              LevelsFuzzTest::command),
          new Setting(
              "command",
              "fallback.isolation.semaphore.maxConcurrentRequests",
              and(COUNTS, "0", "0"),
              and(NO_COUNTS, "-1"),
              "10",
              Code.MAY_SAY,
              LevelsFuzzTest::command),
          new Setting(
              "command",
              "fallback.enabled",
              FLAGS,
              NO_FLAGS,
              "true",
              Code.SAYS_NOTHING,
              LevelsFuzzTest::command),
          new Setting(
              "threadpool",
              "maxQueueSize",
              and(COUNTS, "-1", "-1"),
              NO_COUNTS,
              "-1",
              Code.MAY_SAY,
              LevelsFuzzTest::pool),
          new Setting(
              "threadpool",
              "keepAliveTimeMinutes",
              Map.of("2", "2", "2h", "120", "90s", "PT1M30S", "0", "0", "${chain}", "12"),
              List.of("-1", "1.5", "soon", "", "${nowhere}", "366d"),
              "1",
              Code.MAY_SAY,
              LevelsFuzzTest::pool),
          new Setting(
              "threadpool",
              "allowMaximumSizeToDivergeFromCoreSize",
              FLAGS,
              NO_FLAGS,
              "false",
              Code.SAYS_NOTHING,
              LevelsFuzzTest::pool),
          new Setting(
              "semaphore",
              "maxConcurrentRequests",
              and(COUNTS, "0", "0"),
              and(NO_COUNTS, "-1"),
              "10",
              Code.ALWAYS_SAYS,
              LevelsFuzzTest::semaphore),
          new Setting(
              "ratelimiter",
              "permits",
              COUNTS,
              and(NO_COUNTS, "0"),
              "100",
              Code.ALWAYS_SAYS,
              LevelsFuzzTest::limiter),
          new Setting(
              "ratelimiter",
              "periodInMilliseconds",
              TIMES,
              NO_TIMES,
              "1000",
              Code.ALWAYS_SAYS,
              LevelsFuzzTest::limiter),
          new Setting(
              "ratelimiter",
              "burst",
              COUNTS,
              and(NO_COUNTS, "0"),
              null,
              Code.MAY_SAY,
              LevelsFuzzTest::limiter),
          new Setting(
              "ratelimiter",
              "maxKeys",
              COUNTS,
              and(NO_COUNTS, "1000001"),
              "1000",
              Code.SAYS_NOTHING,
              LevelsFuzzTest::limiter),
          new Setting(
              "retrybudget",
              "percent",
              Map.of(" 7 ", "7", "${chain}", "12", "0", "0", "100", "100"),
              and(NO_COUNTS, "101"),
              "20",
              Code.MAY_SAY,
              LevelsFuzzTest::budget),
          new Setting(
              "retrybudget",
              "perSecond",
              and(COUNTS, "0", "0"),
              and(NO_COUNTS, "1001"),
              "3",
              Code.MAY_SAY,
              LevelsFuzzTest::budget),
          new Setting(
              "collapser",
              "maxRequestsInBatch",
              COUNTS,
              and(NO_COUNTS, "0"),
              "2147483647",
              Code.MAY_SAY,
              LevelsFuzzTest::collapser),
          new Setting(
              "collapser",
              "timerDelayInMilliseconds",
              TIMES,
              NO_TIMES,
              "10",
              Code.MAY_SAY,
              LevelsFuzzTest::collapser),
          new Setting(
              "collapser",
              "requestCache.enabled",
              FLAGS,
              NO_FLAGS,
              "true",
              Code.SAYS_NOTHING,
              LevelsFuzzTest::collapser));

  private static Map<String, String> and(Map<String, String> texts, String text, String value) {
    Map<String, String> more = new HashMap<>(texts);
    more.put(text, value);
    return more;
  }

  private static List<String> and(List<String> texts, String text) {
    return Stream.concat(texts.stream(), Stream.of(text)).toList();
  }

  private static CommandBuilder<String, String> echo(Tenrec tenrec) {
    return tenrec.command(KEY, (String s) -> s);
  }

  private static void command(Tenrec tenrec, boolean code) {
    CommandBuilder<String, String> builder = echo(tenrec);
    if (code) {
      builder.timeout(MS_BY_CODE).fallbackLimit(BY_CODE);
    }
    Command<String, String> unused = builder.build();
  }

  /** Its first call makes it. */
  private static void pool(Tenrec tenrec, boolean code) {
    Isolation.ThreadPool pool = Isolation.threadPool().key(KEY);
    Command<String, String> command =
        echo(tenrec)
            .isolation(code ? pool.queueSize(BY_CODE).keepAlive(Duration.ofMinutes(BY_CODE)) : pool)
            .withoutTimeout()
            .build();
    assertThat(command.execute("x")).isEqualTo("x");
  }

  private static void semaphore(Tenrec tenrec, boolean code) {
    assertThat(code).as("its limit is always said").isTrue();
    Command<String, String> unused =
        echo(tenrec).isolation(Isolation.semaphore(BY_CODE).shared(KEY)).build();
  }

  /** Its permits and its period are always said. */
  private static void limiter(Tenrec tenrec, boolean code) {
    RateLimit limit = RateLimit.of(BY_CODE, MS_BY_CODE).shared(KEY);
    Command<String, String> unused =
        echo(tenrec).rateLimit(code ? limit.burst(BY_CODE) : limit).build();
  }

  private static void budget(Tenrec tenrec, boolean code) {
    Retry retry = Retry.attempts(2).sharedBudget(KEY);
    Command<String, String> unused =
        echo(tenrec).retry(code ? retry.budget(BY_CODE, BY_CODE) : retry).build();
  }

  private static void collapser(Tenrec tenrec, boolean code) {
    CollapserBuilder<String, String> builder =
        tenrec.collapser(KEY, (List<String> all) -> Map.<String, String>of());
    if (code) {
      builder.timerDelay(MS_BY_CODE).maxRequestsInBatch(BY_CODE);
    }
    Collapser<String, String> unused = builder.build();
  }

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

  static void round(Random random) {
    Setting setting = SETTINGS.get(random.nextInt(SETTINGS.size()));
    Map<String, String> start = new HashMap<>(); // what each key has then
    Map<String, String> base = new HashMap<>(NAMES);
    for (String key : List.of(KEY, "default")) {
      if (random.nextInt(3) == 0) {
        String text = any(random, List.copyOf(setting.good().keySet()));
        base.put(spelled(random, key, setting), text);
        start.put(key, setting.good().get(text));
      }
    }
    Map<String, String> has = new HashMap<>(start);
    boolean said = setting.code() == Code.ALWAYS_SAYS || random.nextBoolean();
    String code = said && setting.code() != Code.SAYS_NOTHING ? Integer.toString(BY_CODE) : null;
    try (Tenrec tenrec = Tenrec.builder().baseProperties(base).build()) {
      setting.built().in(tenrec, said);
      StringBuilder told =
          new StringBuilder(
              setting.scope() + " " + setting.name() + ", base " + base + ", code " + code);
      for (int step = 0; step < STEPS; step++) {
        assertThat(now(tenrec, setting)).as("%s", told).isEqualTo(expected(setting, has, code));
        String key = random.nextBoolean() ? KEY : "default";
        String property = spelled(random, key, setting);
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
      assertThat(now(tenrec, setting)).as("%s", told).isEqualTo(expected(setting, has, code));
    }
  }

  private static @Nullable String expected(
      Setting setting, Map<String, String> has, @Nullable String code) {
    String global = has.getOrDefault("default", setting.builtIn());
    return has.getOrDefault(KEY, code == null ? global : code);
  }

  private static @Nullable String now(Tenrec tenrec, Setting setting) {
    return tenrec.resolvedSettings().effective().stream()
        .filter(one -> one.scope().equals(setting.scope()) && one.key().equals(KEY))
        .filter(one -> one.property().equals(setting.name()))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static String any(Random random, List<String> texts) {
    return texts.stream().sorted().toList().get(random.nextInt(texts.size()));
  }

  /** The property of this key, in any case, with dashes and underscores. */
  private static String spelled(Random random, String key, Setting setting) {
    StringBuilder spelled = new StringBuilder();
    for (char letter : setting.name().toCharArray()) {
      if (Character.isUpperCase(letter) && random.nextBoolean()) {
        spelled.append(random.nextBoolean() ? '-' : '_');
      }
      spelled.append(random.nextInt(4) == 0 ? Character.toUpperCase(letter) : letter);
    }
    String scope =
        switch (random.nextInt(4)) {
          case 0 -> setting.scope().toUpperCase(Locale.ROOT);
          case 1 -> setting.scope().substring(0, 5) + "-" + setting.scope().substring(5);
          default -> setting.scope();
        };
    String named =
        key.equals("default") || random.nextBoolean() ? "." + key + "." : "[" + key + "].";
    return "tenrec." + scope + named + spelled;
  }
}
