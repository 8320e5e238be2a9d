// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * What may follow an attempt, or run beside it, and is not needed: calls that succeed at once, of
 * commands with a retry, with deadlines that travel, and with a hedge, each beside the same
 * without.
 */
public class FurtherAttempts extends InNanoseconds {

  public static class Plain extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class Retried extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.retried(Rules.usual(), work, fallback);
    }
  }

  public static class WithDeadlines extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.withDeadlines(Rules.usual(), work, fallback);
    }
  }

  public static class Pooled extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onPool(Rules.usual(), work, fallback);
    }
  }

  public static class Hedged extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.hedged(Rules.usual(), work, fallback);
    }
  }

  public static class HedgedAndRetried extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.hedgedAndRetried(Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  public String here(Plain on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String retried(Retried on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String withDeadlines(WithDeadlines on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String pooled(Pooled on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String hedged(Hedged on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String hedgedAndRetried(HedgedAndRetried on) {
    return on.contender.call(question);
  }
}
