// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import com.netflix.hystrix.util.HystrixRollingNumber;
import com.netflix.hystrix.util.HystrixRollingNumberEvent;
import dev.tenrec.benchmarks.state.Recording;
import dev.tenrec.metrics.event.EventType;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One event counted in a window of 10 s, the look at the clock included. */
public class RollingCountsWrite extends InNanoseconds {

  /** One counter without a window. */
  @State(Scope.Benchmark)
  public static class Least {
    final LongAdder count = new LongAdder();
  }

  /** Ours; that it counted is looked at afterwards. */
  public static class OnTenrec extends Recording {
    @TearDown(Level.Trial)
    public void end() {
      if (metrics.cumulativeCount(EventType.FAILURE) == 0) {
        throw new IllegalStateException("nothing was counted");
      }
    }
  }

  /** The window Hystrix had before it went over to streams. */
  @State(Scope.Benchmark)
  public static class OnHystrix {
    final HystrixRollingNumber counts = new HystrixRollingNumber(10_000, 10);
  }

  @Benchmark
  public long floor(Least least) {
    least.count.increment();
    return System.nanoTime();
  }

  @Benchmark
  public boolean tenrec(OnTenrec on) {
    on.metrics.count(EventType.FAILURE);
    return on.lookIfDue();
  }

  @Benchmark
  public void hystrix(OnHystrix on) {
    on.counts.increment(HystrixRollingNumberEvent.FAILURE);
  }
}
