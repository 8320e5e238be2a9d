// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.metrics.view.CommandView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command with all that an operator asks: beside its numbers what happened to it, and the
 * settings it goes by. Live and thread-safe, as {@link CommandView} is; there is one object for
 * each command, and it stays readable when the command is removed.
 */
public interface CommandDetails extends CommandView {

  /** The last 16 transitions of its circuit, oldest first, each with its reason and numbers. */
  List<Transition> transitions();

  /**
   * From when on an open circuit lets a trial through, by the sleep window in force; null if it is
   * not open by itself.
   */
  @Nullable Instant nextTrialAt();

  /**
   * Whether the circuit would let a call through now, by what it has seen so far, be it as a trial:
   * also while it is open, once the sleep window is over. Asking changes nothing, so that several
   * may be told of the same trial.
   */
  boolean isCallAllowed();

  /**
   * What happened to it, oldest first: its circuit, its settings, and calls that were refused or
   * timed out. Bounded: the last 16 records of calls, and of the rest what is left of it among the
   * last 1,000 of the whole Tenrec.
   */
  List<JournalEntry> journal();

  /**
   * The last calls that were refused or timed out, oldest first: at most 16, one for each reason
   * and health interval. What an open circuit refuses is not among them.
   */
  List<JournalEntry> lastTrouble();

  /** The settings in force, in the order of {@code CommandProperties}. */
  List<EffectiveSetting> settings();

  /**
   * Why calls were refused or timed out lately, and what would change it: sentences with numbers,
   * one a line. The same text wherever it is shown.
   */
  String explain();
}
