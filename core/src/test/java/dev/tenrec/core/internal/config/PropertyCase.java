// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One property, three legal values that differ from its default and fit the defaults of all others,
 * a bad value, and where its value shows.
 */
record PropertyCase<S>(
    Property<?> property,
    List<String> texts,
    String bad,
    Function<S, Object> shown,
    List<Object> expected,
    Object byDefault) {

  private static final long MS = 1_000_000L;

  static Stream<PropertyCase<CommandSettings>> command() {
    List<PropertyCase<CommandSettings>> all = new ArrayList<>();
    all.add(
        new PropertyCase<>(
            CommandProperties.ISOLATION_STRATEGY,
            List.of("SEMAPHORE", "thread", "semaphore"),
            "Semaphore",
            CommandSettings::isolationStrategy,
            List.of(
                IsolationStrategy.SEMAPHORE, IsolationStrategy.THREAD, IsolationStrategy.SEMAPHORE),
            IsolationStrategy.THREAD));
    all.add(millis(CommandProperties.TIMEOUT, CommandSettings::timeoutNanos, 1_000, "0"));
    all.add(flag(CommandProperties.TIMEOUT_ENABLED, CommandSettings::timeoutEnabled, true));
    all.add(
        flag(CommandProperties.INTERRUPT_ON_TIMEOUT, CommandSettings::interruptOnTimeout, true));
    all.add(
        flag(
            CommandProperties.INTERRUPT_ON_FUTURE_CANCEL,
            CommandSettings::interruptOnFutureCancel,
            false));
    all.add(
        count(
            CommandProperties.SEMAPHORE_MAX_CONCURRENT,
            CommandSettings::semaphoreMaxConcurrent,
            10,
            "-1"));
    all.add(
        count(
            CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT,
            CommandSettings::virtualThreadMaxConcurrent,
            10,
            "-1"));
    all.add(
        millis(
            CommandProperties.ABANDON_STAGE_AFTER,
            CommandSettings::abandonStageNanos,
            60_000,
            "-1"));
    all.add(
        millis(
            CommandProperties.BETWEEN_ITEMS_TIMEOUT,
            CommandSettings::betweenItemsTimeoutNanos,
            0,
            "-1"));
    all.add(
        count(
            CommandProperties.FALLBACK_MAX_CONCURRENT,
            CommandSettings::fallbackMaxConcurrent,
            10,
            "-1"));
    all.add(flag(CommandProperties.FALLBACK_ENABLED, CommandSettings::fallbackEnabled, true));
    all.add(flag(CommandProperties.BREAKER_ENABLED, CommandSettings::breakerEnabled, true));
    all.add(
        count(
            CommandProperties.REQUEST_VOLUME_THRESHOLD,
            CommandSettings::requestVolumeThreshold,
            20,
            "0"));
    all.add(
        count(
            CommandProperties.ERROR_THRESHOLD_PERCENTAGE,
            CommandSettings::errorThresholdPercentage,
            50,
            "101"));
    all.add(
        millis(
            CommandProperties.SLEEP_WINDOW,
            CommandSettings::sleepWindowNanos,
            5_000,
            "31536000001"));
    all.add(flag(CommandProperties.FORCE_OPEN, CommandSettings::forceOpen, false));
    all.add(flag(CommandProperties.FORCE_CLOSED, CommandSettings::forceClosed, false));
    all.add(flag(CommandProperties.OBSERVE_ONLY, CommandSettings::observeOnly, false));
    all.add(count(CommandProperties.HALF_OPEN_TRIALS, CommandSettings::halfOpenTrials, 1, "65"));
    all.add(millis(CommandProperties.SLOW_CALL, CommandSettings::slowCallNanos, 0, "-1"));
    all.add(flag(CommandProperties.RATE_LIMITER_ENABLED, CommandSettings::rateLimited, false));
    all.add(
        count(
            CommandProperties.RATE_LIMITER_PERMITS,
            settings -> settings.rate().permits(),
            100,
            "0"));
    all.add(
        millis(
            CommandProperties.RATE_LIMITER_PERIOD,
            settings -> settings.rate().periodNanos(),
            1_000,
            "0"));
    all.add(
        count(CommandProperties.RATE_LIMITER_BURST, settings -> settings.rate().burst(), 100, "0"));
    all.add(
        count(
            CommandProperties.RATE_LIMITER_MAX_KEYS,
            settings -> settings.rate().maxKeys(),
            1_000,
            "1000001"));
    all.add(flag(CommandProperties.RETRY_ENABLED, settings -> settings.retry().enabled(), true));
    all.add(
        count(CommandProperties.RETRY_ATTEMPTS, settings -> settings.retry().attempts(), 2, "101"));
    all.add(
        millis(
            CommandProperties.RETRY_FIRST_DELAY,
            settings -> settings.retry().firstDelayNanos(),
            50,
            "-1"));
    all.add(
        millis(
            CommandProperties.RETRY_LONGEST_DELAY,
            settings -> settings.retry().longestDelayNanos(),
            1_000,
            "-1"));
    all.add(
        millis(
            CommandProperties.RETRY_ATTEMPT_TIMEOUT,
            settings -> settings.retry().attemptTimeoutNanos(),
            0,
            "-1"));
    all.add(
        count(
            CommandProperties.RETRY_BUDGET_PERCENT,
            settings -> settings.retry().budgetPercent(),
            20,
            "101"));
    all.add(
        count(
            CommandProperties.RETRY_BUDGET_PER_SECOND,
            settings -> settings.retry().budgetPerSecond(),
            3,
            "1001"));
    all.add(flag(CommandProperties.HEDGE_ENABLED, settings -> settings.hedge().enabled(), true));
    all.add(
        millis(CommandProperties.HEDGE_AFTER, settings -> settings.hedge().afterNanos(), 50, "0"));
    all.add(
        count(
            CommandProperties.HEDGE_PERCENTILE,
            settings -> settings.hedge().percentile(),
            0,
            "100"));
    all.add(
        count(
            CommandProperties.HEDGE_AT_MOST,
            settings -> settings.hedge().atMost(),
            1,
            "11",
            3,
            4,
            5));
    all.add(
        count(
            CommandProperties.HEDGE_BUDGET_PERCENT,
            settings -> settings.hedge().budgetPercent(),
            5,
            "101"));
    all.add(
        count(
            CommandProperties.HEDGE_BUDGET_PER_SECOND,
            settings -> settings.hedge().budgetPerSecond(),
            1,
            "1001"));
    all.add(flag(CommandProperties.DEADLINE_ENABLED, CommandSettings::deadlineEnabled, false));
    all.add(
        millis(
            CommandProperties.ROLLING_WINDOW,
            settings -> settings.metrics().rollingWindowNanos(),
            10_000,
            "0"));
    all.add(
        count(
            CommandProperties.ROLLING_BUCKETS,
            settings -> settings.metrics().rollingBuckets(),
            10,
            "1001",
            20,
            25,
            40));
    all.add(
        flag(
            CommandProperties.PERCENTILE_ENABLED,
            settings -> settings.metrics().percentileEnabled(),
            true));
    all.add(
        millis(
            CommandProperties.PERCENTILE_WINDOW,
            settings -> settings.metrics().percentileWindowNanos(),
            60_000,
            "",
            600,
            1200,
            1800));
    all.add(
        count(
            CommandProperties.PERCENTILE_BUCKETS,
            settings -> settings.metrics().percentileBuckets(),
            6,
            "0"));
    all.add(
        count(
            CommandProperties.PERCENTILE_BUCKET_SIZE,
            CommandSettings::percentileBucketSize,
            100,
            "0"));
    all.add(
        millis(
            CommandProperties.HEALTH_INTERVAL,
            settings -> settings.metrics().healthIntervalNanos(),
            500,
            "0"));
    all.add(
        flag(CommandProperties.REQUEST_CACHE_ENABLED, CommandSettings::requestCacheEnabled, true));
    all.add(flag(CommandProperties.REQUEST_LOG_ENABLED, CommandSettings::requestLogEnabled, true));
    return all.stream();
  }

  static Stream<PropertyCase<PoolSettings>> pool() {
    return Stream.of(
        count(PoolProperties.CORE_SIZE, PoolSettings::coreSize, 10, "0"),
        count(PoolProperties.MAXIMUM_SIZE, PoolSettings::maximumSize, 10, "0"),
        flag(
            PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE,
            PoolSettings::allowMaximumSizeToDivergeFromCoreSize,
            false),
        new PropertyCase<>(
            PoolProperties.KEEP_ALIVE,
            List.of("2", "3", "0"),
            "0.5",
            PoolSettings::keepAliveNanos,
            List.of(2 * 60_000 * MS, 3 * 60_000 * MS, 0L),
            60_000 * MS),
        count(PoolProperties.MAX_QUEUE_SIZE, PoolSettings::maxQueueSize, -1, "-2"),
        count(
            PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD,
            PoolSettings::queueSizeRejectionThreshold,
            -1,
            "-1"),
        millis(PoolProperties.ROLLING_WINDOW, PoolSettings::rollingWindowNanos, 10_000, "-1"),
        count(PoolProperties.ROLLING_BUCKETS, PoolSettings::rollingBuckets, 10, "ten", 20, 25, 40));
  }

  static Stream<PropertyCase<SemaphoreSettings>> semaphore() {
    return Stream.of(
        count(SemaphoreProperties.MAX_CONCURRENT, SemaphoreSettings::maxConcurrent, 10, "1e3"));
  }

  static Stream<PropertyCase<RateSettings>> rateLimiter() {
    return Stream.of(
        count(RateLimiterProperties.PERMITS, RateSettings::permits, 100, "many"),
        millis(RateLimiterProperties.PERIOD, RateSettings::periodNanos, 1_000, "-1"),
        count(RateLimiterProperties.BURST, RateSettings::burst, 100, "0"),
        count(RateLimiterProperties.MAX_KEYS, RateSettings::maxKeys, 1_000, "0"));
  }

  static Stream<PropertyCase<RetryBudgetSettings>> retryBudget() {
    return Stream.of(
        count(RetryBudgetProperties.PERCENT, RetryBudgetSettings::percent, 20, "101"),
        count(RetryBudgetProperties.PER_SECOND, RetryBudgetSettings::perSecond, 3, "-1"));
  }

  static Stream<PropertyCase<CollapserSettings>> collapser() {
    return Stream.of(
        count(
            CollapserProperties.MAX_REQUESTS_IN_BATCH,
            CollapserSettings::maxRequestsInBatch,
            Integer.MAX_VALUE,
            "0"),
        millis(CollapserProperties.TIMER_DELAY, CollapserSettings::timerDelayNanos, 10, "0"),
        flag(
            CollapserProperties.REQUEST_CACHE_ENABLED,
            CollapserSettings::requestCacheEnabled,
            true),
        millis(
            CollapserProperties.ROLLING_WINDOW, CollapserSettings::rollingWindowNanos, 10_000, "0"),
        count(
            CollapserProperties.ROLLING_BUCKETS,
            CollapserSettings::rollingBuckets,
            10,
            "1001",
            20,
            25,
            40),
        flag(CollapserProperties.PERCENTILE_ENABLED, CollapserSettings::percentileEnabled, true),
        millis(
            CollapserProperties.PERCENTILE_WINDOW,
            CollapserSettings::percentileWindowNanos,
            60_000,
            ""),
        count(CollapserProperties.PERCENTILE_BUCKETS, CollapserSettings::percentileBuckets, 6, "0"),
        count(
            CollapserProperties.PERCENTILE_BUCKET_SIZE,
            CollapserSettings::percentileBucketSize,
            100,
            "0"));
  }

  /**
   * All eight combinations of the upper three levels, set from the start, then reached live, then
   * left again.
   */
  void verify(Registration<S> registration) {
    for (int levels = 0; levels < 8; levels++) {
      boolean instance = (levels & 1) != 0;
      boolean code = (levels & 2) != 0;
      boolean global = (levels & 4) != 0;
      CodeSettings.Builder settings = registration.code();
      CodeSettings given = (code ? settings.set(property.name(), texts.get(1)) : settings).build();
      Object wanted =
          instance
              ? expected.get(0)
              : code ? expected.get(1) : global ? expected.get(2) : byDefault;

      MapSource source = new MapSource();
      try (Configuration configuration = Configuration.open(source)) {
        LiveSettings<S> live = registration.register(configuration, "A", given, changed -> {});
        Object unset = code ? expected.get(1) : byDefault;
        assertThat(shown.apply(live.current())).as("nothing dynamic").isEqualTo(unset);
        if (instance) {
          source.set(key("A"), texts.get(0));
        }
        if (global) {
          source.set(key("default"), texts.get(2));
        }
        assertThat(shown.apply(live.current())).as("set live, levels %d", levels).isEqualTo(wanted);

        LiveSettings<S> late = registration.register(configuration, "A", given, changed -> {});
        assertThat(late.current()).as("set before, levels %d", levels).isEqualTo(live.current());

        source.clear(key("A"));
        assertThat(shown.apply(live.current()))
            .isEqualTo(code ? expected.get(1) : global ? expected.get(2) : byDefault);
        source.clear(key("default"));
        assertThat(shown.apply(live.current())).as("all cleared").isEqualTo(unset);
        assertThat(configuration.refusedCount()).isZero();
      }
    }
  }

  /**
   * A bad value has no effect at the start, keeps the last good one when it comes later, and never
   * gets into code.
   */
  void verifyBad(Registration<S> registration) {
    MapSource source = new MapSource().set(Map.of(key("A"), bad, key("default"), texts.get(2)));
    try (Configuration configuration = Configuration.open(source)) {
      LiveSettings<S> live =
          registration.register(configuration, "A", registration.code().build(), changed -> {});
      assertThat(shown.apply(live.current()))
          .as("falls to the next level")
          .isEqualTo(expected.get(2));
      assertThat(configuration.refusedCount()).isOne();
      source.set(key("A"), texts.get(0));
      source.set(key("A"), bad);
      assertThat(shown.apply(live.current()))
          .as("keeps the last good one")
          .isEqualTo(expected.get(0));
      assertThat(configuration.refusedCount()).isEqualTo(2);
      source.set(key("default"), bad);
      source.clear(key("A"));
      assertThat(shown.apply(live.current()))
          .as("the global one keeps its own")
          .isEqualTo(expected.get(2));
    }
    assertThatCodeRefuses(registration);
  }

  private void assertThatCodeRefuses(Registration<S> registration) {
    assertThatThrownBy(() -> registration.code().set(property.name(), bad))
        .isInstanceOfSatisfying(
            InvalidSettingException.class,
            refused -> {
              assertThat(refused.key()).isEqualTo(property.name());
              assertThat(refused.value()).isEqualTo(bad);
              assertThat(refused).hasMessage(property.name() + " = " + bad + ": " + refused.rule());
              assertThat(refused.rule()).startsWith("must be ");
            });
  }

  private String key(String instance) {
    return "tenrec." + property.scope() + "." + instance + "." + property.name();
  }

  @Override
  public String toString() {
    return property.toString();
  }

  /** How one kind of settings is registered. */
  interface Registration<S> {
    CodeSettings.Builder code();

    LiveSettings<S> register(
        Configuration configuration, String key, CodeSettings code, Consumer<S> onChange);
  }

  private static <S> PropertyCase<S> flag(
      Property<Boolean> property, Function<S, Object> shown, boolean byDefault) {
    // the strongest and the weakest differ from the default; code agrees with it, to show that it
    // counts although it does
    List<String> texts = byDefault ? List.of("false", "YES", "off") : List.of("true", "No", "on");
    return new PropertyCase<>(
        property, texts, "1", shown, List.of(!byDefault, byDefault, !byDefault), byDefault);
  }

  private static <S> PropertyCase<S> count(
      Property<Integer> property, Function<S, Object> shown, int byDefault, String bad) {
    return count(property, shown, byDefault, bad, 30, 40, 50 == byDefault ? 60 : 50);
  }

  private static <S> PropertyCase<S> count(
      Property<Integer> property,
      Function<S, Object> shown,
      int byDefault,
      String bad,
      int first,
      int second,
      int third) {
    return new PropertyCase<>(
        property,
        List.of("" + first, " " + second + " ", "" + third),
        bad,
        shown,
        List.of(first, second, third),
        byDefault);
  }

  private static <S> PropertyCase<S> millis(
      Property<?> property, Function<S, Object> shown, long byDefault, String bad) {
    return millis(property, shown, byDefault, bad, 600, 1200, 1800);
  }

  private static <S> PropertyCase<S> millis(
      Property<?> property,
      Function<S, Object> shown,
      long byDefault,
      String bad,
      long first,
      long second,
      long third) {
    return new PropertyCase<>(
        property,
        List.of("" + first, " " + second + " ", "" + third),
        bad,
        shown,
        List.of(first * MS, second * MS, third * MS),
        byDefault * MS);
  }
}
