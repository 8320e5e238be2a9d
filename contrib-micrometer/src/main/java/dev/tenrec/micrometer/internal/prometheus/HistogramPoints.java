// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal.prometheus;

import dev.tenrec.metrics.latency.LatencyTotals;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;

/**
 * Makes Prometheus' histograms of Tenrec's slots, classic and native in one. A slot counts as its
 * midpoint in both.
 */
final class HistogramPoints {

  /** Sixteen native buckets an octave: the nearest there is to 32 slots that are half as wide. */
  private static final int SCHEMA = 4;

  private static final double BUCKETS_PER_OCTAVE = 1 << SCHEMA;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LN_2 = Math.log(2);

  private final long[] boundsNanos;

  HistogramPoints(long[] boundsNanos) {
    this.boundsNanos = boundsNanos;
  }

  /** Latencies in seconds. */
  HistogramDataPointSnapshot of(LatencyTotals totals, Labels labels) {
    return HistogramDataPointSnapshot.builder()
        .labels(labels)
        .sum(totals.sumNanos() / NANOS_PER_SECOND)
        .classicHistogramBuckets(classic(totals))
        .nativeSchema(SCHEMA)
        .nativeZeroCount(0)
        .nativeZeroThreshold(0)
        .nativeBucketsForPositiveValues(natives(totals))
        .build();
  }

  private ClassicHistogramBuckets classic(LatencyTotals totals) {
    long[] upTo = totals.countsUpTo(boundsNanos);
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long below = 0;
    for (int i = 0; i < boundsNanos.length; i++) {
      buckets.bucket(boundsNanos[i] / NANOS_PER_SECOND, upTo[i] - below);
      below = upTo[i];
    }
    return buckets.bucket(Double.POSITIVE_INFINITY, totals.count() - below).build();
  }

  private static NativeHistogramBuckets natives(LatencyTotals totals) {
    NativeBuckets buckets = new NativeBuckets();
    totals.forEachSlot(
        (from, to, count) -> buckets.add(index((from + to) / 2.0 / NANOS_PER_SECOND), count));
    return buckets.build();
  }

  /** The bucket that ends at the next power of 2^(1/16), the value's own included. */
  private static int index(double seconds) {
    return (int) Math.ceil(Math.log(seconds) / LN_2 * BUCKETS_PER_OCTAVE);
  }

  /** Sums up what falls into the same bucket; slots come in growing order. */
  private static final class NativeBuckets {

    private final NativeHistogramBuckets.Builder built = NativeHistogramBuckets.builder();
    private int bucket;
    private long count;

    void add(int index, long more) {
      if (index != bucket) {
        flush();
        bucket = index;
      }
      count += more;
    }

    private void flush() {
      if (count > 0) {
        built.bucket(bucket, count);
        count = 0;
      }
    }

    NativeHistogramBuckets build() {
      flush();
      return built.build();
    }
  }
}
