// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.FailsafeContender;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.floor.Floor;
import dev.tenrec.benchmarks.state.CircuitOpen;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.core.outcome.Outcome;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A circuit that is open refuses the call: with a fallback that answers, and without. */
public class OpenCircuit extends InNanoseconds {

  @State(Scope.Benchmark)
  public static class Least {
    final Floor floor = new Floor(1, ProtectedCall::answer, Fallbacks.SERVED);
  }

  public static class OnTenrec extends CircuitOpen<TenrecContender> {
    public OnTenrec() {
      super(Refusing::tenrec, Fallbacks.SERVED);
    }
  }

  public static class OnTenrecPolluted extends CircuitOpen<TenrecContender> {
    public OnTenrecPolluted() {
      super(Refusing::tenrecPolluted, Fallbacks.SERVED);
    }
  }

  public static class OnTenrecWithValue extends CircuitOpen<TenrecContender> {
    public OnTenrecWithValue() {
      super(Refusing::tenrecWithValue, Fallbacks.SERVED);
    }
  }

  public static class OnTenrecThrown extends CircuitOpen<TenrecContender> {
    public OnTenrecThrown() {
      super(Refusing::tenrec, Fallbacks.NONE);
    }
  }

  public static class OnHystrix extends CircuitOpen<HystrixContender> {
    public OnHystrix() {
      super(Refusing::hystrix, Fallbacks.SERVED);
    }
  }

  public static class OnResilience4j extends CircuitOpen<Resilience4jContender> {
    public OnResilience4j() {
      super(Refusing::resilience4j, Fallbacks.SERVED);
    }
  }

  public static class OnResilience4jStackless extends CircuitOpen<Resilience4jContender> {
    public OnResilience4jStackless() {
      super(Resilience4jContender::of, Fallbacks.SERVED);
    }
  }

  public static class OnResilience4jThrown extends CircuitOpen<Resilience4jContender> {
    public OnResilience4jThrown() {
      super(Resilience4jContender::of, Fallbacks.NONE);
    }
  }

  public static class OnFailsafe extends CircuitOpen<FailsafeContender> {
    public OnFailsafe() {
      super(Refusing::failsafe, Fallbacks.SERVED);
    }
  }

  @Benchmark
  public String floor(Least least) {
    return least.floor.shortCircuitedCall();
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.contender.call(question);
  }

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
  public String resilience4jStackless(OnResilience4jStackless on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String failsafe(OnFailsafe on) {
    return on.contender.call(question);
  }

  @Benchmark
  public Object tenrecThrown(OnTenrecThrown on) {
    try {
      return on.contender.call(question);
    } catch (CommandException refused) {
      return refused;
    }
  }

  @Benchmark
  public Outcome<String> tenrecAttempt(OnTenrecThrown on) {
    return on.contender.attempt(question);
  }

  @Benchmark
  public Object resilience4jStacklessThrown(OnResilience4jThrown on) {
    try {
      return on.contender.call(question);
    } catch (RuntimeException refused) {
      return refused;
    }
  }
}
