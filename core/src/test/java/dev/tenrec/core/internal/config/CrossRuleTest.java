// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingChangeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules between properties, at the start, live and in code. */
class CrossRuleTest {

  private static final String WINDOW = ".metrics.rollingStats.timeInMilliseconds";
  private static final String BUCKETS = ".metrics.rollingStats.numBuckets";
  private static final String HEALTH = ".metrics.healthSnapshot.intervalInMilliseconds";
  private static final String DIVIDES =
      "metrics.rollingStats.timeInMilliseconds must divide into metrics.rollingStats.numBuckets buckets of whole milliseconds";

  private final MapSource source = new MapSource();
  private final List<Refusal> refusals = new ArrayList<>();
  private final Configuration configuration =
      Configuration.open(source, "tenrec", refusals::add, SettingChangeListener.NONE);

  @AfterEach
  void close() {
    configuration.close();
  }

  private LiveSettings<CommandSettings> command(String key) {
    return configuration.command(key, CodeSettings.command().build(), settings -> {});
  }

  private static long ms(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void live_bothNamedPropertiesGoBack_restApplies() {
    LiveSettings<CommandSettings> a = command("A");
    source.set(Map.of("tenrec.command.A" + WINDOW, "6000", "tenrec.command.A" + BUCKETS, "6"));
    source.set(
        Map.of(
            "tenrec.command.A" + WINDOW,
            "5000",
            "tenrec.command.A" + BUCKETS,
            "7",
            "tenrec.command.A.circuitBreaker.forceOpen",
            "true"));
    assertThat(a.current().metrics().rollingWindowNanos()).isEqualTo(ms(6_000));
    assertThat(a.current().metrics().rollingBuckets()).isEqualTo(6);
    assertThat(a.current().forceOpen()).isTrue();
    assertThat(refusals)
        .containsExactlyInAnyOrder(
            new Refusal("tenrec.command.A" + WINDOW, "5000", DIVIDES),
            new Refusal("tenrec.command.A" + BUCKETS, "7", DIVIDES));
  }

  @Test
  void live_laterChangeMakesItGood_isTakenThen() {
    LiveSettings<CommandSettings> a = command("A");
    source.set("tenrec.command.A" + BUCKETS, "7");
    assertThat(a.current().metrics().rollingBuckets()).isEqualTo(10);
    source.set("tenrec.command.A.circuitBreaker.forceOpen", "true");
    assertThat(refusals).hasSize(1);
    source.set("tenrec.command.default" + WINDOW, "14000");
    assertThat(a.current().metrics().rollingBuckets()).isEqualTo(7);
    assertThat(a.current().metrics().rollingWindowNanos()).isEqualTo(ms(14_000));
  }

  @Test
  void live_clearingThatBreaksARule_keepsTheLastGoodPair() {
    LiveSettings<CommandSettings> a = command("A");
    source.set(Map.of("tenrec.command.A" + WINDOW, "7000", "tenrec.command.A" + BUCKETS, "7"));
    source.clear("tenrec.command.A" + WINDOW);
    assertThat(a.current().metrics().rollingWindowNanos()).isEqualTo(ms(7_000));
    assertThat(a.current().metrics().rollingBuckets()).isEqualTo(7);
    assertThat(refusals)
        .containsExactly(
            new Refusal("tenrec.command.A" + WINDOW, "10000", DIVIDES + " (by default)"));
    source.clear("tenrec.command.A" + BUCKETS);
    assertThat(a.current()).isEqualTo(command("B").current());
  }

  @Test
  void live_oneRevertBreakingAnotherRule_goesOnUntilAllHold() {
    LiveSettings<CommandSettings> a = command("A");
    // the window cannot be divided; without it the interval would be longer than the window
    source.set(Map.of("tenrec.command.A" + WINDOW, "20001", "tenrec.command.A" + HEALTH, "15000"));
    assertThat(a.current().metrics().rollingWindowNanos()).isEqualTo(ms(10_000));
    assertThat(a.current().metrics().healthIntervalNanos()).isEqualTo(ms(500));
    assertThat(refusals)
        .extracting(Refusal::key)
        .containsExactlyInAnyOrder("tenrec.command.A" + WINDOW, "tenrec.command.A" + HEALTH);
  }

  @Test
  void live_globalValue_isReportedOnceForAllCommands() {
    command("A");
    command("B");
    LiveSettings<CommandSettings> other =
        configuration.command(
            "C",
            CodeSettings.command().set(CommandProperties.ROLLING_BUCKETS, 1).build(),
            settings -> {});
    source.set("tenrec.command.default" + WINDOW, "10001");
    assertThat(refusals)
        .containsExactly(new Refusal("tenrec.command.default" + WINDOW, "10001", DIVIDES));
    assertThat(other.current().metrics().rollingWindowNanos())
        .as("it is good for this one")
        .isEqualTo(ms(10_001));
  }

  @Test
  void start_breakingInstanceValue_fallsToTheGlobalOne() {
    source.set(
        Map.of(
            "tenrec.command.A" + BUCKETS,
            "7",
            "tenrec.command.default" + BUCKETS,
            "5",
            "tenrec.command.default" + WINDOW,
            "5000"));
    LiveSettings<CommandSettings> a = command("A");
    assertThat(a.current().metrics().rollingBuckets()).isEqualTo(5);
    assertThat(a.current().metrics().rollingWindowNanos()).isEqualTo(ms(5_000));
  }

  @Test
  void start_breakingGlobalValue_fallsToTheDefault() {
    source.set("tenrec.command.default" + HEALTH, "10001");
    assertThat(command("A").current().metrics().healthIntervalNanos()).isEqualTo(ms(500));
    assertThat(refusals)
        .extracting(Refusal::rule)
        .containsExactly(
            "metrics.healthSnapshot.intervalInMilliseconds must not be longer than metrics.rollingStats.timeInMilliseconds");
  }

  @Test
  void start_breakingCode_throws() {
    CodeSettings code = CodeSettings.command().set(CommandProperties.PERCENTILE_BUCKETS, 7).build();
    assertThatThrownBy(() -> configuration.command("A", code, settings -> {}))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(
            "tenrec.command.A.metrics.rollingPercentile.numBuckets = 7: metrics.rollingPercentile.timeInMilliseconds must")
        .hasMessageEndingWith("(set in code)");
    assertThat(configuration.refusedCount()).isZero();
    source.set("tenrec.command.A.metrics.rollingPercentile.numBuckets", "5");
    assertThatThrownBy(() -> configuration.command("A", code, settings -> {}))
        .as("also when a dynamic value hides it")
        .isInstanceOf(InvalidSettingException.class);
  }

  @Test
  void live_codeUnderAGlobalChange_isNamed() {
    CodeSettings code = CodeSettings.command().set(CommandProperties.ROLLING_BUCKETS, 20).build();
    LiveSettings<CommandSettings> a = configuration.command("A", code, settings -> {});
    source.set("tenrec.command.default" + WINDOW, "10");
    assertThat(a.current().metrics().rollingWindowNanos()).isEqualTo(ms(10_000));
    assertThat(refusals)
        .containsExactly(new Refusal("tenrec.command.default" + WINDOW, "10", DIVIDES));
  }

  @Test
  void pool_maximumBelowCore_isRefusedOnlyWhenItCounts() {
    LiveSettings<PoolSettings> pool =
        configuration.pool("P", CodeSettings.pool().build(), settings -> {});
    source.set("tenrec.threadpool.P.maximumSize", "5");
    assertThat(pool.current().effectiveMaximum()).isEqualTo(10);
    assertThat(refusals).isEmpty();
    source.set("tenrec.threadpool.P.allowMaximumSizeToDivergeFromCoreSize", "true");
    assertThat(pool.current().allowMaximumSizeToDivergeFromCoreSize()).isFalse();
    assertThat(refusals)
        .singleElement()
        .satisfies(
            refusal ->
                assertThat(refusal.rule())
                    .isEqualTo(
                        "maximumSize must not be less than coreSize when allowMaximumSizeToDivergeFromCoreSize is true"));
    source.set("tenrec.threadpool.P.maximumSize", "15");
    assertThat(pool.current().effectiveMaximum()).isEqualTo(15);
  }

  @Test
  void refusal_afterItsCommandIsGone_isNewsForTheNextOne() {
    source.set("tenrec.command.A" + BUCKETS, "7");
    command("A").close();
    command("A");
    assertThat(refusals).hasSize(2);
  }
}
