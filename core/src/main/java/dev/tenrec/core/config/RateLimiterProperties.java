// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a rate limiter that several commands share, {@code <prefix>.ratelimiter.<name
 * or default>.<name>}.
 */
public final class RateLimiterProperties {

  private static final Declarations DECLARED = new Declarations("ratelimiter");

  /** How many calls may begin in each {@link #PERIOD}; 100 by default. */
  public static final Property<Integer> PERMITS = DECLARED.count("permits", 100, Rule.atLeast(1));

  /** The time in which {@link #PERMITS} come, evenly spread; 1 s by default. */
  public static final Property<Duration> PERIOD =
      DECLARED.millis("periodInMilliseconds", 1_000, Rule.positiveTime());

  /** How many calls may begin at once after a silence; as many as {@link #PERMITS} if unset. */
  public static final Property<Integer> BURST = DECLARED.count("burst", null, Rule.atLeast(1));

  /**
   * For how many keys at once a limit by key keeps a rate of their own; the keys beyond share one
   * rate. 1,000 by default.
   */
  public static final Property<Integer> MAX_KEYS =
      DECLARED.count("maxKeys", 1_000, Rule.between(1, 1_000_000));

  private static final List<Property<?>> ALL = DECLARED.all();

  private RateLimiterProperties() {}

  /**
   * All properties of a shared rate limiter, in the order of their {@linkplain Property#index()
   * indices}.
   */
  public static List<Property<?>> all() {
    return ALL;
  }
}
