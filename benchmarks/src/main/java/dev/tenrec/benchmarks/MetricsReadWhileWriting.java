// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.floor.Floor;
import dev.tenrec.benchmarks.state.AllReached;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Seven threads call a command while one reads all a dashboard shows of it, again and again. What
 * matters is how much the callers ({@code write}) notice.
 */
public class MetricsReadWhileWriting extends InNanoseconds {

  /** A counter that is read, beside calls that count. */
  @State(Scope.Benchmark)
  public static class Least {
    final LongAdder shown = new LongAdder();
    final Floor floor =
        new Floor(Rules.usual().maxConcurrent(), ProtectedCall::answer, Fallbacks.SERVED);
  }

  public static class OnTenrec extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  @Group("floor")
  @GroupThreads(7)
  public String floorWrite(Least least) {
    least.shown.increment();
    return least.floor.call(question);
  }

  @Benchmark
  @Group("floor")
  public long floorRead(Least least) {
    return least.shown.sum();
  }

  @Benchmark
  @Group("tenrec")
  @GroupThreads(7)
  public String tenrecWrite(OnTenrec on) {
    return on.contender.call(question);
  }

  @Benchmark
  @Group("tenrec")
  public void tenrecRead(OnTenrec on, Blackhole shown) {
    CommandView view = on.contender.command().view();
    for (EventType event : EventType.values()) {
      shown.consume(view.rollingCount(event));
    }
    shown.consume(view.health());
    shown.consume(view.rollingMaxConcurrency());
    shown.consume(view.executionLatency().valueAtPercentile(99));
    shown.consume(view.callerLatency().valueAtPercentile(99));
  }
}
