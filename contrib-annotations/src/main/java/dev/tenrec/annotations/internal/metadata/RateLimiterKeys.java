// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.metadata;

import java.time.Duration;

/**
 * The properties of a shared rate limiter as a tree, from which editors complete them below any
 * key. Nothing implements it.
 */
public interface RateLimiterKeys {

  Integer getPermits();

  /** How many calls may begin in each period, of all commands that share it. */
  void setPermits(Integer value);

  Duration getPeriodInMilliseconds();

  /** The period. */
  void setPeriodInMilliseconds(Duration value);

  Integer getBurst();

  /** How many permits may be saved up. */
  void setBurst(Integer value);

  Integer getMaxKeys();

  /** Of a limit by key: how many keys have a rate of their own at once. */
  void setMaxKeys(Integer value);
}
