// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandTotals;
import org.jspecify.annotations.Nullable;

/** Where the numbers of a command come from: live, or one reading of all that has several. */
public final class CommandReader {

  /** What several series are made of, so that a scrape asks for it once. */
  private record Reading(
      CommandTotals totals, CircuitState circuit, TransitionTally.Counts transitions) {}

  private final CommandDetails details;
  private final TransitionTally transitions;
  private final @Nullable Reading read;

  private CommandReader(
      CommandDetails details, TransitionTally transitions, @Nullable Reading read) {
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
    return new CommandReader(
        details,
        transitions,
        new Reading(details.totals(), details.circuitState(), transitions.read()));
  }

  /** The command. */
  public CommandDetails details() {
    return details;
  }

  /** All that it has counted. */
  public CommandTotals totals() {
    return read == null ? details.totals() : read.totals();
  }

  long count(EventType event) {
    return read == null ? details.cumulativeCount(event) : read.totals().events().get(event);
  }

  long wouldRefuse() {
    return read == null ? details.cumulativeWouldRefuseCount() : read.totals().wouldRefuse();
  }

  long abandoned() {
    return read == null ? details.cumulativeAbandonedCount() : read.totals().abandoned();
  }

  CircuitState circuitState() {
    return read == null ? details.circuitState() : read.circuit();
  }

  long transitions(TransitionReason reason) {
    return countedTransitions().of(reason);
  }

  long missedTransitions() {
    return countedTransitions().missed();
  }

  private TransitionTally.Counts countedTransitions() {
    return read == null ? transitions.read() : read.transitions();
  }
}
