// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many calls may begin, of one command or of all that share a rate limiter.
 *
 * @param permits how many in each period
 * @param periodNanos the period, at least as many nanoseconds as permits
 * @param burst how many at once after a silence
 * @param maxKeys for how many keys there is a rate of their own
 */
public record RateSettings(int permits, long periodNanos, int burst, int maxKeys) {

  /** How long it may take until all permits of a burst are there again: deadlines stay in range. */
  private static final long LONGEST_REFILL_NANOS = Duration.ofDays(365).toNanos();

  /** What is configured of a rate limiter that several commands share. */
  static final Scope<RateSettings> SCOPE =
      new Scope<>(
          new PropertyTable(RateLimiterProperties.all()),
          List.of(
              notFaster(RateLimiterProperties.PERMITS, RateLimiterProperties.PERIOD),
              refilledInTime(
                  RateLimiterProperties.BURST,
                  RateLimiterProperties.PERMITS,
                  RateLimiterProperties.PERIOD)),
          values ->
              of(
                  values,
                  RateLimiterProperties.PERMITS,
                  RateLimiterProperties.PERIOD,
                  RateLimiterProperties.BURST,
                  RateLimiterProperties.MAX_KEYS));

  static RateSettings of(
      Values values,
      Property<Integer> permits,
      Property<Duration> period,
      Property<Integer> burst,
      Property<Integer> maxKeys) {
    return new RateSettings(
        values.get(permits),
        values.nanos(period),
        burst(values, burst, permits),
        values.get(maxKeys));
  }

  /** From one permit to the next, rounded up: never more permits than were asked for. */
  public long intervalNanos() {
    return intervalNanos(permits, periodNanos);
  }

  private static long intervalNanos(int permits, long periodNanos) {
    return (periodNanos + permits - 1) / permits;
  }

  private static int burst(Values values, Property<Integer> burst, Property<Integer> permits) {
    @Nullable Integer own = values.find(burst);
    return own != null ? own : values.get(permits);
  }

  /** The clock has no time between two nanoseconds. */
  static CrossRule notFaster(Property<Integer> permits, Property<Duration> period) {
    return new CrossRule(
        permits.name() + " must not be more than one for each nanosecond of " + period.name(),
        List.of(permits, period),
        values -> values.get(permits) <= values.nanos(period));
  }

  /** A burst that is spent has to come back some day. */
  static CrossRule refilledInTime(
      Property<Integer> burst, Property<Integer> permits, Property<Duration> period) {
    return new CrossRule(
        burst.name()
            + " must be there again within 365 days, at "
            + permits.name()
            + " for each "
            + period.name(),
        List.of(burst, permits, period),
        values ->
            burst(values, burst, permits)
                <= LONGEST_REFILL_NANOS / intervalNanos(values.get(permits), values.nanos(period)));
  }
}
