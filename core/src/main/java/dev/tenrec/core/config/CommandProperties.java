// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static dev.tenrec.core.config.Rule.atLeast;
import static dev.tenrec.core.config.Rule.atLeastOneMilli;
import static dev.tenrec.core.config.Rule.between;
import static dev.tenrec.core.config.Rule.positiveTime;
import static dev.tenrec.core.config.Rule.zeroOrMore;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a command, {@code <prefix>.command.<key or default>.<name>}. Their names and
 * defaults are those of Hystrix, where Hystrix has the property.
 */
public final class CommandProperties {

  private static final Declarations DECLARED = new Declarations("command");

  /** Where the work runs; {@code THREAD} by default. */
  public static final Property<IsolationStrategy> ISOLATION_STRATEGY =
      DECLARED.strategy("execution.isolation.strategy", IsolationStrategy.THREAD);

  /**
   * From the call to its deadline, whatever the isolation: the wait for a thread counts. 1 s by
   * default.
   */
  public static final Property<Duration> TIMEOUT =
      DECLARED.millis("execution.isolation.thread.timeoutInMilliseconds", 1_000, positiveTime());

  /** Whether {@link #TIMEOUT} counts; true by default. */
  public static final Property<Boolean> TIMEOUT_ENABLED =
      DECLARED.flag("execution.timeout.enabled", true);

  /** Whether the thread of work that timed out is interrupted; true by default. */
  public static final Property<Boolean> INTERRUPT_ON_TIMEOUT =
      DECLARED.flag("execution.isolation.thread.interruptOnTimeout", true);

  /**
   * Whether giving up an execution interrupts its thread: by {@code cancel(true)} on its future, by
   * completing its future, by disposing; false by default.
   */
  public static final Property<Boolean> INTERRUPT_ON_FUTURE_CANCEL =
      DECLARED.flag("execution.isolation.thread.interruptOnFutureCancel", false);

  /** Executions in flight on callers' threads; 0 rejects all, 10 by default. */
  public static final Property<Integer> SEMAPHORE_MAX_CONCURRENT =
      DECLARED.count("execution.isolation.semaphore.maxConcurrentRequests", 10, atLeast(0));

  /** Executions in flight on virtual threads; 0 rejects all, 10 by default. */
  public static final Property<Integer> VIRTUAL_THREAD_MAX_CONCURRENT =
      DECLARED.count("execution.isolation.virtualThread.maxConcurrentRequests", 10, atLeast(0));

  /**
   * How long after its deadline or its cancellation an asynchronous stage that does not end keeps
   * its permit; 60 s by default.
   */
  public static final Property<Duration> ABANDON_STAGE_AFTER =
      DECLARED.millis("execution.isolation.stage.abandonAfterInMilliseconds", 60_000, zeroOrMore());

  /**
   * How long the next item of a stream may take after the subscriber requested it; 0, the default,
   * for ever.
   */
  public static final Property<Duration> BETWEEN_ITEMS_TIMEOUT =
      DECLARED.millis("execution.stream.betweenItemsTimeoutInMilliseconds", 0, zeroOrMore());

  /** Fallbacks in flight; 0 rejects all, 10 by default. */
  public static final Property<Integer> FALLBACK_MAX_CONCURRENT =
      DECLARED.count("fallback.isolation.semaphore.maxConcurrentRequests", 10, atLeast(0));

  /** Whether fallbacks run at all; true by default. */
  public static final Property<Boolean> FALLBACK_ENABLED = DECLARED.flag("fallback.enabled", true);

  /** Whether the circuit breaker evaluates the health and decides; true by default. */
  public static final Property<Boolean> BREAKER_ENABLED =
      DECLARED.flag("circuitBreaker.enabled", true);

  /**
   * How many calls of the rolling window must have ended before the circuit may open; 20 by
   * default.
   */
  public static final Property<Integer> REQUEST_VOLUME_THRESHOLD =
      DECLARED.count("circuitBreaker.requestVolumeThreshold", 20, atLeast(1));

  /**
   * The share of errors and slow calls, in per cent, from which the circuit opens; 50 by default.
   */
  public static final Property<Integer> ERROR_THRESHOLD_PERCENTAGE =
      DECLARED.count("circuitBreaker.errorThresholdPercentage", 50, between(1, 100));

  /** How long an open circuit short-circuits before it admits trials; 5 s by default. */
  public static final Property<Duration> SLEEP_WINDOW =
      DECLARED.millis("circuitBreaker.sleepWindowInMilliseconds", 5_000, positiveTime());

