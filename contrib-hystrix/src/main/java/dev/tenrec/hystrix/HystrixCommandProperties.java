// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.config.Property;
import dev.tenrec.hystrix.strategy.properties.HystrixProperty;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a command that are in force, and what code may set. What code sets ranks below
 * the dynamic properties of the key, and above the dynamic global ones; of one key, what the first
 * instance brings counts.
 */
public final class HystrixCommandProperties {

  private final String key;

  HystrixCommandProperties(String key) {
    this.key = key;
  }

  /** What code sets: nothing so far. */
  @SuppressWarnings("MemberName") // as its users know it
  public static Setter Setter() {
    return new Setter();
  }

  /** What code sets: nothing so far. */
  public static Setter defaultSetter() {
    return new Setter();
  }

  /** The pool to use instead of the command's own; null if none is. */
  @SuppressWarnings("NullAway") // null is what the type says: unset
  public HystrixProperty<@Nullable String> executionIsolationThreadPoolKeyOverride() {
    return () -> HystrixTenrec.setting(CommandProperties.THREAD_POOL_KEY_OVERRIDE, key);
  }

  /** As {@link #metricsRollingPercentileWindowInMilliseconds}. */
  public HystrixProperty<Integer> metricsRollingPercentileWindow() {
    return metricsRollingPercentileWindowInMilliseconds();
  }

  /** Whether the circuit breaker looks and decides. */
  public HystrixProperty<Boolean> circuitBreakerEnabled() {
    return () -> inForce(CommandProperties.BREAKER_ENABLED);
  }

  /** The share of errors from which the circuit opens, 1 to 100. */
  public HystrixProperty<Integer> circuitBreakerErrorThresholdPercentage() {
    return () -> inForce(CommandProperties.ERROR_THRESHOLD_PERCENTAGE);
  }

  /** Whether the circuit lets every call through. */
  public HystrixProperty<Boolean> circuitBreakerForceClosed() {
    return () -> inForce(CommandProperties.FORCE_CLOSED);
  }

  /** Whether the circuit refuses every call; wins over the above. */
  public HystrixProperty<Boolean> circuitBreakerForceOpen() {
    return () -> inForce(CommandProperties.FORCE_OPEN);
  }

  /**
   * How many calls of the window must have ended before the circuit may open; 0 means what 1 does,
   * for no circuit opens before a call has ended.
   */
  public HystrixProperty<Integer> circuitBreakerRequestVolumeThreshold() {
    return () -> inForce(CommandProperties.REQUEST_VOLUME_THRESHOLD);
  }

  /** How long an open circuit refuses before it lets a trial through. */
  public HystrixProperty<Integer> circuitBreakerSleepWindowInMilliseconds() {
    return () -> Math.toIntExact(inForce(CommandProperties.SLEEP_WINDOW).toMillis());
  }

  /** How many executions may be in flight on a semaphore; 0 refuses all. */
  public HystrixProperty<Integer> executionIsolationSemaphoreMaxConcurrentRequests() {
    return () -> inForce(CommandProperties.SEMAPHORE_MAX_CONCURRENT);
  }

  /** Where the work runs. */
  public HystrixProperty<ExecutionIsolationStrategy> executionIsolationStrategy() {
    return () -> ExecutionIsolationStrategy.of(inForce(CommandProperties.ISOLATION_STRATEGY));
  }

  /** Whether the thread of work that timed out is interrupted. */
  public HystrixProperty<Boolean> executionIsolationThreadInterruptOnTimeout() {
    return () -> inForce(CommandProperties.INTERRUPT_ON_TIMEOUT);
  }

  /**
   * Whether cancelling the future of {@code queue} with {@code cancel(true)} interrupts the work.
   */
  public HystrixProperty<Boolean> executionIsolationThreadInterruptOnFutureCancel() {
    return () -> inForce(CommandProperties.INTERRUPT_ON_FUTURE_CANCEL);
  }

  /** As {@link #executionTimeoutInMilliseconds}. */
  public HystrixProperty<Integer> executionIsolationThreadTimeoutInMilliseconds() {
    return () -> Math.toIntExact(inForce(CommandProperties.TIMEOUT).toMillis());
  }

