// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.FailsafeContender;
import dev.tenrec.benchmarks.contender.Fallbacks;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jContender;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.floor.Floor;
import dev.tenrec.benchmarks.state.PermitsTaken;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.core.outcome.Outcome;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The one permit is taken by a thread that keeps it: with a fallback that answers, and without. */
public class PermitRejected extends InNanoseconds {

  @State(Scope.Benchmark)
  public static class Least {
    final Floor floor = new Floor(0, ProtectedCall::answer, Fallbacks.SERVED);
  }

  public static class OnTenrec extends PermitsTaken<TenrecContender> {
    public OnTenrec() {
      super(Refusing::tenrec, Fallbacks.SERVED);
    }
  }

  public static class OnTenrecWithValue extends PermitsTaken<TenrecContender> {
    public OnTenrecWithValue() {
      super(Refusing::tenrecWithValue, Fallbacks.SERVED);
    }
  }

  public static class OnTenrecThrown extends PermitsTaken<TenrecContender> {
    public OnTenrecThrown() {
      super(Refusing::tenrec, Fallbacks.NONE);
    }
  }

  public static class OnHystrix extends PermitsTaken<HystrixContender> {
    public OnHystrix() {
      super(Refusing::hystrixWithoutTimeout, Fallbacks.SERVED);
    }
  }

  public static class OnResilience4j extends PermitsTaken<Resilience4jContender> {
    public OnResilience4j() {
      super(Refusing::resilience4j, Fallbacks.SERVED);
    }
  }

  public static class OnResilience4jStackless extends PermitsTaken<Resilience4jContender> {
    public OnResilience4jStackless() {
      super(Resilience4jContender::of, Fallbacks.SERVED);
    }
  }

  public static class OnResilience4jThrown extends PermitsTaken<Resilience4jContender> {
    public OnResilience4jThrown() {
      super(Resilience4jContender::of, Fallbacks.NONE);
    }
  }

  public static class OnFailsafe extends PermitsTaken<FailsafeContender> {
    public OnFailsafe() {
      super(Refusing::failsafe, Fallbacks.SERVED);
    }
  }

  @Benchmark
  public String floor(Least least) {
    return least.floor.rejectedCall();
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String tenrecFallbackValue(OnTenrecWithValue on) {
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
