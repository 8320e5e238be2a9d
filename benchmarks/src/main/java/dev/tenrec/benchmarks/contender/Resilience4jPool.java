// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.core.CompletionStageUtils;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Resilience4j on other threads: breaker around time limiter around bulkhead, the order of its
 * annotations, and its recovery around all. What its {@code Decorators} build for a call with
 * arguments they build for each call, as here.
 */
public final class Resilience4jPool implements Contender {

  /** Starts the work where it runs. */
  private interface Start extends Function<String, CompletionStage<String>> {}

  private final CircuitBreaker breaker;
  private final TimeLimiter limiter;
  private final ScheduledExecutorService timer;
  private final Start start;
  private final Function<Throwable, String> fallback;
  private final AutoCloseable threads;

  private Resilience4jPool(
      Rules rules, Start start, Function<Throwable, String> fallback, AutoCloseable threads) {
    this.breaker =
        Resilience4jContender.breaker(rules, SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
    this.limiter =
        TimeLimiter.of(
            TimeLimiterConfig.custom()
                .timeoutDuration(rules.timeout())
                .cancelRunningFuture(true)
                .build());
    this.start = start;
    this.fallback = fallback;
    this.threads = threads;
    ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, Daemon::new);
    // or each call would leave its deadline behind for a second
    scheduler.setRemoveOnCancelPolicy(true);
    this.timer = scheduler;
  }

  /** On its bounded pool. */
  public static Resilience4jPool onPool(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    ThreadPoolBulkhead pool =
        ThreadPoolBulkhead.of(
            "measured",
            ThreadPoolBulkheadConfig.custom()
                .maxThreadPoolSize(rules.maxConcurrent())
                .coreThreadPoolSize(rules.maxConcurrent())
                .queueCapacity(Math.max(rules.queue(), 1))
                .writableStackTraceEnabled(rules.stackTraces())
                .build());
    return new Resilience4jPool(
        rules, question -> pool.submit(() -> work.apply(question)), fallback, pool);
  }

  /** On an executor of virtual threads: the bulkhead without a pool, since 2.4 has none of them. */
  public static Resilience4jPool onExecutor(
      ExecutorService executor,
      Rules rules,
      UnaryOperator<String> work,
      Function<Throwable, String> fallback) {
    Bulkhead bulkhead = Bulkhead.of("measured", Resilience4jContender.bulkheadConfig(rules));
    Start start =
        question ->
            Bulkhead.decorateCompletionStage(
                    bulkhead,
                    () -> CompletableFuture.supplyAsync(() -> work.apply(question), executor))
                .get();
    return new Resilience4jPool(rules, start, fallback, executor::shutdownNow);
  }

  @Override
  public String call(String question) {
    return callAsync(question).join();
  }

  /** Calls without waiting. */
  public CompletableFuture<String> callAsync(String question) {
    Supplier<CompletionStage<String>> limited =
        limiter.decorateCompletionStage(timer, () -> start.apply(question));
    Supplier<CompletionStage<String>> broken =
        CircuitBreaker.decorateCompletionStage(breaker, limited);
    return CompletionStageUtils.recover(broken, fallback).get().toCompletableFuture();
  }

  @Override
  public boolean isOpen() {
    return breaker.getState() == CircuitBreaker.State.OPEN;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    Daemon.close(threads);
  }
}
