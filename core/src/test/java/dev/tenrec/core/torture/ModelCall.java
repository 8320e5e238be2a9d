// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.List;

/** A call as {@link ModelCommand} has it. */
final class ModelCall {

  static final long NEVER = Long.MAX_VALUE;

  final int number;
  final long deadline;

  /** Whether its fallback may run: settings are those of a call's beginning. */
  final boolean fallbackEnabled;

  /** A trial's number, or what {@code ModelBreaker} says of other calls. */
  final int permission;

  /** Which of the closed circuit's times it began in. */
  final int closedPeriod;

  /** Whether its work has begun. */
  boolean begun;

  /** Whether its caller has gone, and its work has not stopped. */
  boolean abandonedRunning;

  /** What it ended with, in any order; empty before that. */
  final List<EventType> events = new ArrayList<>();

  ModelCall(int number, long deadline, boolean fallbackEnabled, int permission, int closedPeriod) {
    this.number = number;
    this.deadline = deadline;
    this.fallbackEnabled = fallbackEnabled;
    this.permission = permission;
    this.closedPeriod = closedPeriod;
  }

  boolean isAnswered() {
    return !events.isEmpty();
  }
}
