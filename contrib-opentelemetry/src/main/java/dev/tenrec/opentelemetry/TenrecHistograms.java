// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.latency.LatencyTotals;
import dev.tenrec.metrics.view.CommandTotals;
import dev.tenrec.opentelemetry.internal.CommandAttributes;
import dev.tenrec.opentelemetry.internal.HistogramMetric;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The latencies of one Tenrec's commands as histograms, made of Tenrec's own slots when metrics are
 * collected, and recorded nowhere else. Given to {@code
 * SdkMeterProviderBuilder.registerMetricProducer}, so it takes the SDK.
 *
 * <p>They are cumulative, whatever temporality an exporter prefers. A latency is counted below a
 * bound by the midpoint of its slot, which may be 1.6 % away. They begin anew when {@code
 * metrics.rollingPercentile.enabled} has been off. Thread-safe.
 */
public final class TenrecHistograms implements MetricProducer {

  private static final List<Duration> DEFAULT_BOUNDS =
      List.of(
          Duration.ofMillis(1),
          Duration.ofNanos(2_500_000),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(25),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofMillis(2_500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10));

  private final Tenrec tenrec;
  private final CommandAttributes.OfAll attributes = new CommandAttributes.OfAll();
  private final InstantSource clock = InstantSource.system();
  private final long startEpochNanos = epochNanos(clock.instant());
  private final long[] boundsNanos;
  private final List<Double> boundsSeconds;

  private TenrecHistograms(Tenrec tenrec, List<Duration> bounds) {
    this.tenrec = Objects.requireNonNull(tenrec, "tenrec");
    this.boundsNanos = bounds.stream().mapToLong(Duration::toNanos).toArray();
    this.boundsSeconds = bounds.stream().map(bound -> bound.toNanos() / 1e9).toList();
    for (int i = 0; i < boundsNanos.length; i++) {
      if (boundsNanos[i] <= (i == 0 ? 0 : boundsNanos[i - 1])) {
        throw new IllegalArgumentException(
            "bounds: " + bounds + ", expected positive and growing ones");
      }
    }
  }

  /** With bounds from 1 ms to 10 s. */
  public static TenrecHistograms of(Tenrec tenrec) {
    return new TenrecHistograms(tenrec, DEFAULT_BOUNDS);
  }

  /**
   * With bounds of one's own.
   *
   * @throws IllegalArgumentException if one is not positive, or they do not grow
   */
  public static TenrecHistograms of(Tenrec tenrec, Duration... bounds) {
    return new TenrecHistograms(tenrec, List.of(bounds));
  }

  @Override
  public Collection<MetricData> produce(Resource resource) {
    long now = epochNanos(clock.instant());
    List<HistogramPointData> caller = new ArrayList<>();
    List<HistogramPointData> execution = new ArrayList<>();
    attributes.forEach(
        tenrec.commands(),
        (command, with) -> {
          CommandTotals totals = command.totals();
          HistogramPointData ofCallers = point(totals.caller(), with.own(), now);
          caller.add(ofCallers);
          execution.add(
              totals.execution() == totals.caller() // which it is where both were recorded as one
                  ? ofCallers
                  : point(totals.execution(), with.own(), now));
        });
    if (caller.isEmpty()) {
      return List.of();
    }
    return List.of(
        new HistogramMetric(
            resource,
            "tenrec.command.duration",
            "From the call to its answer, a fallback included",
            caller),
        new HistogramMetric(
            resource,
            "tenrec.command.execution.duration",
            "From the work's start to its end",
            execution));
  }

  private HistogramPointData point(LatencyTotals latency, Attributes attributes, long now) {
    long[] upTo = latency.countsUpTo(boundsNanos);
    List<Long> counts = new ArrayList<>(upTo.length + 1);
    long before = 0;
    for (long count : upTo) {
      counts.add(count - before);
      before = count;
    }
    counts.add(latency.count() - before);
    return HistogramPointData.create(
        startEpochNanos,
        now,
        attributes,
        latency.sumNanos() / 1e9,
        false,
        0,
        false,
        0,
        boundsSeconds,
        counts);
  }

  private static long epochNanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }
}