  /** The time from the call to its deadline, on a semaphore as well. */
  public HystrixProperty<Integer> executionTimeoutInMilliseconds() {
    return () -> Math.toIntExact(inForce(CommandProperties.TIMEOUT).toMillis());
  }

  /** Whether there is a deadline. */
  public HystrixProperty<Boolean> executionTimeoutEnabled() {
    return () -> inForce(CommandProperties.TIMEOUT_ENABLED);
  }

  /** How many fallbacks may run at once; 0 refuses all. */
  public HystrixProperty<Integer> fallbackIsolationSemaphoreMaxConcurrentRequests() {
    return () -> inForce(CommandProperties.FALLBACK_MAX_CONCURRENT);
  }

  /** Whether fallbacks run at all. */
  public HystrixProperty<Boolean> fallbackEnabled() {
    return () -> inForce(CommandProperties.FALLBACK_ENABLED);
  }

  /** How long the circuit breaker may be behind. */
  public HystrixProperty<Integer> metricsHealthSnapshotIntervalInMilliseconds() {
    return () -> Math.toIntExact(inForce(CommandProperties.HEALTH_INTERVAL).toMillis());
  }

  /** Without effect: no bucket is capped. */
  public HystrixProperty<Integer> metricsRollingPercentileBucketSize() {
    return () -> inForce(CommandProperties.PERCENTILE_BUCKET_SIZE);
  }

  /** Whether the distribution of latencies is kept. */
  public HystrixProperty<Boolean> metricsRollingPercentileEnabled() {
    return () -> inForce(CommandProperties.PERCENTILE_ENABLED);
  }

  /** The window of the latencies. */
  public HystrixProperty<Integer> metricsRollingPercentileWindowInMilliseconds() {
    return () -> Math.toIntExact(inForce(CommandProperties.PERCENTILE_WINDOW).toMillis());
  }

  /** Into how many buckets that window is divided, without a rest. */
  public HystrixProperty<Integer> metricsRollingPercentileWindowBuckets() {
    return () -> inForce(CommandProperties.PERCENTILE_BUCKETS);
  }

  /** The window of the counts. */
  public HystrixProperty<Integer> metricsRollingStatisticalWindowInMilliseconds() {
    return () -> Math.toIntExact(inForce(CommandProperties.ROLLING_WINDOW).toMillis());
  }

  /** Into how many buckets that window is divided, without a rest. */
  public HystrixProperty<Integer> metricsRollingStatisticalWindowBuckets() {
    return () -> inForce(CommandProperties.ROLLING_BUCKETS);
  }

  /** Whether the request cache is used. */
  public HystrixProperty<Boolean> requestCacheEnabled() {
    return () -> inForce(CommandProperties.REQUEST_CACHE_ENABLED);
  }

  /** Whether executions are written into the log of their request. */
  public HystrixProperty<Boolean> requestLogEnabled() {
    return () -> inForce(CommandProperties.REQUEST_LOG_ENABLED);
  }

  private <T> T inForce(Property<T> property) {
    T value = HystrixTenrec.setting(property, key);
    T unset = property.defaultValue();
    if (value == null && unset == null) {
      throw new IllegalStateException(property + " of " + key + " has no value");
    }
    return value != null ? value : Objects.requireNonNull(unset);
  }

  /** Where work runs. */
  public enum ExecutionIsolationStrategy {
    /** On a thread of a pool. */
    THREAD(IsolationStrategy.THREAD),
    /** On its caller's thread. */
    SEMAPHORE(IsolationStrategy.SEMAPHORE),
    /** On a virtual thread; needs Java 21. Hystrix does not have it. */
    VIRTUAL_THREAD(IsolationStrategy.VIRTUAL_THREAD);

    private final IsolationStrategy engines;

    ExecutionIsolationStrategy(IsolationStrategy engines) {
      this.engines = engines;
    }

    static ExecutionIsolationStrategy of(IsolationStrategy engines) {
      return valueOf(engines.name());
    }
  }

  /** What code sets, each unset until it is set. Not thread-safe. */
  public static final class Setter {

    private final SetProperties set = new SetProperties();

    /** Nothing is set. */
    public Setter() {}

    SetProperties properties() {
      return set;
    }

    /** What {@link #withCircuitBreakerEnabled} was given; null if nothing. */
    public @Nullable Boolean getCircuitBreakerEnabled() {
      return set.get(CommandProperties.BREAKER_ENABLED);
    }

