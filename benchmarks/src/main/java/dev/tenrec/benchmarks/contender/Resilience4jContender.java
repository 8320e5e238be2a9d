// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Resilience4j on the caller's thread: functions decorated once, the breaker around the bulkhead,
 * which is the order of its annotations. The recovery is the {@code try} of its {@code
 * SupplierUtils.recover}, written out so that the question may be an argument. It keeps no
 * latencies, and has no deadline here.
 */
public final class Resilience4jContender implements Counting {

  private final CircuitBreaker breaker;
  private final Function<String, String> decorated;
  private final @Nullable Function<Throwable, String> fallback;

  private Resilience4jContender(
      Rules rules,
      SlidingWindowSynchronizationStrategy synchronization,
      UnaryOperator<String> work,
      @Nullable Function<Throwable, String> fallback) {
    this.breaker = breaker(rules, synchronization);
    Bulkhead bulkhead = bulkhead(rules);
    this.decorated =
        CircuitBreaker.decorateFunction(breaker, Bulkhead.decorateFunction(bulkhead, work));
    this.fallback = fallback;
  }

  /** With its default window, which is guarded by a lock. */
  public static Resilience4jContender of(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return new Resilience4jContender(
        rules, SlidingWindowSynchronizationStrategy.SYNCHRONIZED, work, fallback);
  }

  /** With the window it has for contention. */
  public static Resilience4jContender lockFree(
      Rules rules, UnaryOperator<String> work, @Nullable Function<Throwable, String> fallback) {
    return new Resilience4jContender(
        rules, SlidingWindowSynchronizationStrategy.LOCK_FREE, work, fallback);
  }

  static CircuitBreaker breaker(Rules rules, SlidingWindowSynchronizationStrategy synchronization) {
    return CircuitBreaker.of("measured", breakerConfig(rules, synchronization));
  }

  static CircuitBreakerConfig breakerConfig(
      Rules rules, SlidingWindowSynchronizationStrategy synchronization) {
    return CircuitBreakerConfig.custom()
        .slidingWindow(
            (int) Rules.WINDOW.toSeconds(),
            rules.volume(),
            SlidingWindowType.TIME_BASED,
            synchronization)
        .failureRateThreshold(rules.errorPercentage())
        .waitDurationInOpenState(rules.sleepWindow())
        .writableStackTraceEnabled(rules.stackTraces())
        .build();
  }

  private static Bulkhead bulkhead(Rules rules) {
    return Bulkhead.of("measured", bulkheadConfig(rules));
  }

  static BulkheadConfig bulkheadConfig(Rules rules) {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(rules.maxConcurrent())
        .maxWaitDuration(Duration.ZERO)
        // fair by default, which helps no caller that does not wait
        .fairCallHandlingStrategyEnabled(false)
        .writableStackTraceEnabled(rules.stackTraces())
        .build();
  }

  @Override
  public String call(String question) {
    if (fallback == null) {
      return decorated.apply(question);
    }
    try {
      return decorated.apply(question);
    } catch (RuntimeException cause) {
      return fallback.apply(cause);
    }
  }

  @Override
  public boolean isOpen() {
    return breaker.getState() == CircuitBreaker.State.OPEN;
  }

  /**
   * Of the window, as its breaker sees it. A refusal for want of a permit is a failure to it, too.
   */
  @Override
  public Ends ends() {
    CircuitBreaker.Metrics metrics = breaker.getMetrics();
    return new Ends(
        metrics.getNumberOfFailedCalls(),
        metrics.getNumberOfSuccessfulCalls() + metrics.getNumberOfNotPermittedCalls());
  }

  @Override
  public void close() {}
}
