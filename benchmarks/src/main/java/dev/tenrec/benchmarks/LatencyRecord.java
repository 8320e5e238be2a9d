// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.state.Recording;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Recorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One latency recorded, so that percentiles of the last minute can be read. */
public class LatencyRecord extends InNanoseconds {

  /** Latencies of two octaves, in an order the compiler does not know. */
  @State(Scope.Thread)
  public static class Latencies {
    private long last = System.nanoTime();

    long next() {
      last = last * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
      return 100_000 + (last >>> 46);
    }
  }

  /** A count for each power of two. */
  @State(Scope.Benchmark)
  public static class Least {
    final AtomicLongArray counts = new AtomicLongArray(Long.SIZE + 1);
  }

  /** Ours; that it recorded is looked at afterwards. */
  public static class OnTenrec extends Recording {
    @TearDown(Level.Trial)
    public void end() {
      if (metrics.executionLatency(System.nanoTime()).count() == 0) {
        throw new IllegalStateException("nothing was recorded");
      }
    }
  }

  /** A recorder of two digits to a minute, which has no window. */
  @State(Scope.Benchmark)
  public static class OnHdrHistogram {
    final Recorder recorder = new Recorder(TimeUnit.MINUTES.toNanos(1), 2);
  }

  @Benchmark
  public long floor(Least least, Latencies latencies) {
    return least.counts.getAndIncrement(Long.SIZE - Long.numberOfLeadingZeros(latencies.next()));
  }

  @Benchmark
  public void tenrec(OnTenrec on, Latencies latencies) {
    on.metrics.recordSuccess(latencies.next());
  }

  @Benchmark
  public void hdrRecorder(OnHdrHistogram on, Latencies latencies) {
    on.recorder.recordValue(latencies.next());
  }
}