    /** Whether the circuit breaker looks and decides. */
    public Setter withCircuitBreakerEnabled(boolean value) {
      set.put(CommandProperties.BREAKER_ENABLED, value);
      return this;
    }

    /** What {@link #withCircuitBreakerErrorThresholdPercentage} was given; null if nothing. */
    public @Nullable Integer getCircuitBreakerErrorThresholdPercentage() {
      return set.get(CommandProperties.ERROR_THRESHOLD_PERCENTAGE);
    }

    /**
     * The share of errors from which the circuit opens, 1 to 100.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withCircuitBreakerErrorThresholdPercentage(int value) {
      set.count(
          CommandProperties.ERROR_THRESHOLD_PERCENTAGE,
          value,
          "withCircuitBreakerErrorThresholdPercentage",
          "for a circuit that is open whatever happens, say withCircuitBreakerForceOpen(true)");
      return this;
    }

    /** What {@link #withCircuitBreakerForceClosed} was given; null if nothing. */
    public @Nullable Boolean getCircuitBreakerForceClosed() {
      return set.get(CommandProperties.FORCE_CLOSED);
    }

    /** Whether the circuit lets every call through. */
    public Setter withCircuitBreakerForceClosed(boolean value) {
      set.put(CommandProperties.FORCE_CLOSED, value);
      return this;
    }

    /** What {@link #withCircuitBreakerForceOpen} was given; null if nothing. */
    public @Nullable Boolean getCircuitBreakerForceOpen() {
      return set.get(CommandProperties.FORCE_OPEN);
    }

    /** Whether the circuit refuses every call; wins over the above. */
    public Setter withCircuitBreakerForceOpen(boolean value) {
      set.put(CommandProperties.FORCE_OPEN, value);
      return this;
    }

    /** What {@link #withCircuitBreakerRequestVolumeThreshold} was given; null if nothing. */
    public @Nullable Integer getCircuitBreakerRequestVolumeThreshold() {
      return set.get(CommandProperties.REQUEST_VOLUME_THRESHOLD);
    }

    /**
     * How many calls of the window must have ended before the circuit may open; 0 means what 1
     * does, for no circuit opens before a call has ended.
     */
    public Setter withCircuitBreakerRequestVolumeThreshold(int value) {
      set.put(CommandProperties.REQUEST_VOLUME_THRESHOLD, Math.max(1, value));
      return this;
    }

    /** What {@link #withCircuitBreakerSleepWindowInMilliseconds} was given; null if nothing. */
    public @Nullable Integer getCircuitBreakerSleepWindowInMilliseconds() {
      return set.millis(CommandProperties.SLEEP_WINDOW);
    }

    /**
     * How long an open circuit refuses before it lets a trial through.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withCircuitBreakerSleepWindowInMilliseconds(int value) {
      set.millis(
          CommandProperties.SLEEP_WINDOW,
          value,
          "withCircuitBreakerSleepWindowInMilliseconds",
          "for a trial as soon as possible, say 1");
      return this;
    }

    /**
     * What {@link #withExecutionIsolationSemaphoreMaxConcurrentRequests} was given; null if
     * nothing.
     */
    public @Nullable Integer getExecutionIsolationSemaphoreMaxConcurrentRequests() {
      return set.get(CommandProperties.SEMAPHORE_MAX_CONCURRENT);
    }

    /** How many executions may be in flight on a semaphore; 0 refuses all. */
    public Setter withExecutionIsolationSemaphoreMaxConcurrentRequests(int value) {
      set.put(CommandProperties.SEMAPHORE_MAX_CONCURRENT, value);
      return this;
    }

    /** What {@link #withExecutionIsolationStrategy} was given; null if nothing. */
    public @Nullable ExecutionIsolationStrategy getExecutionIsolationStrategy() {
      IsolationStrategy engines = set.get(CommandProperties.ISOLATION_STRATEGY);
      return engines == null ? null : ExecutionIsolationStrategy.of(engines);
    }

    /** Where the work runs. */
    public Setter withExecutionIsolationStrategy(ExecutionIsolationStrategy value) {
      set.put(CommandProperties.ISOLATION_STRATEGY, value.engines);
      return this;
    }