  /**
   * Whether the circuit short-circuits every call; false by default. It wins over {@link
   * #FORCE_CLOSED}.
   */
  public static final Property<Boolean> FORCE_OPEN =
      DECLARED.flag("circuitBreaker.forceOpen", false);

  /** Whether the circuit admits every call; false by default. */
  public static final Property<Boolean> FORCE_CLOSED =
      DECLARED.flag("circuitBreaker.forceClosed", false);

  /** Whether the breaker opens, closes and reports, but admits every call; false by default. */
  public static final Property<Boolean> OBSERVE_ONLY =
      DECLARED.flag("circuitBreaker.observeOnly", false);

  /**
   * Trials in flight while the circuit is half-open, and how many of them must succeed to close it;
   * 1 by default.
   */
  public static final Property<Integer> HALF_OPEN_TRIALS =
      DECLARED.count("circuitBreaker.halfOpenTrials", 1, between(1, 64));

  /** From which duration a success counts as trouble for the breaker; 0, the default, for never. */
  public static final Property<Duration> SLOW_CALL =
      DECLARED.millis("circuitBreaker.slowCallDurationInMilliseconds", 0, zeroOrMore());

  /** Whether the rate of calls is limited; false by default. */
  public static final Property<Boolean> RATE_LIMITER_ENABLED =
      DECLARED.flag("rateLimiter.enabled", false);

  /** How many calls may begin in each {@link #RATE_LIMITER_PERIOD}; 100 by default. */
  public static final Property<Integer> RATE_LIMITER_PERMITS =
      DECLARED.count("rateLimiter.permits", 100, atLeast(1));

  /** The time in which {@link #RATE_LIMITER_PERMITS} come, evenly spread; 1 s by default. */
  public static final Property<Duration> RATE_LIMITER_PERIOD =
      DECLARED.millis("rateLimiter.periodInMilliseconds", 1_000, positiveTime());

  /**
   * How many calls may begin at once after a silence; as many as {@link #RATE_LIMITER_PERMITS} if
   * it is unset.
   */
  public static final Property<Integer> RATE_LIMITER_BURST =
      DECLARED.count("rateLimiter.burst", null, atLeast(1));

  /**
   * For how many keys at once a limit by key keeps a rate of their own; the keys beyond share one
   * rate. 1,000 by default.
   */
  public static final Property<Integer> RATE_LIMITER_MAX_KEYS =
      DECLARED.count("rateLimiter.maxKeys", 1_000, between(1, 1_000_000));

  /**
   * Whether calls of a command that has a retry are attempted again; true by default. Without
   * effect on a command that has none.
   */
  public static final Property<Boolean> RETRY_ENABLED = DECLARED.flag("retry.enabled", true);

  /** How many attempts there are at most, the first one included; 2 by default. */
  public static final Property<Integer> RETRY_ATTEMPTS =
      DECLARED.count("retry.attempts", 2, between(1, 100));

  /** The delay before the second attempt, without jitter; it doubles. 50 ms by default. */
  public static final Property<Duration> RETRY_FIRST_DELAY =
      DECLARED.millis("retry.firstDelayInMilliseconds", 50, zeroOrMore());

  /**
   * What no delay between two attempts exceeds, not even the first, unless the failure itself says
   * to wait longer; 1 s by default.
   */
  public static final Property<Duration> RETRY_LONGEST_DELAY =
      DECLARED.millis("retry.longestDelayInMilliseconds", 1_000, zeroOrMore());

  /**
   * How long one attempt of a call may take, from its gates on, waiting for a thread included; 0 by
   * default: as long as its call has time. An attempt that took longer counts as a time-out, and
   * may be retried. Without effect on a command that has no retry.
   */
  public static final Property<Duration> RETRY_ATTEMPT_TIMEOUT =
      DECLARED.millis("retry.attemptTimeoutInMilliseconds", 0, zeroOrMore());

  /**
   * How many retries there may be for a hundred executions of the last ten seconds; 20 by default.
   */
  public static final Property<Integer> RETRY_BUDGET_PERCENT =
      DECLARED.count("retry.budgetPercent", 20, between(0, 100));

  /** How many retries there may be in each second besides; 3 by default. */
  public static final Property<Integer> RETRY_BUDGET_PER_SECOND =
      DECLARED.count("retry.budgetPerSecond", 3, between(0, 1_000));

