// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.MovedContender;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.state.AllReached;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A command that extends HystrixCommand, on a semaphore: Tenrec's class of that name beside
 * Hystrix's.
 */
public class MovedSemaphore extends InNanoseconds {

  public static class OnMoved extends AllReached<MovedContender> {
    @Override
    protected MovedContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return MovedContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class OnHystrix extends AllReached<HystrixContender> {
    @Override
    protected HystrixContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return HystrixContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  public String moved(OnMoved on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String hystrix(OnHystrix on) {
    return on.contender.call(question);
  }
}
