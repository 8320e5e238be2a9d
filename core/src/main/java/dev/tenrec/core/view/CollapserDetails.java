// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.metrics.view.CollapserView;
import java.util.List;

/** A collapser with the settings it goes by. Live and thread-safe, as {@link CollapserView} is. */
public interface CollapserDetails extends CollapserView {

  /** The settings in force, in the order of {@code CollapserProperties}. */
  List<EffectiveSetting> settings();
}