  /**
   * Whether calls of a command that has a hedge are hedged; true by default. Without effect on a
   * command that has none.
   */
  public static final Property<Boolean> HEDGE_ENABLED = DECLARED.flag("hedge.enabled", true);

  /**
   * How long an attempt's work is out before another one begins beside it; where {@link
   * #HEDGE_PERCENTILE} says how long, no less than this. 50 ms by default.
   */
  public static final Property<Duration> HEDGE_AFTER =
      DECLARED.millis("hedge.afterInMilliseconds", 50, atLeastOneMilli());

  /**
   * A hedge begins after what so many per cent of the command's executions took at most, of late; 0
   * by default: after {@link #HEDGE_AFTER}.
   */
  public static final Property<Integer> HEDGE_PERCENTILE =
      DECLARED.count("hedge.afterPercentile", 0, between(0, 99));

  /** How many hedges a call has at most; 1 by default. */
  public static final Property<Integer> HEDGE_AT_MOST =
      DECLARED.count("hedge.atMost", 1, between(1, 10));

  /**
   * How many hedges there may be for a hundred executions of the last ten seconds; 5 by default.
   */
  public static final Property<Integer> HEDGE_BUDGET_PERCENT =
      DECLARED.count("hedge.budgetPercent", 5, between(0, 100));

  /** How many hedges there may be in each second besides; 1 by default. */
  public static final Property<Integer> HEDGE_BUDGET_PER_SECOND =
      DECLARED.count("hedge.budgetPerSecond", 1, between(0, 1_000));

  /**
   * Whether a call ends by the deadline of the call that it is made in, if that comes before its
   * own, and hands its deadline on to the calls that its work makes; false by default.
   */
  public static final Property<Boolean> DEADLINE_ENABLED = DECLARED.flag("deadline.enabled", false);

  /** The rolling window of the counts; 10 s by default. */
  public static final Property<Duration> ROLLING_WINDOW =
      DECLARED.millis("metrics.rollingStats.timeInMilliseconds", 10_000, atLeastOneMilli());

  /** Into how many buckets {@link #ROLLING_WINDOW} is divided; 10 by default. */
  public static final Property<Integer> ROLLING_BUCKETS =
      DECLARED.count("metrics.rollingStats.numBuckets", 10, between(1, 1_000));

  /** Whether the distribution of latencies is kept; true by default. */
  public static final Property<Boolean> PERCENTILE_ENABLED =
      DECLARED.flag("metrics.rollingPercentile.enabled", true);

  /** The rolling window of the latencies; 60 s by default. */
  public static final Property<Duration> PERCENTILE_WINDOW =
      DECLARED.millis("metrics.rollingPercentile.timeInMilliseconds", 60_000, atLeastOneMilli());

  /** Into how many buckets {@link #PERCENTILE_WINDOW} is divided; 6 by default. */
  public static final Property<Integer> PERCENTILE_BUCKETS =
      DECLARED.count("metrics.rollingPercentile.numBuckets", 6, between(1, 1_000));

  /** Accepted for compatibility, without effect: no bucket is capped. 100 by default. */
  public static final Property<Integer> PERCENTILE_BUCKET_SIZE =
      DECLARED.count("metrics.rollingPercentile.bucketSize", 100, atLeast(1));

  /** The longest the breaker's view of the health may be behind; 500 ms by default. */
  public static final Property<Duration> HEALTH_INTERVAL =
      DECLARED.millis("metrics.healthSnapshot.intervalInMilliseconds", 500, atLeastOneMilli());

  /** Whether the request cache is used; true by default. */
  public static final Property<Boolean> REQUEST_CACHE_ENABLED =
      DECLARED.flag("requestCache.enabled", true);

  /** Whether executions are written into the request log; true by default. */
  public static final Property<Boolean> REQUEST_LOG_ENABLED =
      DECLARED.flag("requestLog.enabled", true);

  /**
   * The pool to use instead of the command's own; unset by default. Only the dynamic property of
   * one command sets it.
   */
  public static final Property<String> THREAD_POOL_KEY_OVERRIDE =
      DECLARED.instanceKey("threadPoolKeyOverride");

  private static final List<Property<?>> ALL = DECLARED.all();

  private CommandProperties() {}

  /** All properties of a command, in the order of their {@linkplain Property#index() indices}. */
  public static List<Property<?>> all() {
    return ALL;
  }
}
