// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.FailsafeContender;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.SentinelContender;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.floor.Floor;
import dev.tenrec.benchmarks.state.AllReached;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A call that succeeds, on its caller's own thread. To be run with 1, 2 and 8 threads. */
public class SemaphoreExecution extends InNanoseconds {

  @State(Scope.Benchmark)
  public static class Least {
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

  /** After other works, fallbacks and doors ran in this JVM. */
  public static class OnTenrecPolluted extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      Pollution.ofThisJvm();
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class OnHystrix extends AllReached<HystrixContender> {
    @Override
    protected HystrixContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return HystrixContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class OnResilience4j extends AllReached<Resilience4jContender> {
    @Override
    protected Resilience4jContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return Resilience4jContender.of(Rules.usual(), work, fallback);
    }
  }

  public static class OnResilience4jLockFree extends AllReached<Resilience4jContender> {
    @Override
    protected Resilience4jContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return Resilience4jContender.lockFree(Rules.usual(), work, fallback);
    }
  }

  public static class OnFailsafe extends AllReached<FailsafeContender> {
    @Override
    protected FailsafeContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return FailsafeContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  public static class OnSentinel extends AllReached<SentinelContender> {
    @Override
    protected SentinelContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return new SentinelContender(Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  public String bareCall() {
    return ProtectedCall.answer(question);
  }

  @Benchmark
  public String floor(Least least) {
    return least.floor.call(question);
  }

  @Benchmark
  public String floorNoPermit(Least least) {
    return least.floor.callWithoutPermit(question);
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String tenrecPolluted(OnTenrecPolluted on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String hystrix(OnHystrix on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String resilience4j(OnResilience4j on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String resilience4jLockFree(OnResilience4jLockFree on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String failsafe(OnFailsafe on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String sentinel(OnSentinel on) {
    return on.contender.call(question);
  }
}
