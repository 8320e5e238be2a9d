// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The settings of a command on a thread pool, from what was measured of its dependency in good
 * health; and, each by a rule of its own, those of its circuit, of permits without a queue, and of
 * a budget of retries. A first guess with a reason: measure again with it in force, and change it
 * live where it does not hold.
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
 * <p>All arithmetic is exact, but that of chances ({@link #permits} and {@link #volumeThreshold}),
 * which is in doubles. Where a setting is a whole number, it is rounded once, from the exact
 * result: threads, buffer and fallback permits up, because a fraction of a busy thread occupies a
 * whole one; the time-out up to whole milliseconds; the error threshold down to whole percent, so
 * that the circuit opens no later than was tolerated, but not below 1; the sleep window and the
 * budget of retries down.
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
  private static final Duration LONGEST_OUTAGE = Duration.ofDays(365);

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
    requireShare("toleratedErrorShare", toleratedErrorShare);
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
    requireShare("toleratedErrorShare", toleratedErrorShare);
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
    requirePerSecond(requestsPerSecond);
    requirePositive("latency", latency);
    BigDecimal busy = requestsPerSecond.multiply(seconds(latency));
    return whole(busy, requestsPerSecond + " requests per second of " + latency + " each");
  }

  /**
   * How many permits a semaphore, or virtual threads, need where nobody waits: the fewest that
   * refuse no more than a share of calls. It is Erlang's loss formula (A. K. Erlang, 1917): with a
   * load of A = λW, and B(0) = 1, c permits refuse B(c) = A B(c-1) / (c + A B(c-1)) of the calls.
   *
   * <p>It assumes that calls come one by one at random (a Poisson process), and that callers who
   * are refused do not call again at once. It does not matter how service times are distributed,
   * but for their mean (B. A. Sevastyanov, 1957). Calls that come in groups need more.
   *
   * @param requestsPerSecond arrivals at the peak, above 0, of all commands that share the permits
   * @param mean what a call takes in good health on average, above 0; not its p99, for the formula
   *     has the room for slow calls in it
   * @param refusedShare which share of calls may find no permit, above 0 and at most 1
   * @throws IllegalArgumentException if an argument is out of its range, or it takes more than ten
   *     million permits
   */
  public static int permits(BigDecimal requestsPerSecond, Duration mean, BigDecimal refusedShare) {
    requirePerSecond(requestsPerSecond);
    requirePositive("mean", mean);
    requireShare("refusedShare", refusedShare);
    return Chances.permits(requestsPerSecond.multiply(seconds(mean)), refusedShare);
  }

  /**
   * The share of retries that a dependency has room for: {@code retry.budgetPercent}. A budget of r
   * lets λ (1 + r) attempts a second through, and the fixed number besides, when up to half of them
   * fail; beyond that the fixed number is all that comes on top. So that they are no more than the
   * dependency can do, r = (capacity - fixed) / λ - 1.
   *
   * <p>It assumes that an attempt that fails costs the dependency as much as one that does not, and
   * that nobody but these callers uses the capacity: if others do, put in these callers' part of
   * it. What is needed is another question: if a share p of attempts fails in good health, calls
   * with two attempts ask for a retry in p of the cases. A result below that says that retries have
   * to be given up at the peak; 0 that the fixed number alone is too much.
   *
   * @param requestsPerSecond calls at the peak, above 0
   * @param capacityPerSecond attempts that the dependency can do, above 0
   * @param budgetPerSecond the fixed number, {@code retry.budgetPerSecond}, of all instances
   *     together; at least 0
   * @return 0 to 100, rounded down
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static int retryBudgetPercent(
      BigDecimal requestsPerSecond, BigDecimal capacityPerSecond, int budgetPerSecond) {
    requirePerSecond(requestsPerSecond);
    require(capacityPerSecond.signum() > 0, "capacityPerSecond", capacityPerSecond, "more than 0");
    require(budgetPerSecond >= 0, "budgetPerSecond", budgetPerSecond, "at least 0");
    BigDecimal room =
        capacityPerSecond.subtract(BigDecimal.valueOf(budgetPerSecond)).subtract(requestsPerSecond);
    return room.movePointRight(2)
        .divide(requestsPerSecond, 0, RoundingMode.FLOOR)
        .max(BigDecimal.ZERO)
        .min(BigDecimal.valueOf(100))
        .intValueExact();
  }

  /**
   * Of how many calls the circuit judges at least: {@code circuitBreaker.requestVolumeThreshold}.
   * The fewest n with e<sup>-n D</sup> at most the chance, where D = t ln(t / p) + (1 - t) ln((1 -
   * t) / (1 - p)), with p for the healthy share of errors and t for the error threshold. This is
   * Hoeffding's bound (W. Hoeffding, "Probability Inequalities for Sums of Bounded Random
   * Variables", 1963), and by Ville's inequality (1939) it holds for all the times together that
   * the circuit looks while its window fills. The chance itself is smaller.
   *
   * <p>It assumes that a healthy dependency's errors come one by one. If slow calls come together,
   * as behind one that blocks, n calls say as much as fewer would. And there have to be so many: a
   * circuit that needs more than calls a second × its window never opens. Then make {@code
   * metrics.rollingStats.timeInMilliseconds} longer, or tolerate more.
   *
   * @param healthyErrorShare which share of calls fails or times out in good health: above 0, and
   *     below the error threshold. A time-out at p99.5 alone makes it 0.005. Of N calls without an
   *     error take 3 / N, which it does not exceed with 95 % confidence
   * @param chance with which it may open by chance, above 0 and below 1, each time that its window
   *     fills: 0.001 is once in a thousand windows
   * @throws IllegalArgumentException if an argument is out of its range, or so near to it that no
   *     number of calls would do
   */
  public int volumeThreshold(BigDecimal healthyErrorShare, BigDecimal chance) {
    BigDecimal threshold = BigDecimal.valueOf(errorThresholdPercentage, 2);
    require(
        healthyErrorShare.signum() > 0 && healthyErrorShare.compareTo(threshold) < 0,
        "healthyErrorShare",
        healthyErrorShare,
        "above 0 and below the error threshold, " + threshold);
    require(
        chance.signum() > 0 && chance.compareTo(BigDecimal.ONE) < 0,
        "chance",
        chance,
        "above 0 and below 1");
    return Chances.volume(healthyErrorShare, threshold, chance);
  }

  /**
   * How long an open circuit lets nothing through: {@code
   * circuitBreaker.sleepWindowInMilliseconds}. A trial that fails takes up to the time-out, and
   * then the window begins anew. An outage ends anywhere in between, so it is noticed half of
   * window and time-out late on average: the window is 2 × share × outage - time-out. An outage
   * then costs 1 / (2 share) trials.
   *
   * <p>It assumes that calls come all the time, that one trial closes the circuit, and that it
   * succeeds as soon as the outage is over. With {@code halfOpenTrials} above 1 add what they take.
   * A circuit that opens by rejections while the dependency is well has no outage: its window is
   * time in which calls are refused that could have been served.
   *
   * @param outage how long one usually lasts, above 0
   * @param lateShare which share of that it may be noticed late on average, above 0 and at most 1
   * @return a millisecond at least; rounded down to whole ones
   * @throws IllegalArgumentException if an argument is out of its range, or trials alone take
   *     longer than that: then the time-out, or the share, has to be another one
   */
  public Duration sleepWindow(Duration outage, BigDecimal lateShare) {
    require(
        outage.compareTo(Duration.ZERO) > 0 && outage.compareTo(LONGEST_OUTAGE) <= 0,
        "outage",
        outage,
        "more than 0 and at most " + LONGEST_OUTAGE);
    requireShare("lateShare", lateShare);
    BigDecimal apart = seconds(outage).multiply(lateShare).multiply(BigDecimal.valueOf(2));
    BigDecimal millis = apart.subtract(seconds(timeout)).movePointRight(3);
    require(
        millis.compareTo(BigDecimal.ONE) >= 0,
        "lateShare",
        lateShare,
        "a share of " + outage + " that is longer than half of the time-out, " + timeout);
    return Duration.ofMillis(millis.setScale(0, RoundingMode.FLOOR).longValueExact());
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

  private static void requirePerSecond(BigDecimal requests) {
    require(requests.signum() > 0, "requestsPerSecond", requests, "more than 0");
  }

  private static void requireShare(String name, BigDecimal share) {
    require(
        share.signum() > 0 && share.compareTo(BigDecimal.ONE) <= 0,
        name,
        share,
        "above 0 and at most 1");
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }
}