    /** What {@link #withExecutionIsolationThreadInterruptOnTimeout} was given; null if nothing. */
    public @Nullable Boolean getExecutionIsolationThreadInterruptOnTimeout() {
      return set.get(CommandProperties.INTERRUPT_ON_TIMEOUT);
    }

    /** Whether the thread of work that timed out is interrupted. */
    public Setter withExecutionIsolationThreadInterruptOnTimeout(boolean value) {
      set.put(CommandProperties.INTERRUPT_ON_TIMEOUT, value);
      return this;
    }

    /**
     * What {@link #withExecutionIsolationThreadInterruptOnFutureCancel} was given; null if nothing.
     */
    public @Nullable Boolean getExecutionIsolationThreadInterruptOnFutureCancel() {
      return set.get(CommandProperties.INTERRUPT_ON_FUTURE_CANCEL);
    }

    /**
     * Whether cancelling the future of {@code queue} with {@code cancel(true)} interrupts the work.
     */
    public Setter withExecutionIsolationThreadInterruptOnFutureCancel(boolean value) {
      set.put(CommandProperties.INTERRUPT_ON_FUTURE_CANCEL, value);
      return this;
    }

    /**
     * What {@link #withExecutionIsolationThreadTimeoutInMilliseconds} was given; null if nothing.
     */
    public @Nullable Integer getExecutionIsolationThreadTimeoutInMilliseconds() {
      return set.millis(CommandProperties.TIMEOUT);
    }

    /**
     * The time from the call to its deadline.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withExecutionIsolationThreadTimeoutInMilliseconds(int value) {
      set.millis(
          CommandProperties.TIMEOUT,
          value,
          "withExecutionIsolationThreadTimeoutInMilliseconds",
          "for work without a deadline, say withExecutionTimeoutEnabled(false)");
      return this;
    }

    /** What {@link #withExecutionTimeoutInMilliseconds} was given; null if nothing. */
    public @Nullable Integer getExecutionTimeoutInMilliseconds() {
      return set.millis(CommandProperties.TIMEOUT);
    }

    /**
     * The time from the call to its deadline, on a semaphore as well.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withExecutionTimeoutInMilliseconds(int value) {
      set.millis(
          CommandProperties.TIMEOUT,
          value,
          "withExecutionTimeoutInMilliseconds",
          "for work without a deadline, say withExecutionTimeoutEnabled(false)");
      return this;
    }

    /** What {@link #withExecutionTimeoutEnabled} was given; null if nothing. */
    public @Nullable Boolean getExecutionTimeoutEnabled() {
      return set.get(CommandProperties.TIMEOUT_ENABLED);
    }

    /** Whether there is a deadline. */
    public Setter withExecutionTimeoutEnabled(boolean value) {
      set.put(CommandProperties.TIMEOUT_ENABLED, value);
      return this;
    }

    /**
     * What {@link #withFallbackIsolationSemaphoreMaxConcurrentRequests} was given; null if nothing.
     */
    public @Nullable Integer getFallbackIsolationSemaphoreMaxConcurrentRequests() {
      return set.get(CommandProperties.FALLBACK_MAX_CONCURRENT);
    }

    /** How many fallbacks may run at once; 0 refuses all. */
    public Setter withFallbackIsolationSemaphoreMaxConcurrentRequests(int value) {
      set.put(CommandProperties.FALLBACK_MAX_CONCURRENT, value);
      return this;
    }

    /** What {@link #withFallbackEnabled} was given; null if nothing. */
    public @Nullable Boolean getFallbackEnabled() {
      return set.get(CommandProperties.FALLBACK_ENABLED);
    }

    /** Whether fallbacks run at all. */
    public Setter withFallbackEnabled(boolean value) {
      set.put(CommandProperties.FALLBACK_ENABLED, value);
      return this;
    }

    /** What {@link #withMetricsHealthSnapshotIntervalInMilliseconds} was given; null if nothing. */
    public @Nullable Integer getMetricsHealthSnapshotIntervalInMilliseconds() {
      return set.millis(CommandProperties.HEALTH_INTERVAL);
    }

