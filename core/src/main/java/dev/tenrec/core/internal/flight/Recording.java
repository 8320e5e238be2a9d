// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import dev.tenrec.core.view.JournalEntry;

/** What there is once the flight recorder was started. */
interface Recording {

  /** Whether a recording wants calls. A read or two. */
  boolean wantsCalls();

  FlightCall begin();

  void refused(String command, String reason, String bulkhead, int inUse, int limit);

  void timedOut(String command, long timeoutNanos, long executionNanos);

  void beyondDeadline(String command, long executionNanos);

  void stillBusy(String command, long nanos);

  void journalled(JournalEntry entry);
}
