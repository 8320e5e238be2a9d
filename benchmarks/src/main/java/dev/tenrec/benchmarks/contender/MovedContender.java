// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import dev.tenrec.hystrix.HystrixCircuitBreaker;
import dev.tenrec.hystrix.HystrixCommand;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixCommandProperties;
import dev.tenrec.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.tenrec.hystrix.HystrixThreadPoolKey;
import dev.tenrec.hystrix.HystrixThreadPoolProperties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The classes that Hystrix's users extend, on Tenrec: one command object for each call, from one
 * Setter, with the settings of {@link HystrixContender}, word by word.
 */
public final class MovedContender implements Contender {

  /** All of them share one Tenrec, so each contender has a key of its own. */
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final HystrixCommand.Setter setter;
  private final HystrixCommandKey key;
  private final UnaryOperator<String> work;
  private final Function<Throwable, String> fallback;

  private MovedContender(
      HystrixCommandProperties.Setter properties,
      Rules rules,
      UnaryOperator<String> work,
      Function<Throwable, String> fallback) {
    String name = "Moved" + NUMBER.incrementAndGet();
    this.key = HystrixCommandKey.Factory.asKey(name);
    this.work = work;
    this.fallback = fallback;
    this.setter =
        HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(name))
            .andCommandKey(key)
            .andThreadPoolKey(HystrixThreadPoolKey.Factory.asKey(name))
            .andThreadPoolPropertiesDefaults(pool(rules))
            .andCommandPropertiesDefaults(properties);
  }

  /** On the caller's thread, with a time-out. */
  public static MovedContender onCaller(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new MovedContender(semaphore(rules), rules, work, fallback);
  }

  /** On a pool of its own. */
  public static MovedContender onPool(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new MovedContender(
        properties(rules).withExecutionIsolationStrategy(ExecutionIsolationStrategy.THREAD),
        rules,
        work,
        fallback);
  }

  private static HystrixCommandProperties.Setter semaphore(Rules rules) {
    return properties(rules)
        .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)
        .withExecutionIsolationSemaphoreMaxConcurrentRequests(rules.maxConcurrent());
  }

  private static HystrixCommandProperties.Setter properties(Rules rules) {
    return HystrixCommandProperties.Setter()
        .withExecutionTimeoutInMilliseconds((int) rules.timeout().toMillis())
        .withCircuitBreakerRequestVolumeThreshold(rules.volume())
        .withCircuitBreakerErrorThresholdPercentage(rules.errorPercentage())
        .withCircuitBreakerSleepWindowInMilliseconds((int) rules.sleepWindow().toMillis())
        .withMetricsRollingStatisticalWindowInMilliseconds((int) Rules.WINDOW.toMillis())
        .withFallbackIsolationSemaphoreMaxConcurrentRequests(1_000)
        .withRequestCacheEnabled(false)
        .withRequestLogEnabled(false);
  }

  private static HystrixThreadPoolProperties.Setter pool(Rules rules) {
    return HystrixThreadPoolProperties.Setter()
        .withCoreSize(rules.maxConcurrent())
        .withMaxQueueSize(Math.max(rules.queue(), 1))
        .withQueueSizeRejectionThreshold(Math.max(rules.queue(), 1));
  }

  @Override
  public String call(String question) {
    return new Call(question).execute();
  }

  @Override
  public boolean isOpen() {
    HystrixCircuitBreaker breaker = HystrixCircuitBreaker.Factory.getInstance(key);
    return breaker != null && breaker.isOpen();
  }

  /** Its Tenrec is that of the process, which others may use. */
  @Override
  public void close() {}

  private final class Call extends HystrixCommand<String> {

    private final String question;

    Call(String question) {
      super(setter);
      this.question = question;
    }

    @Override
    protected String run() {
      return work.apply(question);
    }

    @Override
    protected String getFallback() {
      return fallback.apply(NO_CAUSE);
    }
  }

  @SuppressWarnings("StaticAssignmentOfThrowable") // a placeholder, never thrown
  private static final Throwable NO_CAUSE = new IllegalStateException("a fallback without cause");
}
