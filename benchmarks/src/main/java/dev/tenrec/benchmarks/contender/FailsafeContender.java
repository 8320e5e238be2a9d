// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Fallback;
import dev.failsafe.Policy;
import dev.failsafe.Timeout;
import dev.failsafe.event.ExecutionAttemptedEvent;
import dev.failsafe.function.CheckedFunction;
import dev.failsafe.function.CheckedSupplier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Failsafe: one executor of composed policies, made once; outermost first, the fallback, the
 * breaker, the bulkhead. Its refusals always have a stack trace. It keeps no latencies.
 */
public final class FailsafeContender implements Counting {

  private final CircuitBreaker<String> breaker;
  private final FailsafeExecutor<String> executor;
  private final UnaryOperator<String> work;
  private final @Nullable ExecutorService pool;

  private FailsafeContender(
      Rules rules,
      UnaryOperator<String> work,
      Function<Throwable, String> fallback,
      @Nullable ExecutorService pool) {
    this.work = work;
    this.pool = pool;
    this.breaker =
        CircuitBreaker.<String>builder()
            .withFailureRateThreshold(rules.errorPercentage(), rules.volume(), Rules.WINDOW)
            .withDelay(rules.sleepWindow())
            .build();
    List<Policy<String>> policies = new ArrayList<>();
    CheckedFunction<ExecutionAttemptedEvent<? extends String>, String> answer =
        event -> fallback.apply(event.getLastException());
    policies.add(Fallback.of(answer));
    policies.add(breaker);
    if (pool == null) {
      policies.add(Bulkhead.of(rules.maxConcurrent()));
      this.executor = Failsafe.with(policies);
    } else {
      // calls in flight are those that run and those that wait for a thread
      policies.add(Bulkhead.of(rules.maxConcurrent() + rules.queue()));
      policies.add(Timeout.<String>builder(rules.timeout()).withInterrupt().build());
      this.executor = Failsafe.with(policies).with(pool);
    }
  }

  /** On the caller's thread, without a time-out: it would need another thread's timer. */
  public static FailsafeContender onCaller(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new FailsafeContender(rules, work, fallback, null);
  }

  /** On a fixed pool, for it brings none; the timer is Failsafe's own. */
  public static FailsafeContender onPool(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    ExecutorService pool =
        new ThreadPoolExecutor(
            rules.maxConcurrent(),
            rules.maxConcurrent(),
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            Daemon::new);
    return new FailsafeContender(rules, work, fallback, pool);
  }

  @Override
  public String call(String question) {
    CheckedSupplier<String> call = () -> work.apply(question);
    return pool == null ? executor.get(call) : executor.getAsync(call).join();
  }

  @Override
  public boolean isOpen() {
    return breaker.isOpen();
  }

  /**
   * Of the window, as its breaker sees it. A refusal for want of a permit is a failure to it, too.
   */
  @Override
  public Ends ends() {
    return new Ends(breaker.getFailureCount(), breaker.getSuccessCount());
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.shutdownNow();
    }
  }
}
