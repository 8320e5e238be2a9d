// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The greatest value of each number is taken, by code and by a source, and is in force as it is;
 * the next one is refused. So it is where a rule between properties has the last word.
 */
class BoundsTest {

  private static final String ANY = "2147483647";
  private static final String YEAR = "31536000000";
  private static final String ROLLING = "metrics.rollingStats.timeInMilliseconds";
  private static final String PERIOD = "rateLimiter.periodInMilliseconds";

  private static final List<Scope<?>> SCOPES =
      List.of(
          CommandSettings.SCOPE,
          PoolSettings.SCOPE,
          SemaphoreSettings.SCOPE,
          RateSettings.SCOPE,
          RetryBudgetSettings.SCOPE,
          CollapserSettings.SCOPE);

  /**
   * @param others names and values that the rules between properties ask for
   */
  private record Bound(String scope, String name, String most, List<String> others) {

    Property<?> property() {
      Property<?> property = ofScope(scope).table().find(name);
      assertThat(property).as(name).isNotNull();
      return property;
    }

    String next() {
      return Long.toString(Long.parseLong(most) + 1);
    }
  }

  private static Scope<?> ofScope(String name) {
    return SCOPES.stream().filter(scope -> scope.name().equals(name)).findFirst().orElseThrow();
  }

  private static Bound bound(String scope, String name, String most, String... others) {
    return new Bound(scope, name, most, List.of(others));
  }

  private static Stream<Bound> bounds() {
    List<Bound> all = new ArrayList<>();
    for (String count :
        List.of(
            "execution.isolation.semaphore.maxConcurrentRequests",
            "execution.isolation.virtualThread.maxConcurrentRequests",
            "fallback.isolation.semaphore.maxConcurrentRequests",
            "circuitBreaker.requestVolumeThreshold",
            "metrics.rollingPercentile.bucketSize")) {
      all.add(bound("command", count, ANY));
    }
    for (String time :
        List.of(
            "execution.isolation.thread.timeoutInMilliseconds",
            "execution.isolation.stage.abandonAfterInMilliseconds",
            "execution.stream.betweenItemsTimeoutInMilliseconds",
            "circuitBreaker.sleepWindowInMilliseconds",
            "circuitBreaker.slowCallDurationInMilliseconds",
            "retry.firstDelayInMilliseconds",
            "retry.longestDelayInMilliseconds",
            "retry.attemptTimeoutInMilliseconds",
            "hedge.afterInMilliseconds",
            ROLLING,
            "metrics.rollingPercentile.timeInMilliseconds")) {
      all.add(bound("command", time, YEAR));
    }
    all.add(bound("command", "metrics.healthSnapshot.intervalInMilliseconds", YEAR, ROLLING, YEAR));
    all.add(bound("command", "circuitBreaker.errorThresholdPercentage", "100"));
    all.add(bound("command", "circuitBreaker.halfOpenTrials", "64"));
    all.add(bound("command", "rateLimiter.permits", ANY, PERIOD, "2148"));
    all.add(bound("command", PERIOD, YEAR, "rateLimiter.burst", "100"));
    all.add(bound("command", "rateLimiter.burst", ANY));
    all.add(bound("command", "rateLimiter.maxKeys", "1000000"));
    all.add(bound("command", "retry.attempts", "100"));
    all.add(bound("command", "retry.budgetPercent", "100"));
    all.add(bound("command", "retry.budgetPerSecond", "1000"));
    all.add(bound("command", "hedge.afterPercentile", "99"));
    all.add(bound("command", "hedge.atMost", "10"));
    all.add(bound("command", "hedge.budgetPercent", "100"));
    all.add(bound("command", "hedge.budgetPerSecond", "1000"));
    all.add(bound("command", "metrics.rollingStats.numBuckets", "1000"));
    all.add(bound("command", "metrics.rollingPercentile.numBuckets", "1000"));

    all.add(bound("threadpool", "coreSize", ANY));
    all.add(bound("threadpool", "maximumSize", ANY));
    all.add(bound("threadpool", "keepAliveTimeMinutes", "525600"));
    all.add(bound("threadpool", "maxQueueSize", ANY));
    all.add(bound("threadpool", "queueSizeRejectionThreshold", ANY));
    all.add(bound("threadpool", ROLLING, YEAR));
    all.add(bound("threadpool", "metrics.rollingStats.numBuckets", "1000"));

    all.add(bound("semaphore", "maxConcurrentRequests", ANY));

    all.add(bound("ratelimiter", "permits", ANY, "periodInMilliseconds", "2148"));
    all.add(bound("ratelimiter", "periodInMilliseconds", YEAR, "burst", "100"));
    all.add(bound("ratelimiter", "burst", ANY));
    all.add(bound("ratelimiter", "maxKeys", "1000000"));

    all.add(bound("retrybudget", "percent", "100"));
    all.add(bound("retrybudget", "perSecond", "1000"));

    all.add(bound("collapser", "maxRequestsInBatch", ANY));
    all.add(bound("collapser", "timerDelayInMilliseconds", YEAR));
    all.add(bound("collapser", ROLLING, YEAR));
    all.add(bound("collapser", "metrics.rollingStats.numBuckets", "1000"));
    all.add(bound("collapser", "metrics.rollingPercentile.timeInMilliseconds", YEAR));
    all.add(bound("collapser", "metrics.rollingPercentile.numBuckets", "1000"));
    all.add(bound("collapser", "metrics.rollingPercentile.bucketSize", ANY));
    return all.stream();
  }

