// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.flight;

/** One call that is being recorded: made at its beginning, committed with its answer. */
public interface FlightCall {

  /** It runs a batch for so many members. */
  void batched(int members);

  /** An item of a stream was passed on. By one thread at a time. */
  void item(boolean fallback);

  /**
   * It has its answer.
   *
   * @param events what was counted for it, as names with commas
   * @param executionNanos how long its work took; -1 if that did not begin
   */
  void ended(String command, String group, String isolation, String events, long executionNanos);
}
