// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.EffectiveSetting;
import java.util.List;

/** Reads the settings in force, with the level each comes from. */
@FunctionalInterface
public interface EffectiveReader {

  /** All of them, in the order they were declared. Waits for a change that is being applied. */
  List<EffectiveSetting> effective();
}
