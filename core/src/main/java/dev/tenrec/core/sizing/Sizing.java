// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The settings of a command on a thread pool, from what was measured of its dependency in good
 * health. A first guess with a reason: measure again with it in force, and change it live where it
 * does not hold.
 *
 * <p>The number of threads is Little's law (J. D. C. Little, "A Proof for the Queuing Formula: L =
 * λW", Operations Research 9, 1961): as many calls are in flight as arrive in the time one of them
 * takes. Taking the 99th percentile for that time leaves room for slow moments. The rest are rules
 * of thumb from the field: a quarter more threads as a buffer, a queue as long as the pool has core
 * threads, a time-out at the 99.5th percentile, and as many fallbacks at once as the tolerated
 * share of the pool.
 *
 * <p>The rules assume a dependency with room to spare at that rate, work that stops when it times
 * out, and callers that do not call again at once when they get a fallback. Where callers saturate
 * the dependency they are wrong: far more than one call in two hundred takes longer than p99.5, so
 * calls time out and the circuit opens. Measured at such a load, most answers came from the
 * fallback, and fewer from the dependency than without a command. Look at the share of fallbacks
 * after the change.
 *
 * <p>All arithmetic is exact. Where a setting is a whole number, it is rounded once, from the exact
 * result: threads, buffer and fallback permits up, because a fraction of a busy thread occupies a
 * whole one; the time-out up to whole milliseconds; the error threshold down to whole percent, so
 * that the circuit opens no later than was tolerated, but not below 1.
 *
 * @param coreSize {@code coreSize}: arrivals per second times p99
 * @param maximumSize {@code maximumSize}, with {@code allowMaximumSizeToDivergeFromCoreSize}: the
 *     core and a buffer of 2/8 of it
 * @param queueSize {@code maxQueueSize} and {@code queueSizeRejectionThreshold}: the core
 * @param timeout {@code execution.isolation.thread.timeoutInMilliseconds}: p99.5
 * @param fallbackPermits {@code fallback.isolation.semaphore.maxConcurrentRequests}: the maximum
 *     times the tolerated share
 * @param errorThresholdPercentage {@code circuitBreaker.errorThresholdPercentage}: the tolerated
 *     share
 * @param toleratedErrorShare what the last two came from, above 0 and at most 1
 */
