// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static dev.tenrec.core.config.CrossRule.notLonger;
import static dev.tenrec.core.config.CrossRule.wholeBuckets;
import static dev.tenrec.core.config.Rule.atLeast;
import static dev.tenrec.core.config.Rule.atLeastOneMilli;
import static dev.tenrec.core.config.Rule.between;
import static dev.tenrec.core.config.Rule.positiveTime;
import static dev.tenrec.core.config.Rule.zeroOrMore;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a command, {@code <prefix>.command.<key or default>.<name>}. What they mean is
 * explained at {@link CommandSettings}.
 */
public final class CommandProperties {

  private static final PropertyTable.Builder ALL = PropertyTable.of("command");

  public static final Property<IsolationStrategy> ISOLATION_STRATEGY =
      ALL.strategy("execution.isolation.strategy", IsolationStrategy.THREAD);
  public static final Property<Duration> TIMEOUT =
      ALL.millis("execution.isolation.thread.timeoutInMilliseconds", 1_000, positiveTime());
  public static final Property<Boolean> TIMEOUT_ENABLED =
      ALL.flag("execution.timeout.enabled", true);
  public static final Property<Boolean> INTERRUPT_ON_TIMEOUT =
      ALL.flag("execution.isolation.thread.interruptOnTimeout", true);
  public static final Property<Boolean> INTERRUPT_ON_FUTURE_CANCEL =
      ALL.flag("execution.isolation.thread.interruptOnFutureCancel", false);
  public static final Property<Integer> SEMAPHORE_MAX_CONCURRENT =
      ALL.count("execution.isolation.semaphore.maxConcurrentRequests", 10, atLeast(0));
  public static final Property<Integer> VIRTUAL_THREAD_MAX_CONCURRENT =
      ALL.count("execution.isolation.virtualThread.maxConcurrentRequests", 10, atLeast(0));
  public static final Property<Duration> ABANDON_STAGE_AFTER =
      ALL.millis("execution.isolation.stage.abandonAfterInMilliseconds", 60_000, zeroOrMore());
  public static final Property<Duration> BETWEEN_ITEMS_TIMEOUT =
      ALL.millis("execution.stream.betweenItemsTimeoutInMilliseconds", 0, zeroOrMore());

  public static final Property<Integer> FALLBACK_MAX_CONCURRENT =
      ALL.count("fallback.isolation.semaphore.maxConcurrentRequests", 10, atLeast(0));
  public static final Property<Boolean> FALLBACK_ENABLED = ALL.flag("fallback.enabled", true);

  public static final Property<Boolean> BREAKER_ENABLED = ALL.flag("circuitBreaker.enabled", true);
  public static final Property<Integer> REQUEST_VOLUME_THRESHOLD =
      ALL.count("circuitBreaker.requestVolumeThreshold", 20, atLeast(1));
  public static final Property<Integer> ERROR_THRESHOLD_PERCENTAGE =
      ALL.count("circuitBreaker.errorThresholdPercentage", 50, between(1, 100));
  public static final Property<Duration> SLEEP_WINDOW =
      ALL.millis("circuitBreaker.sleepWindowInMilliseconds", 5_000, positiveTime());
  public static final Property<Boolean> FORCE_OPEN = ALL.flag("circuitBreaker.forceOpen", false);
  public static final Property<Boolean> FORCE_CLOSED =
      ALL.flag("circuitBreaker.forceClosed", false);
  public static final Property<Boolean> OBSERVE_ONLY =
      ALL.flag("circuitBreaker.observeOnly", false);
  public static final Property<Integer> HALF_OPEN_TRIALS =
      ALL.count("circuitBreaker.halfOpenTrials", 1, between(1, 64));
  public static final Property<Duration> SLOW_CALL =
      ALL.millis("circuitBreaker.slowCallDurationInMilliseconds", 0, zeroOrMore());

  public static final Property<Duration> ROLLING_WINDOW =
      ALL.millis("metrics.rollingStats.timeInMilliseconds", 10_000, atLeastOneMilli());
  public static final Property<Integer> ROLLING_BUCKETS =
      ALL.count("metrics.rollingStats.numBuckets", 10, between(1, 1_000));
  public static final Property<Boolean> PERCENTILE_ENABLED =
      ALL.flag("metrics.rollingPercentile.enabled", true);
  public static final Property<Duration> PERCENTILE_WINDOW =
      ALL.millis("metrics.rollingPercentile.timeInMilliseconds", 60_000, atLeastOneMilli());
  public static final Property<Integer> PERCENTILE_BUCKETS =
      ALL.count("metrics.rollingPercentile.numBuckets", 6, between(1, 1_000));
  public static final Property<Integer> PERCENTILE_BUCKET_SIZE =
      ALL.count("metrics.rollingPercentile.bucketSize", 100, atLeast(1));
  public static final Property<Duration> HEALTH_INTERVAL =
      ALL.millis("metrics.healthSnapshot.intervalInMilliseconds", 500, atLeastOneMilli());

  public static final Property<Boolean> REQUEST_CACHE_ENABLED =
      ALL.flag("requestCache.enabled", true);
  public static final Property<Boolean> REQUEST_LOG_ENABLED = ALL.flag("requestLog.enabled", true);
  public static final Property<String> THREAD_POOL_KEY_OVERRIDE =
      ALL.instanceKey("threadPoolKeyOverride");

  static final Scope<CommandSettings> SCOPE =
      new Scope<>(
          ALL.build(),
          List.of(
              wholeBuckets(ROLLING_WINDOW, ROLLING_BUCKETS),
              wholeBuckets(PERCENTILE_WINDOW, PERCENTILE_BUCKETS),
              notLonger(HEALTH_INTERVAL, ROLLING_WINDOW)),
          CommandSettings::of);

  private CommandProperties() {}
}