    /**
     * How long the circuit breaker may be behind.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsHealthSnapshotIntervalInMilliseconds(int value) {
      set.millis(
          CommandProperties.HEALTH_INTERVAL,
          value,
          "withMetricsHealthSnapshotIntervalInMilliseconds",
          "for a breaker that is hardly behind, say 1");
      return this;
    }

    /** What {@link #withMetricsRollingPercentileBucketSize} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingPercentileBucketSize() {
      return set.get(CommandProperties.PERCENTILE_BUCKET_SIZE);
    }

    /**
     * Without effect: no bucket is capped.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingPercentileBucketSize(int value) {
      set.count(
          CommandProperties.PERCENTILE_BUCKET_SIZE,
          value,
          "withMetricsRollingPercentileBucketSize",
          "it has no effect: leave it out");
      return this;
    }

    /** What {@link #withMetricsRollingPercentileEnabled} was given; null if nothing. */
    public @Nullable Boolean getMetricsRollingPercentileEnabled() {
      return set.get(CommandProperties.PERCENTILE_ENABLED);
    }

    /** Whether the distribution of latencies is kept. */
    public Setter withMetricsRollingPercentileEnabled(boolean value) {
      set.put(CommandProperties.PERCENTILE_ENABLED, value);
      return this;
    }

    /**
     * What {@link #withMetricsRollingPercentileWindowInMilliseconds} was given; null if nothing.
     */
    public @Nullable Integer getMetricsRollingPercentileWindowInMilliseconds() {
      return set.millis(CommandProperties.PERCENTILE_WINDOW);
    }

    /**
     * The window of the latencies.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingPercentileWindowInMilliseconds(int value) {
      set.millis(
          CommandProperties.PERCENTILE_WINDOW,
          value,
          "withMetricsRollingPercentileWindowInMilliseconds",
          "for no distribution, say withMetricsRollingPercentileEnabled(false)");
      return this;
    }

    /** What {@link #withMetricsRollingPercentileWindowBuckets} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingPercentileWindowBuckets() {
      return set.get(CommandProperties.PERCENTILE_BUCKETS);
    }

    /**
     * Into how many buckets that window is divided, without a rest.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingPercentileWindowBuckets(int value) {
      set.count(
          CommandProperties.PERCENTILE_BUCKETS,
          value,
          "withMetricsRollingPercentileWindowBuckets",
          "for no distribution, say withMetricsRollingPercentileEnabled(false)");
      return this;
    }

    /**
     * What {@link #withMetricsRollingStatisticalWindowInMilliseconds} was given; null if nothing.
     */
    public @Nullable Integer getMetricsRollingStatisticalWindowInMilliseconds() {
      return set.millis(CommandProperties.ROLLING_WINDOW);
    }

    /**
     * The window of the counts.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingStatisticalWindowInMilliseconds(int value) {
      set.millis(
          CommandProperties.ROLLING_WINDOW,
          value,
          "withMetricsRollingStatisticalWindowInMilliseconds",
          "for the shortest memory, say 1 with one bucket");
      return this;
    }

    /** What {@link #withMetricsRollingStatisticalWindowBuckets} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingStatisticalWindowBuckets() {
      return set.get(CommandProperties.ROLLING_BUCKETS);
    }

    /**
     * Into how many buckets that window is divided, without a rest.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingStatisticalWindowBuckets(int value) {
      set.count(
          CommandProperties.ROLLING_BUCKETS,
          value,
          "withMetricsRollingStatisticalWindowBuckets",
          "for one step, say 1");
      return this;
    }

    /** What {@link #withRequestCacheEnabled} was given; null if nothing. */
    public @Nullable Boolean getRequestCacheEnabled() {
      return set.get(CommandProperties.REQUEST_CACHE_ENABLED);
    }

    /** Whether the request cache is used. */
    public Setter withRequestCacheEnabled(boolean value) {
      set.put(CommandProperties.REQUEST_CACHE_ENABLED, value);
      return this;
    }

    /** What {@link #withRequestLogEnabled} was given; null if nothing. */
    public @Nullable Boolean getRequestLogEnabled() {
      return set.get(CommandProperties.REQUEST_LOG_ENABLED);
    }

    /** Whether executions are written into the log of their request. */
    public Setter withRequestLogEnabled(boolean value) {
      set.put(CommandProperties.REQUEST_LOG_ENABLED, value);
      return this;
    }
  }
}
