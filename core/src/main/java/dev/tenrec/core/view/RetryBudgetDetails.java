// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.config.EffectiveSetting;
import java.util.List;

/** A budget of further attempts that several commands share. Live and thread-safe. */
public interface RetryBudgetDetails {

  /** By which they share it. */
  String name();

  /** How many retries and hedges were drawn on it in the last ten seconds. */
  int spent();

  /** How many more could be drawn now. */
  int available();

  /** The keys of the commands that share it now. */
  List<String> commands();

  /** The settings in force, in the order of {@code RetryBudgetProperties}. */
  List<EffectiveSetting> settings();
}
