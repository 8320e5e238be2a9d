// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal.prometheus;

import dev.tenrec.metrics.latency.LatencyTotals;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.Arrays;

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

  /** The same with infinity at the end. */
  private final double[] boundsSeconds;

  HistogramPoints(long[] boundsNanos) {
    this.boundsNanos = boundsNanos;
    this.boundsSeconds = Arrays.copyOf(asSeconds(boundsNanos), boundsNanos.length + 1);
    this.boundsSeconds[boundsNanos.length] = Double.POSITIVE_INFINITY;
  }

  private static double[] asSeconds(long[] nanos) {
    return Arrays.stream(nanos).mapToDouble(each -> each / NANOS_PER_SECOND).toArray();
  }

  /** Latencies in seconds. */
  HistogramDataPointSnapshot of(LatencyTotals totals, Labels labels) {
    return new HistogramDataPointSnapshot(
        classic(totals),
        SCHEMA,
        0,
        0,
        natives(totals),
        NativeHistogramBuckets.EMPTY,
        totals.sumNanos() / NANOS_PER_SECOND,
        labels,
        Exemplars.EMPTY,
        0);
  }

  private ClassicHistogramBuckets classic(LatencyTotals totals) {
    return ClassicHistogramBuckets.of(
        boundsSeconds, counts(totals.countsUpTo(boundsNanos), totals.count()));
  }

  /** How many lie between one bound and the next, and beyond the last one. */
  static long[] counts(long[] upTo, long all) {
    long[] counts = new long[upTo.length + 1];
    long below = 0;
    for (int i = 0; i < upTo.length; i++) {
      counts[i] = upTo[i] - below;
      below = upTo[i];
    }
    counts[upTo.length] = all - below;
    return counts;
  }

  private static NativeHistogramBuckets natives(LatencyTotals totals) {
    NativeBuckets buckets = new NativeBuckets();
    totals.forEachSlot(
        (from, to, count) -> buckets.add(index((from + to) / 2.0 / NANOS_PER_SECOND), count));
    return NativeHistogramBuckets.of(
        Arrays.copyOf(buckets.indexes, buckets.size), Arrays.copyOf(buckets.counts, buckets.size));
  }

  /** The bucket that ends at the next power of 2^(1/16), the value's own included. */
  private static int index(double seconds) {
    return (int) Math.ceil(Math.log(seconds) / LN_2 * BUCKETS_PER_OCTAVE);
  }

  /** Sums up what falls into the same bucket; slots come in growing order. */
  private static final class NativeBuckets {

    int[] indexes = new int[32];
    long[] counts = new long[32];
    int size;

    void add(int index, long count) {
      if (size > 0 && indexes[size - 1] == index) {
        counts[size - 1] += count;
        return;
      }
      if (size == indexes.length) {
        indexes = Arrays.copyOf(indexes, 2 * size);
        counts = Arrays.copyOf(counts, 2 * size);
      }
      indexes[size] = index;
      counts[size++] = count;
    }
  }
}
