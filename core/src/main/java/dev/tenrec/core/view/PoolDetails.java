// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;

/** A pool of threads with the settings it goes by. Live and thread-safe, as {@link PoolView} is. */
public interface PoolDetails extends PoolView {

  /** The settings in force, in the order of {@code PoolProperties}. */
  List<EffectiveSetting> settings();
}
