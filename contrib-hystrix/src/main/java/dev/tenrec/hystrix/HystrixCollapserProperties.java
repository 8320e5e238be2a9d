// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.hystrix.strategy.properties.HystrixProperty;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a collapser that are in force, and what code may set. What code sets ranks below
 * the dynamic properties of the key, and above the dynamic global ones; of one key, what the first
 * instance brings counts.
 */
public final class HystrixCollapserProperties {

  private final String key;

  HystrixCollapserProperties(String key) {
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

  /** As {@link #requestCacheEnabled}. */
  public HystrixProperty<Boolean> requestCachingEnabled() {
    return requestCacheEnabled();
  }

  /** How many arguments start a batch before its time. */
  public HystrixProperty<Integer> maxRequestsInBatch() {
    return () -> inForce(CollapserProperties.MAX_REQUESTS_IN_BATCH);
  }

  /** From a batch's first call to its start. */
  public HystrixProperty<Integer> timerDelayInMilliseconds() {
    return () -> Math.toIntExact(inForce(CollapserProperties.TIMER_DELAY).toMillis());
  }

  /** Whether the request cache is used. */
  public HystrixProperty<Boolean> requestCacheEnabled() {
    return () -> inForce(CollapserProperties.REQUEST_CACHE_ENABLED);
  }

  /** The window of the counts. */
  public HystrixProperty<Integer> metricsRollingStatisticalWindowInMilliseconds() {
    return () -> Math.toIntExact(inForce(CollapserProperties.ROLLING_WINDOW).toMillis());
  }

  /** Into how many buckets that window is divided, without a rest. */
  public HystrixProperty<Integer> metricsRollingStatisticalWindowBuckets() {
    return () -> inForce(CollapserProperties.ROLLING_BUCKETS);
  }

  /** Whether the distribution of batch sizes is kept. */
  public HystrixProperty<Boolean> metricsRollingPercentileEnabled() {
    return () -> inForce(CollapserProperties.PERCENTILE_ENABLED);
  }

  /** The window of the batch sizes. */
  public HystrixProperty<Integer> metricsRollingPercentileWindowInMilliseconds() {
    return () -> Math.toIntExact(inForce(CollapserProperties.PERCENTILE_WINDOW).toMillis());
  }

  /** Into how many buckets that window is divided, without a rest. */
  public HystrixProperty<Integer> metricsRollingPercentileWindowBuckets() {
    return () -> inForce(CollapserProperties.PERCENTILE_BUCKETS);
  }

  /** Without effect: no bucket is capped. */
  public HystrixProperty<Integer> metricsRollingPercentileBucketSize() {
    return () -> inForce(CollapserProperties.PERCENTILE_BUCKET_SIZE);
  }

  private <T> T inForce(Property<T> property) {
    T value = HystrixTenrec.setting(property, key);
    T unset = property.defaultValue();
    if (value == null && unset == null) {
      throw new IllegalStateException(property + " of " + key + " has no value");
    }
    return value != null ? value : Objects.requireNonNull(unset);
  }

  /** What code sets, each unset until it is set. Not thread-safe. */
  public static final class Setter {

    private final SetProperties set = new SetProperties();

    /** Nothing is set. */
    public Setter() {}

    SetProperties properties() {
      return set;
    }

    /** What {@link #withMaxRequestsInBatch} was given; null if nothing. */
    public @Nullable Integer getMaxRequestsInBatch() {
      return set.get(CollapserProperties.MAX_REQUESTS_IN_BATCH);
    }

    /**
     * How many arguments start a batch before its time.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMaxRequestsInBatch(int value) {
      set.count(
          CollapserProperties.MAX_REQUESTS_IN_BATCH,
          value,
          "withMaxRequestsInBatch",
          "for batches of one call, say 1");
      return this;
    }

    /** What {@link #withTimerDelayInMilliseconds} was given; null if nothing. */
    public @Nullable Integer getTimerDelayInMilliseconds() {
      return set.millis(CollapserProperties.TIMER_DELAY);
    }

    /**
     * From a batch's first call to its start.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withTimerDelayInMilliseconds(int value) {
      set.millis(
          CollapserProperties.TIMER_DELAY,
          value,
          "withTimerDelayInMilliseconds",
          "for the shortest window, say 1");
      return this;
    }

    /** What {@link #withRequestCacheEnabled} was given; null if nothing. */
    public @Nullable Boolean getRequestCacheEnabled() {
      return set.get(CollapserProperties.REQUEST_CACHE_ENABLED);
    }

    /** Whether the request cache is used. */
    public Setter withRequestCacheEnabled(boolean value) {
      set.put(CollapserProperties.REQUEST_CACHE_ENABLED, value);
      return this;
    }

    /**
     * What {@link #withMetricsRollingStatisticalWindowInMilliseconds} was given; null if nothing.
     */
    public @Nullable Integer getMetricsRollingStatisticalWindowInMilliseconds() {
      return set.millis(CollapserProperties.ROLLING_WINDOW);
    }

    /**
     * The window of the counts.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingStatisticalWindowInMilliseconds(int value) {
      set.millis(
          CollapserProperties.ROLLING_WINDOW,
          value,
          "withMetricsRollingStatisticalWindowInMilliseconds",
          "for the shortest memory, say 1 with one bucket");
      return this;
    }

    /** What {@link #withMetricsRollingStatisticalWindowBuckets} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingStatisticalWindowBuckets() {
      return set.get(CollapserProperties.ROLLING_BUCKETS);
    }

    /**
     * Into how many buckets that window is divided, without a rest.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingStatisticalWindowBuckets(int value) {
      set.count(
          CollapserProperties.ROLLING_BUCKETS,
          value,
          "withMetricsRollingStatisticalWindowBuckets",
          "for one step, say 1");
      return this;
    }

    /** What {@link #withMetricsRollingPercentileEnabled} was given; null if nothing. */
    public @Nullable Boolean getMetricsRollingPercentileEnabled() {
      return set.get(CollapserProperties.PERCENTILE_ENABLED);
    }

    /** Whether the distribution of batch sizes is kept. */
    public Setter withMetricsRollingPercentileEnabled(boolean value) {
      set.put(CollapserProperties.PERCENTILE_ENABLED, value);
      return this;
    }

    /**
     * What {@link #withMetricsRollingPercentileWindowInMilliseconds} was given; null if nothing.
     */
    public @Nullable Integer getMetricsRollingPercentileWindowInMilliseconds() {
      return set.millis(CollapserProperties.PERCENTILE_WINDOW);
    }

    /**
     * The window of the batch sizes.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingPercentileWindowInMilliseconds(int value) {
      set.millis(
          CollapserProperties.PERCENTILE_WINDOW,
          value,
          "withMetricsRollingPercentileWindowInMilliseconds",
          "for no distribution, say withMetricsRollingPercentileEnabled(false)");
      return this;
    }

    /** What {@link #withMetricsRollingPercentileWindowBuckets} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingPercentileWindowBuckets() {
      return set.get(CollapserProperties.PERCENTILE_BUCKETS);
    }

    /**
     * Into how many buckets that window is divided, without a rest.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingPercentileWindowBuckets(int value) {
      set.count(
          CollapserProperties.PERCENTILE_BUCKETS,
          value,
          "withMetricsRollingPercentileWindowBuckets",
          "for no distribution, say withMetricsRollingPercentileEnabled(false)");
      return this;
    }

    /** What {@link #withMetricsRollingPercentileBucketSize} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingPercentileBucketSize() {
      return set.get(CollapserProperties.PERCENTILE_BUCKET_SIZE);
    }

    /**
     * Without effect: no bucket is capped.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingPercentileBucketSize(int value) {
      set.count(
          CollapserProperties.PERCENTILE_BUCKET_SIZE,
          value,
          "withMetricsRollingPercentileBucketSize",
          "it has no effect: leave it out");
      return this;
    }
  }
}
