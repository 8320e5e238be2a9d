// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Contender;
import dev.tenrec.benchmarks.contender.Daemon;
import dev.tenrec.benchmarks.contender.FailsafeContender;
import dev.tenrec.benchmarks.contender.HystrixContender;
import dev.tenrec.benchmarks.contender.Resilience4jPool;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call that succeeds, on a pool of 10 threads, while its caller waits for at most a second. To be
 * run with 1 and 8 threads; with more than 20, give the queue room: {@code -p queue=1000}.
 */
public class ThreadPoolExecution extends InNanoseconds {

  /** Ten threads behind a linked queue, as is behind the permits of ours. */
  @State(Scope.Benchmark)
  public static class Bare {
    final ExecutorService pool =
        new ThreadPoolExecutor(
            10, 10, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), Daemon::new);

    @TearDown
    public void end() {
      pool.shutdownNow();
    }
  }

  /** Calls that find no thread wait; nobody is refused. */
  public abstract static class Pooled<C extends Contender> extends AllReached<C> {
    /** How many may. */
    @Param("10")
    public int queue;

    final Rules rules() {
      return Rules.pool(queue);
    }
  }

  public static class OnTenrec extends Pooled<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onPool(rules(), work, fallback);
    }
  }

  public static class OnTenrecPolluted extends OnTenrec {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      Pollution.ofThisJvm();
      return super.make(work, fallback);
    }
  }

  public static class OnHystrix extends Pooled<HystrixContender> {
    @Override
    protected HystrixContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return HystrixContender.onPool(rules(), work, fallback);
    }
  }

  public static class OnResilience4j extends Pooled<Resilience4jPool> {
    @Override
    protected Resilience4jPool make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return Resilience4jPool.onPool(rules(), work, fallback);
    }
  }

  public static class OnFailsafe extends Pooled<FailsafeContender> {
    @Override
    protected FailsafeContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return FailsafeContender.onPool(rules(), work, fallback);
    }
  }

  @Benchmark
  public String bareSubmitGetTimed(Bare bare) throws Exception {
    return bare.pool
        .submit(() -> ProtectedCall.answer(question))
        .get(Rules.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  @Benchmark
  public String tenrecAsync(OnTenrec on) {
    return on.contender.callAsync(question).join();
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
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
