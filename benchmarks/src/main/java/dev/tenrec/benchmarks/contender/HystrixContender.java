// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

import com.netflix.hystrix.HystrixCircuitBreaker;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandMetrics;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixThreadPoolKey;
import com.netflix.hystrix.HystrixThreadPoolProperties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Hystrix: a new command object for each call, as it demands, from one Setter made once, as it
 * recommends. Request cache and request log are off, which spares it work; all else but the limits
 * is its default: window of 10 s in 10 buckets, percentiles on.
 */
public final class HystrixContender implements Counting {

  /** Hystrix keeps everything by key in statics, so each contender has a key of its own. */
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final HystrixCommand.Setter setter;
  private final HystrixCommandKey key;
  private final UnaryOperator<String> work;
  private final Function<Throwable, String> fallback;

  private HystrixContender(
      HystrixCommandProperties.Setter properties,
      Rules rules,
      UnaryOperator<String> work,
      Function<Throwable, String> fallback) {
    String name = "Measured" + NUMBER.incrementAndGet();
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

  /**
   * On the caller's thread. Its time-out stays on, as Tenrec's does: there it is a task on
   * Hystrix's timer.
   */
  public static HystrixContender onCaller(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new HystrixContender(semaphore(rules), rules, work, fallback);
  }

  /**
   * The same without time-out: a call that holds the one permit for a whole benchmark would give it
   * back at its deadline.
   */
  public static HystrixContender onCallerWithoutTimeout(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new HystrixContender(
        semaphore(rules).withExecutionTimeoutEnabled(false), rules, work, fallback);
  }

  /** On a pool of its own. */
  public static HystrixContender onPool(
      Rules rules, UnaryOperator<String> work, Function<Throwable, String> fallback) {
    return new HystrixContender(
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
        // its fallbacks have a limit of their own, 10 by default, which 16 callers would exceed
        .withFallbackIsolationSemaphoreMaxConcurrentRequests(1_000)
        .withRequestCacheEnabled(false)
        .withRequestLogEnabled(false);
  }

  private static HystrixThreadPoolProperties.Setter pool(Rules rules) {
    return HystrixThreadPoolProperties.Setter()
        .withCoreSize(rules.maxConcurrent())
        // a queue of size -1 is a SynchronousQueue, which refuses calls while threads are free
        .withMaxQueueSize(Math.max(rules.queue(), 1))
        // without this it refuses from 5 waiting calls on, whatever the queue's size
        .withQueueSizeRejectionThreshold(Math.max(rules.queue(), 1));
  }

  @Override
  public String call(String question) {
    return new Call(question).execute();
  }

  /** A call that can be waited for, or not. */
  public HystrixCommand<String> command(String question) {
    return new Call(question);
  }

  @Override
  public boolean isOpen() {
    HystrixCircuitBreaker breaker = HystrixCircuitBreaker.Factory.getInstance(key);
    return breaker != null && breaker.isOpen();
  }

  /**
   * Of the window, as its breaker sees it: twice in a second, added up elsewhere. A refusal for
   * want of a permit is a failure to it, too. What it has of all calls it only begins to count when
   * it is asked.
   */
  @Override
  public Ends ends() {
    HystrixCommandMetrics metrics = HystrixCommandMetrics.getInstance(key);
    if (metrics == null) { // never called
      return new Ends(0, 0);
    }
    long begin = System.nanoTime();
    HystrixCommandMetrics.HealthCounts health = metrics.getHealthCounts();
    while (health.getTotalRequests() == 0 && System.nanoTime() - begin < PATIENCE_NANOS) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      health = metrics.getHealthCounts();
    }
    return new Ends(health.getErrorCount(), health.getTotalRequests() - health.getErrorCount());
  }

  /** Its threads are daemons, and there is only a reset of everything. */
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
      // as its users have it: the cause would cost a call of getExecutionException
      return fallback.apply(NO_CAUSE);
    }
  }

  @SuppressWarnings("StaticAssignmentOfThrowable") // a placeholder, never thrown
  private static final Throwable NO_CAUSE = new IllegalStateException("a Hystrix fallback");
}