  @Test
  void bounds_always_areOfEachNumber() {
    for (Scope<?> scope : SCOPES) {
      Set<String> named = new TreeSet<>();
      bounds()
          .filter(bound -> bound.scope().equals(scope.name()))
          .forEach(b -> named.add(b.name()));
      Set<String> numbers = new TreeSet<>();
      for (Property<?> property : scope.table().properties()) {
        Object value = property.defaultValue();
        if (value instanceof Number
            || value instanceof Duration
            || property.name().toLowerCase(Locale.ROOT).endsWith("burst")
            || property.name().equals("queueSizeRejectionThreshold")) {
          numbers.add(property.name());
        }
      }
      assertThat(named).as(scope.name()).isEqualTo(numbers);
    }
  }

  private static CodeSettings.Builder code(Bound bound) {
    CodeSettings.Builder code = new CodeSettings.Builder(ofScope(bound.scope()).table());
    for (int i = 0; i < bound.others().size(); i += 2) {
      code.set(bound.others().get(i), bound.others().get(i + 1));
    }
    return code;
  }

  private static LiveSettings<?> live(Configuration configuration, Bound bound, CodeSettings code) {
    return switch (bound.scope()) {
      case "command" -> configuration.command("A", code, changed -> {});
      case "threadpool" -> configuration.pool("A", code, changed -> {});
      case "semaphore" -> configuration.semaphore("A", code, changed -> {});
      case "ratelimiter" -> configuration.rateLimiter("A", code, changed -> {});
      case "retrybudget" -> configuration.retryBudget("A", code, changed -> {});
      default -> configuration.collapser("A", code, changed -> {});
    };
  }

  private static long number(LiveSettings<?> live, Bound bound) {
    Object value = live.value(bound.property());
    if (value instanceof Duration time) {
      assertThat(time.toNanos()).as("in range").isPositive();
      return bound.name().endsWith("Minutes") ? time.toMinutes() : time.toMillis();
    }
    return ((Number) value).longValue();
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void greatest_byCode_isInForce_andTheNextIsRefused(Bound bound) {
    CodeSettings.Builder code = code(bound).set(bound.name(), bound.most());
    try (Configuration configuration = Configuration.open(new MapSource())) {
      LiveSettings<?> live = live(configuration, bound, code.build());
      assertThat(number(live, bound)).isEqualTo(Long.parseLong(bound.most()));
      assertThat(live.current()).isNotNull();
    }
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> code(bound).set(bound.name(), bound.next()));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void greatest_byASource_isInForce_andTheNextIsRefused(Bound bound) {
    MapSource source = new MapSource();
    String key = "tenrec." + bound.scope() + ".A." + bound.name();
    try (Configuration configuration = Configuration.open(source)) {
      LiveSettings<?> live = live(configuration, bound, code(bound).build());
      source.set(key, bound.most());
      assertThat(number(live, bound)).isEqualTo(Long.parseLong(bound.most()));
      assertThat(configuration.refusedCount()).isZero();
      source.set(key, bound.next());
      assertThat(number(live, bound))
          .as("the last good one")
          .isEqualTo(Long.parseLong(bound.most()));
      assertThat(configuration.refusedCount()).isOne();
    }
  }

  // Where a rule between properties has the last word.

  private static boolean accepts(String scope, String... namesAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put("tenrec." + scope + ".A." + namesAndValues[i], namesAndValues[i + 1]);
    }
    MapSource source = new MapSource();
    try (Configuration configuration = Configuration.open(source)) {
      Bound any = bound(scope, "", "0");
      LiveSettings<?> live = live(configuration, any, code(any).build());
      Object before = live.current();
      source.set(values);
      if (configuration.refusedCount() > 0) {
        return false;
      }
      assertThat(live.current()).isNotEqualTo(before);
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({"command, rateLimiter.", "ratelimiter, ''"})
  void permits_asManyAsNanosecondsOfThePeriod_areTaken(String scope, String start) {
    String permits = start + "permits";
    String period = start + "periodInMilliseconds";
    assertThat(accepts(scope, permits, "2000000", period, "2")).isTrue();
    assertThat(accepts(scope, permits, "2000001", period, "2")).isFalse();
  }

  /** At ten permits a day, 3,650 are there again within 365 days. */
  @ParameterizedTest
  @CsvSource({"command, rateLimiter.", "ratelimiter, ''"})
  void burst_thatIsThereAgainInAYear_isTaken(String scope, String start) {
    String permits = start + "permits";
    String period = start + "periodInMilliseconds";
    String burst = start + "burst";
    assertThat(accepts(scope, permits, "10", period, "86400000", burst, "3650")).isTrue();
    assertThat(accepts(scope, permits, "10", period, "86400000", burst, "3651")).isFalse();
  }

  @Test
  void interval_asLongAsTheWindow_isTaken() {
    String interval = "metrics.healthSnapshot.intervalInMilliseconds";
    assertThat(accepts("command", interval, "20000", ROLLING, "20000")).isTrue();
    assertThat(accepts("command", interval, "20001", ROLLING, "20000")).isFalse();
  }

  @Test
  void maximumSize_asLargeAsCoreSize_isTaken() {
    String diverges = "allowMaximumSizeToDivergeFromCoreSize";
    assertThat(accepts("threadpool", "coreSize", "20", "maximumSize", "20", diverges, "true"))
        .isTrue();
    assertThat(accepts("threadpool", "coreSize", "20", "maximumSize", "19", diverges, "true"))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"threadpool", "collapser"})
  void buckets_ofOneMillisecond_areTaken(String scope) {
    String buckets = "metrics.rollingStats.numBuckets";
    assertThat(accepts(scope, ROLLING, "1000", buckets, "1000")).isTrue();
    assertThat(accepts(scope, ROLLING, "999", buckets, "1000")).isFalse();
  }
}
