// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.internal.config.CodeSettings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many calls of a command may begin in a time. Permits come one by one, evenly spread over the
 * period, and as many as the burst are saved up while no call comes. A call that finds no permit is
 * refused at once, with the time until the next one. A permit is spent when the call begins, and
 * does not come back, whatever becomes of the call. Values; each method returns a changed copy.
 *
 * <p>What is chosen here ranks below the dynamic properties of the command or the rate limiter: an
 * operator can change all of it while it runs. Permits that are spent stay spent then.
 */
public final class RateLimit {

  private final int permits;
  private final Duration period;
  private final @Nullable Integer burst;
  private final @Nullable String sharedName;

  private RateLimit(
      int permits, Duration period, @Nullable Integer burst, @Nullable String sharedName) {
    this.permits = permits;
    this.period = period;
    this.burst = burst;
    this.sharedName = sharedName;
  }

  /**
   * So many permits in each period, and as many saved up at most.
   *
   * @param permits how many, 1 or more; checked when the command is given it
   * @param period in which time, more than 0; the time from one permit to the next, rounded up to a
   *     whole nanosecond, is the period divided by the permits
   */
  public static RateLimit of(int permits, Duration period) {
    return new RateLimit(permits, Objects.requireNonNull(period, "period"), null, null);
  }

  /** How many calls may begin at once after a silence, 1 or more. Default: a period's permits. */
  public RateLimit burst(int calls) {
    return new RateLimit(permits, period, calls, sharedName);
  }

  /**
   * The rate limiter of this name, shared with whatever else names it; its dynamic properties are
   * {@code tenrec.ratelimiter.<name>.permits} and so on.
   */
  public RateLimit shared(String name) {
    return new RateLimit(permits, period, burst, Objects.requireNonNull(name, "name"));
  }

  @Nullable String sharedName() {
    return sharedName;
  }

  CodeSettings settings(String name) {
    CodeSettings.Builder settings =
        CodeSettings.rateLimiter()
            .of(name)
            .set(RateLimiterProperties.PERMITS, permits)
            .set(RateLimiterProperties.PERIOD, period);
    if (burst != null) {
      settings.set(RateLimiterProperties.BURST, burst);
    }
    return settings.build();
  }

  /** Adds what this means for the command's own settings. */
  void addTo(CodeSettings.Builder command) {
    command
        .set(CommandProperties.RATE_LIMITER_ENABLED, true)
        .set(CommandProperties.RATE_LIMITER_PERMITS, permits)
        .set(CommandProperties.RATE_LIMITER_PERIOD, period);
    if (burst != null) {
      command.set(CommandProperties.RATE_LIMITER_BURST, burst);
    }
  }
}
