// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.config.EffectiveSetting;
import java.util.List;

/** A semaphore that several commands share. Live and thread-safe. */
public interface SemaphoreDetails {

  /** The name by which they share it. */
  String name();

  /** Permits that are taken now, by executions of all its commands. */
  int inUse();

  /** How many there may be. */
  int limit();

  /** The settings in force, in the order of {@code SemaphoreProperties}. */
  List<EffectiveSetting> settings();
}
