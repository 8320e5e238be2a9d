// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The counts and latencies of one command, read at the moment they are asked for. */
public final class HystrixCommandMetrics extends HystrixMetrics {

  private final KnownCommand known;

  HystrixCommandMetrics(KnownCommand known) {
    this.known = known;
  }

  /** Those of a command; null if no instance of it was made yet. */
  public static @Nullable HystrixCommandMetrics getInstance(HystrixCommandKey key) {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    KnownCommand known = keys == null ? null : keys.commandIfAny(key.name());
    return known == null ? null : known.metrics;
  }

  /** Those of all commands. */
  public static Collection<HystrixCommandMetrics> getInstances() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null
        ? List.of()
        : keys.commands.values().stream().map(command -> command.metrics).toList();
  }

  /** The command. */
  public HystrixCommandKey getCommandKey() {
    return known.description.key();
  }

  /** Its group. */
  public HystrixCommandGroupKey getCommandGroup() {
    return known.description.group();
  }

  /** Its pool: that of the first instance, or what {@code threadPoolKeyOverride} says now. */
  public HystrixThreadPoolKey getThreadPoolKey() {
    return known.poolKey();
  }

  /** Its settings. */
  public HystrixCommandProperties getProperties() {
    return known.properties;
  }

  /**
   * How often this happened in the rolling window. {@code COLLAPSED} is always 0: calls of a
   * collapser are counted by its own metrics, and {@link HystrixInvokableInfo#getNumberCollapsed()}
   * has those of one batch.
   */
  public long getRollingCount(HystrixEventType event) {
    return count(event, known.view()::rollingCount);
  }

  /** How often this happened since the command is known; as {@link #getRollingCount}. */
  public long getCumulativeCount(HystrixEventType event) {
    return count(event, known.view()::cumulativeCount);
  }

  /** EXCEPTION_THROWN is the sum of others, as that of an instance is. */
  private long count(HystrixEventType event, ToLongFunction<EventType> counts) {
    if (event == HystrixEventType.EXCEPTION_THROWN) {
      return HystrixEventType.EXCEPTION_PRODUCING_EVENT_TYPES.stream()
          .mapToLong(producing -> count(producing, counts))
          .sum();
    }
    EventType counted = event.counted();
    return counted != null ? counts.applyAsLong(counted) : known.view().rollingMaxConcurrency();
  }

  @Override
  public long getRollingCount(HystrixRollingNumberEvent event) {
    return getRollingCount(HystrixEventType.from(event));
  }

  @Override
  public long getCumulativeCount(HystrixRollingNumberEvent event) {
    return getCumulativeCount(HystrixEventType.from(event));
  }

  /** The work's own time, in milliseconds. */
  public int getExecutionTimePercentile(double percentile) {
    return percentile(known.view().executionLatency(), percentile);
  }

  /** The work's own time, in milliseconds. */
  public int getExecutionTimeMean() {
    return mean(known.view().executionLatency());
  }

  /** The caller's time, in milliseconds. */
  public int getTotalTimePercentile(double percentile) {
    return percentile(known.view().callerLatency(), percentile);
  }

  /** The caller's time, in milliseconds. */
  public int getTotalTimeMean() {
    return mean(known.view().callerLatency());
  }

  private static int percentile(LatencySnapshot latencies, double percentile) {
    return Math.toIntExact(latencies.valueAtPercentile(percentile) / 1_000_000);
  }

  private static int mean(LatencySnapshot latencies) {
    return (int) (latencies.meanNanos() / 1_000_000);
  }

  /** The most executions in flight at once in the rolling window. */
  public long getRollingMaxConcurrentExecutions() {
    return known.view().rollingMaxConcurrency();
  }

  /** Executions that are not answered yet. */
  public int getCurrentConcurrentExecutionCount() {
    return Math.max(0, known.view().concurrency() - known.view().stillBusy());
  }

  /** What the circuit breaker goes by. */
  public HealthCounts getHealthCounts() {
    return new HealthCounts(known.view().health());
  }

  /** Executions that say something of the dependency, and how many of them were errors. */
  public static final class HealthCounts {

    private final HealthSnapshot health;

    HealthCounts(HealthSnapshot health) {
      this.health = health;
    }

    /** Of none. */
    public static HealthCounts empty() {
      return new HealthCounts(HealthSnapshot.EMPTY);
    }

    /** All of them. */
    public long getTotalRequests() {
      return health.total();
    }

    /** Failures, time-outs and rejections. */
    public long getErrorCount() {
      return health.errors();
    }

    /** Their share, rounded down. */
    public int getErrorPercentage() {
      return health.errorPercentage();
    }

    @Override
    public String toString() {
      return "HealthCounts["
          + getErrorCount()
          + " / "
          + getTotalRequests()
          + " : "
          + getErrorPercentage()
          + "%]";
    }
  }
}