public record Sizing(
    int coreSize,
    int maximumSize,
    int queueSize,
    Duration timeout,
    int fallbackPermits,
    int errorThresholdPercentage,
    BigDecimal toleratedErrorShare) {

  private static final BigDecimal BUFFER_SHARE = new BigDecimal("0.25"); // 2/8

  /**
   * Checks that the values fit together. {@link #of} is the usual way to one.
   *
   * @throws IllegalArgumentException if a number is below 1, the maximum below the core, the
   *     time-out not positive, or the percentage or the share out of its range
   */
  public Sizing {
    require(coreSize >= 1, "coreSize", coreSize, "at least 1");
    require(maximumSize >= coreSize, "maximumSize", maximumSize, "at least coreSize, " + coreSize);
    require(queueSize >= 1, "queueSize", queueSize, "at least 1");
    requirePositive("timeout", timeout);
    require(fallbackPermits >= 1, "fallbackPermits", fallbackPermits, "at least 1");
    require(
        errorThresholdPercentage >= 1 && errorThresholdPercentage <= 100,
        "errorThresholdPercentage",
        errorThresholdPercentage,
        "1 to 100");
    requireShare(toleratedErrorShare);
    toleratedErrorShare = toleratedErrorShare.stripTrailingZeros(); // 0.10 is 0.1
  }

  /**
   * By the rules.
   *
   * @param requestsPerSecond arrivals at the peak, above 0; as a decimal, because {@code 854.2} is
   *     none of {@code double}'s numbers
   * @param p99 the 99th percentile of the healthy latency, above 0
   * @param p995 the 99.5th, not below p99; the time-out, if callers can bear it
   * @param toleratedErrorShare which share of calls may fail, above 0 and at most 1: {@code 0.10}
   *     for 10 %
   * @throws IllegalArgumentException if an argument is out of its range, or a pool would need more
   *     threads than an int can count
   */
  public static Sizing of(
      BigDecimal requestsPerSecond, Duration p99, Duration p995, BigDecimal toleratedErrorShare) {
    requirePositive("p99", p99);
    requirePositive("p995", p995);
    require(p995.compareTo(p99) >= 0, "p995", p995, "not below p99, " + p99);
    requireShare(toleratedErrorShare);
    BigDecimal percent = toleratedErrorShare.movePointRight(2);
    int threshold = Math.max(1, percent.setScale(0, RoundingMode.FLOOR).intValueExact());
    int core = threads(requestsPerSecond, p99);
    int maximum = withBuffer(core);
    return new Sizing(
        core,
        maximum,
        core,
        wholeMillis(p995),
        share(maximum, toleratedErrorShare),
        threshold,
        toleratedErrorShare);
  }

  /**
   * Little's law: how many threads are busy when so many calls arrive and each takes so long;
   * rounded up.
   *
   * @param requestsPerSecond above 0
   * @param latency above 0
   * @throws IllegalArgumentException if one is not, or the result is more than an int can count
   */
  public static int threads(BigDecimal requestsPerSecond, Duration latency) {
    require(requestsPerSecond.signum() > 0, "requestsPerSecond", requestsPerSecond, "more than 0");
    requirePositive("latency", latency);
    BigDecimal busy = requestsPerSecond.multiply(seconds(latency));
    return whole(busy, requestsPerSecond + " requests per second of " + latency + " each");
  }

  /**
   * The same with another core, usually a rounder one: buffer, queue and fallbacks follow it.
   *
   * @param threads not below this core, which Little's law says is busy at the peak
   * @throws IllegalArgumentException if it is
   */
  public Sizing withCoreSize(int threads) {
    require(threads >= coreSize, "coreSize", threads, "at least the computed " + coreSize);
    int maximum = withBuffer(threads);
    return new Sizing(
        threads,
        maximum,
        threads,
        timeout,
        share(maximum, toleratedErrorShare),
        errorThresholdPercentage,
        toleratedErrorShare);
  }

  /**
   * The same with another maximum, for a pool so small that a quarter is no buffer: the fallbacks
   * follow it.
   *
   * @param threads not below the core
   * @throws IllegalArgumentException if it is
   */
  public Sizing withMaximumSize(int threads) {
    require(threads >= coreSize, "maximumSize", threads, "at least coreSize, " + coreSize);
    return new Sizing(
        coreSize,
        threads,
        queueSize,
        timeout,
        share(threads, toleratedErrorShare),
        errorThresholdPercentage,
        toleratedErrorShare);
  }

  private static int withBuffer(int core) {
    BigDecimal buffer = BigDecimal.valueOf(core).multiply(BUFFER_SHARE);
    return whole(
        buffer.setScale(0, RoundingMode.CEILING).add(BigDecimal.valueOf(core)),
        "a core of " + core + " and its buffer");
  }

  private static int share(int maximum, BigDecimal share) {
    return whole(share.multiply(BigDecimal.valueOf(maximum)), share + " of " + maximum);
  }

  private static int whole(BigDecimal threads, String what) {
    BigDecimal rounded = threads.setScale(0, RoundingMode.CEILING);
    if (rounded.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          what + " need " + rounded.toPlainString() + " threads, expected at most 2147483647");
    }
    return rounded.intValueExact();
  }

  private static BigDecimal seconds(Duration time) {
    return BigDecimal.valueOf(time.toSeconds()).add(BigDecimal.valueOf(time.toNanosPart(), 9));
  }

  private static Duration wholeMillis(Duration time) {
    Duration millis = time.truncatedTo(ChronoUnit.MILLIS);
    return millis.equals(time) ? time : millis.plusMillis(1);
  }

  private static void requirePositive(String name, Duration time) {
    require(!time.isNegative() && !time.isZero(), name, time, "more than 0");
  }

  private static void requireShare(BigDecimal share) {
    require(
        share.signum() > 0 && share.compareTo(BigDecimal.ONE) <= 0,
        "toleratedErrorShare",
        share,
        "above 0 and at most 1");
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }
}
