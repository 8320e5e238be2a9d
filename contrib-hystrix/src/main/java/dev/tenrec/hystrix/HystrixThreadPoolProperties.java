// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.hystrix.strategy.properties.HystrixProperty;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a thread pool that are in force, and what code may set. What code sets ranks
 * below the dynamic properties of the key, and above the dynamic global ones; of one key, what the
 * first instance brings counts.
 */
public final class HystrixThreadPoolProperties {

  private final String key;

  HystrixThreadPoolProperties(String key) {
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

  /** Threads in all: the maximum if it counts and is more than the core size, else that. */
  public Integer actualMaximumSize() {
    int core = coreSize().get();
    return getAllowMaximumSizeToDivergeFromCoreSize().get()
        ? Math.max(core, maximumSize().get())
        : core;
  }

  /** Threads that start before anything is queued. */
  public HystrixProperty<Integer> coreSize() {
    return () -> inForce(PoolProperties.CORE_SIZE);
  }

  /** Threads in all, if it may diverge from the core size. */
  public HystrixProperty<Integer> maximumSize() {
    return () -> inForce(PoolProperties.MAXIMUM_SIZE);
  }

  /** Whether the maximum counts. */
  public HystrixProperty<Boolean> getAllowMaximumSizeToDivergeFromCoreSize() {
    return () -> inForce(PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE);
  }

  /** How long a thread beyond the core size stays idle. */
  public HystrixProperty<Integer> keepAliveTimeMinutes() {
    return () -> Math.toIntExact(inForce(PoolProperties.KEEP_ALIVE).toMinutes());
  }

  /** How many executions may wait for a thread; none from 0 down. */
  public HystrixProperty<Integer> maxQueueSize() {
    return () -> inForce(PoolProperties.MAX_QUEUE_SIZE);
  }

  /** How many waiting executions make a pool at its maximum refuse; unset, as many as may wait. */
  public HystrixProperty<Integer> queueSizeRejectionThreshold() {
    return () -> {
      Integer set = HystrixTenrec.setting(PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD, key);
      return set != null ? set : inForce(PoolProperties.MAX_QUEUE_SIZE);
    };
  }

  /** The window of the counts. */
  public HystrixProperty<Integer> metricsRollingStatisticalWindowInMilliseconds() {
    return () -> Math.toIntExact(inForce(PoolProperties.ROLLING_WINDOW).toMillis());
  }

  /** Into how many buckets that window is divided, without a rest. */
  public HystrixProperty<Integer> metricsRollingStatisticalWindowBuckets() {
    return () -> inForce(PoolProperties.ROLLING_BUCKETS);
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

    /** What {@link #withCoreSize} was given; null if nothing. */
    public @Nullable Integer getCoreSize() {
      return set.get(PoolProperties.CORE_SIZE);
    }

    /**
     * Threads that start before anything is queued.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withCoreSize(int value) {
      set.count(
          PoolProperties.CORE_SIZE,
          value,
          "withCoreSize",
          "to refuse every call, open the circuits with withCircuitBreakerForceOpen(true)");
      return this;
    }

    /** What {@link #withMaximumSize} was given; null if nothing. */
    public @Nullable Integer getMaximumSize() {
      return set.get(PoolProperties.MAXIMUM_SIZE);
    }

    /**
     * Threads in all, if it may diverge from the core size.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMaximumSize(int value) {
      set.count(
          PoolProperties.MAXIMUM_SIZE,
          value,
          "withMaximumSize",
          "to refuse every call, open the circuits with withCircuitBreakerForceOpen(true)");
      return this;
    }

    /** What {@link #withAllowMaximumSizeToDivergeFromCoreSize} was given; null if nothing. */
    public @Nullable Boolean getAllowMaximumSizeToDivergeFromCoreSize() {
      return set.get(PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE);
    }

    /** Whether the maximum counts. */
    public Setter withAllowMaximumSizeToDivergeFromCoreSize(boolean value) {
      set.put(PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE, value);
      return this;
    }

    /** What {@link #withKeepAliveTimeMinutes} was given; null if nothing. */
    public @Nullable Integer getKeepAliveTimeMinutes() {
      return set.minutes(PoolProperties.KEEP_ALIVE);
    }

    /** How long a thread beyond the core size stays idle. */
    public Setter withKeepAliveTimeMinutes(int value) {
      set.put(PoolProperties.KEEP_ALIVE, Duration.ofMinutes(value));
      return this;
    }

    /** What {@link #withMaxQueueSize} was given; null if nothing. */
    public @Nullable Integer getMaxQueueSize() {
      return set.get(PoolProperties.MAX_QUEUE_SIZE);
    }

    /** How many executions may wait for a thread; none from 0 down. */
    public Setter withMaxQueueSize(int value) {
      set.put(PoolProperties.MAX_QUEUE_SIZE, Math.max(-1, value));
      return this;
    }

    /** What {@link #withQueueSizeRejectionThreshold} was given; null if nothing. */
    public @Nullable Integer getQueueSizeRejectionThreshold() {
      return set.get(PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD);
    }

    /**
     * How many waiting executions make a pool at its maximum refuse; unset, as many as may wait.
     */
    public Setter withQueueSizeRejectionThreshold(int value) {
      set.put(PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD, value);
      return this;
    }

    /**
     * What {@link #withMetricsRollingStatisticalWindowInMilliseconds} was given; null if nothing.
     */
    public @Nullable Integer getMetricsRollingStatisticalWindowInMilliseconds() {
      return set.millis(PoolProperties.ROLLING_WINDOW);
    }

    /**
     * The window of the counts.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingStatisticalWindowInMilliseconds(int value) {
      set.millis(
          PoolProperties.ROLLING_WINDOW,
          value,
          "withMetricsRollingStatisticalWindowInMilliseconds",
          "for the shortest memory, say 1 with one bucket");
      return this;
    }

    /** What {@link #withMetricsRollingStatisticalWindowBuckets} was given; null if nothing. */
    public @Nullable Integer getMetricsRollingStatisticalWindowBuckets() {
      return set.get(PoolProperties.ROLLING_BUCKETS);
    }

    /**
     * Into how many buckets that window is divided, without a rest.
     *
     * @throws IllegalArgumentException if it is out of bounds; the message says what to write
     *     instead
     */
    public Setter withMetricsRollingStatisticalWindowBuckets(int value) {
      set.count(
          PoolProperties.ROLLING_BUCKETS,
          value,
          "withMetricsRollingStatisticalWindowBuckets",
          "for one step, say 1");
      return this;
    }
  }
}
