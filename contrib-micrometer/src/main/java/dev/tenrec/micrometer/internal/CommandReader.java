// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandTotals;
import org.jspecify.annotations.Nullable;

/** Where the numbers of a command come from: live, or one reading of all that is counted. */
public final class CommandReader {

  private final CommandDetails details;
  private final TransitionTally transitions;
  private final @Nullable CommandTotals read;

  private CommandReader(
      CommandDetails details, TransitionTally transitions, @Nullable CommandTotals read) {
    this.details = details;
    this.transitions = transitions;
    this.read = read;
  }

  /** Reads the moment of each question. */
  public static CommandReader live(CommandDetails details) {
    return new CommandReader(details, new TransitionTally(details::transitions), null);
  }

  /** The same command with what it has counted up to now: for a scrape, which asks everything. */
  public CommandReader now() {
    return new CommandReader(details, transitions, details.totals());
  }

  /** The command. */
  public CommandDetails details() {
    return details;
  }

  /** All that it has counted. */
  public CommandTotals totals() {
    return read == null ? details.totals() : read;
  }

  long count(EventType event) {
    return read == null ? details.cumulativeCount(event) : read.events().get(event);
  }

  long wouldRefuse() {
    return read == null ? details.cumulativeWouldRefuseCount() : read.wouldRefuse();
  }

  long abandoned() {
    return read == null ? details.cumulativeAbandonedCount() : read.abandoned();
  }

  long transitions(TransitionReason reason) {
    return transitions.count(reason);
  }

  long missedTransitions() {
    return transitions.missed();
  }
}
