// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.config.EffectiveSetting;
import java.util.List;

/** A rate limiter that several commands share. Live and thread-safe. */
public interface RateLimiterDetails {

  /** By which they share it. */
  String name();

  /** How many calls could begin now, of those without a key. */
  int available();

  /** How many keys have a rate of their own now. */
  int keys();

  /** The settings in force, in the order of {@code RateLimiterProperties}. */
  List<EffectiveSetting> settings();
}
