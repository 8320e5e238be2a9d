// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.FailsafeContender;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.floor.Floor;
import dev.tenrec.benchmarks.floor.GuardedFallbackFloor;
import dev.tenrec.benchmarks.state.AlwaysFailing;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The protected call throws, always the same exception, and the fallback answers. No circuit opens:
 * their volume thresholds are at the maximum.
 */
public class FailingCall extends InNanoseconds {

  @State(Scope.Benchmark)
  public static class Least {
    final Floor floor =
        new Floor(Rules.usual().maxConcurrent(), ProtectedCall::fail, Fallbacks.SERVED);
    final GuardedFallbackFloor guardedFallback =
        new GuardedFallbackFloor(
            Rules.usual().maxConcurrent(), ProtectedCall::fail, Fallbacks.SERVED);
  }

  public static class OnTenrec extends AlwaysFailing<TenrecContender> {
    @Override
    protected TenrecContender make(
        Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(rules, work, fallback);
    }
  }

  public static class OnTenrecPolluted extends OnTenrec {
    @Override
    protected TenrecContender make(
        Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
      Pollution.ofThisJvm();
      return super.make(rules, work, fallback);
    }
  }

  public static class OnTenrecWithValue extends AlwaysFailing<TenrecContender> {
    @Override
    protected TenrecContender make(
        Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.withFallbackValue(rules, work, fallback.apply(ProtectedCall.DOWN));
    }
  }

  public static class OnHystrix extends AlwaysFailing<HystrixContender> {
    @Override
    protected HystrixContender make(
        Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return HystrixContender.onCaller(rules, work, fallback);
    }
  }

  public static class OnResilience4j extends AlwaysFailing<Resilience4jContender> {
    @Override
    protected Resilience4jContender make(
        Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return Resilience4jContender.of(rules, work, fallback);
    }
  }

  public static class OnFailsafe extends AlwaysFailing<FailsafeContender> {
    @Override
    protected FailsafeContender make(
        Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return FailsafeContender.onCaller(rules, work, fallback);
    }
  }

  @Benchmark
  public String floor(Least least) {
    return least.floor.failingCall(question);
  }

  /** With a permit for the fallback, and the caller's latency. */
  @Benchmark
  public String floorGuardedFallback(Least least) {
    return least.guardedFallback.failingCall(question);
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.contender.call(question);
  }

  /** The fallback is a value: nothing of the user's runs. */
  @Benchmark
  public String tenrecFallbackValue(OnTenrecWithValue on) {
    return on.contender.call(question);
  }

  /** In a JVM that has seen other works, fallbacks and doors: see {@link Pollution}. */
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
  public String failsafe(OnFailsafe on) {
    return on.contender.call(question);
  }
}
