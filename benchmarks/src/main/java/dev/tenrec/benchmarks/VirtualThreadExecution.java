// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Resilience4jPool;
import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import dev.tenrec.benchmarks.state.VirtualThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A call that succeeds, on a virtual thread of its own, while its caller waits for at most a
 * second. Needs JDK 21; on an older one each of these fails and says so, and the others run.
 */
public class VirtualThreadExecution extends InNanoseconds {

  @State(Scope.Benchmark)
  public static class Bare {
    final ThreadFactory threads = VirtualThreadFactory.get();
  }

  public static class OnTenrec extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      VirtualThreadFactory.require();
      return TenrecContender.onVirtualThreads(Rules.usual(), work, fallback);
    }
  }

  public static class OnResilience4j extends AllReached<Resilience4jPool> {
    @Override
    protected Resilience4jPool make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      ExecutorService perTask = VirtualThreadFactory.executor();
      return Resilience4jPool.onExecutor(perTask, Rules.usual(), work, fallback);
    }
  }

  @Benchmark
  public String bareVirtualThread(Bare bare) throws Exception {
    FutureTask<String> task = new FutureTask<>(() -> ProtectedCall.answer(question));
    bare.threads.newThread(task).start();
    return task.get(Rules.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  @Benchmark
  public String tenrec(OnTenrec on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String resilience4j(OnResilience4j on) {
    return on.contender.call(question);
  }
}
