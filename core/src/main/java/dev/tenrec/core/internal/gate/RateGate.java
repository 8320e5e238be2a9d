// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.config.RateSettings;
import dev.tenrec.core.internal.rate.Rate;
import dev.tenrec.core.internal.rate.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * The second gate: so many calls begin in a time, and no more. After the breaker, so that what an
 * open circuit refuses spends no permit; before the bulkhead, because a permit of the bulkhead has
 * to be given back, and one of the rate is spent for good.
 *
 * @param limiter counts
 * @param name of the limiter
 * @param isShared whether other commands go by it, too
 */
public record RateGate(RateLimiter limiter, String name, boolean isShared) {

  /** Of a limiter that is made now. */
  public static RateGate of(String name, boolean isShared, RateSettings settings, long nowNanos) {
    return new RateGate(
        new RateLimiter(rate(settings), settings.maxKeys(), nowNanos), name, isShared);
  }

  /** Goes by these settings from now on. */
  public void change(RateSettings settings, long nowNanos) {
    limiter.change(rate(settings), settings.maxKeys(), nowNanos);
  }

  private static Rate rate(RateSettings settings) {
    return new Rate(settings.permits(), settings.intervalNanos(), settings.burst());
  }

  /** Null if the call may begin, else why not. */
  public @Nullable RejectedByRate enter(long nowNanos) {
    long taken = limiter.take(nowNanos);
    return taken == RateLimiter.TAKEN ? null : new RejectedByRate(this, taken);
  }

  /**
   * Null if the call with this key may begin, else why not. Throws what the key's {@code equals}
   * and {@code hashCode} throw.
   */
  public @Nullable RejectedByRate enter(@Nullable Object key, long nowNanos) {
    long taken = limiter.take(key, nowNanos);
    return taken == RateLimiter.TAKEN ? null : new RejectedByRate(this, taken);
  }

  /** How many permits come in each period. */
  public int permits() {
    return limiter.rate().permits();
  }

  /** How many calls without a key could begin now. */
  public int left(long nowNanos) {
    return limiter.left(nowNanos);
  }

  /** How many keys have a rate of their own now. */
  public int keyCount() {
    return limiter.keyCount();
  }
}
