// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import dev.tenrec.benchmarks.contender.Rules;
import dev.tenrec.benchmarks.contender.TenrecContender;
import dev.tenrec.benchmarks.state.AllReached;
import dev.tenrec.core.internal.rate.Rate;
import dev.tenrec.core.internal.rate.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One permit of a rate, the look at the clock included, that has more of them than callers can
 * take: a thousand million a second. And a whole call with such a limit, beside one without.
 */
public class RateLimit extends InNanoseconds {

  private static final int PLENTY = 1_000_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static void require(boolean admitted, String whose) {
    if (!admitted) {
      throw new IllegalStateException(whose + " had no permit left, of plenty");
    }
  }

  /** One word that every caller moves on. */
  @State(Scope.Benchmark)
  public static class Least {
    final AtomicLong word = new AtomicLong();
  }

  /** Ours. */
  @State(Scope.Benchmark)
  public static class OnTenrec {
    final RateLimiter limiter =
        new RateLimiter(new Rate(PLENTY, 1, PLENTY), 1_000, System.nanoTime());

    @TearDown(Level.Trial)
    public void end() {
      require(limiter.take(System.nanoTime()) == RateLimiter.TAKEN, "Tenrec");
    }
  }

  /** Ours, with a rate for each key. */
  @State(Scope.Benchmark)
  public static class OnTenrecByKey extends OnTenrec {
    final Integer[] keys = new Integer[256];

    /** Which key is next; threads may take the same. */
    int next;

    public OnTenrecByKey() {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = i * 7;
      }
    }
  }

  /** Ours, with none left for the next day. */
  @State(Scope.Benchmark)
  public static class SpentOnTenrec {
    final RateLimiter limiter =
        new RateLimiter(new Rate(1, TimeUnit.DAYS.toNanos(1), 1), 1_000, System.nanoTime());

    final long first = limiter.take(System.nanoTime());

    @TearDown(Level.Trial)
    public void end() {
      if (limiter.take(System.nanoTime()) == RateLimiter.TAKEN) {
        throw new IllegalStateException("there was a permit left");
      }
    }
  }

  /** Its atomic one, which is the default. */
  @State(Scope.Benchmark)
  public static class OnResilience4j {
    final io.github.resilience4j.ratelimiter.RateLimiter limiter =
        io.github.resilience4j.ratelimiter.RateLimiter.of(
            "Measured",
            RateLimiterConfig.custom()
                .limitForPeriod(PLENTY)
                .limitRefreshPeriod(SECOND)
                .timeoutDuration(Duration.ZERO)
                .build());

    @TearDown(Level.Trial)
    public void end() {
      require(limiter.acquirePermission(), "Resilience4j");
    }
  }

  /** The bursty one: the smooth one saves no permits up. */
  @State(Scope.Benchmark)
  public static class OnFailsafe {
    final dev.failsafe.RateLimiter<String> limiter =
        dev.failsafe.RateLimiter.<String>burstyBuilder(PLENTY, SECOND).build();

    @TearDown(Level.Trial)
    public void end() {
      require(limiter.tryAcquirePermit(), "Failsafe");
    }
  }

  /** In memory, without lock, by the clock of nanoseconds. */
  @State(Scope.Benchmark)
  public static class OnBucket4j {
    final Bucket bucket =
        Bucket.builder()
            .addLimit(limit -> limit.capacity(PLENTY).refillGreedy(PLENTY, SECOND))
            .withNanosecondPrecision()
            .build();

    @TearDown(Level.Trial)
    public void end() {
      require(bucket.tryConsume(1), "Bucket4j");
    }
  }

  /** A call without limit. */
  public static class OnCommand extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.onCaller(Rules.usual(), work, fallback);
    }
  }

  /** A call with a limit. */
  public static class OnLimitedCommand extends AllReached<TenrecContender> {
    @Override
    protected TenrecContender make(
        UnaryOperator<String> work, Function<Throwable, String> fallback) {
      return TenrecContender.limited(Rules.usual(), PLENTY, work, fallback);
    }
  }

  @Benchmark
  public long floor(Least least) {
    long now = System.nanoTime();
    AtomicLong word = least.word;
    long seen = word.get();
    while (!word.compareAndSet(seen, seen + 1)) {
      seen = word.get();
    }
    return now;
  }

  @Benchmark
  public long tenrec(OnTenrec on) {
    return on.limiter.take(System.nanoTime());
  }

  @Benchmark
  public long tenrecByKey(OnTenrecByKey on) {
    return on.limiter.take(on.keys[on.next++ & 255], System.nanoTime());
  }

  @Benchmark
  public long tenrecSpent(SpentOnTenrec on) {
    return on.limiter.take(System.nanoTime());
  }

  @Benchmark
  public boolean resilience4j(OnResilience4j on) {
    return on.limiter.acquirePermission();
  }

  @Benchmark
  public boolean failsafe(OnFailsafe on) {
    return on.limiter.tryAcquirePermit();
  }

  @Benchmark
  public boolean bucket4j(OnBucket4j on) {
    return on.bucket.tryConsume(1);
  }

  @Benchmark
  public String call(OnCommand on) {
    return on.contender.call(question);
  }

  @Benchmark
  public String callLimited(OnLimitedCommand on) {
    return on.contender.call(question);
  }
}
