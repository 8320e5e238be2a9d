// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.view.PoolView;
import java.util.List;
import java.util.function.Supplier;

/** What there is where the flight recorder is. */
interface Recording {

  /** Whether a recording wants calls. A read or two. */
  boolean wantsCalls();

  FlightCall begin();

  void refused(String command, String reason, String bulkhead, int inUse, int limit);

  void timedOut(String command, long timeoutNanos, long executionNanos);

  void stillBusy(String command, long nanos);

  void journalled(JournalEntry entry);

  /** Has these pools sampled, until they are forgotten. */
  void sample(Supplier<? extends List<? extends PoolView>> pools);

  void forget(Supplier<? extends List<? extends PoolView>> pools);
}
