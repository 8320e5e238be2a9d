// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

/** What acts on what a {@link StreamBridge} has decided. Never called under its monitor. */
interface StreamBridgeOwner {

  /** An item has come, and listeners are notified before it is passed on, if it still is. */
  void reports(boolean fallbacks, Object item);

  /** An item is about to be passed on. */
  void passes(boolean fallbacks);

  /** An item came later than its limit and is dropped. By the thread that brought it. */
  void cameLate();

  /** The subscriber has cancelled. */
  void cancelled();

  /** The subscriber broke the rules. */
  void misused(Throwable how);

  /** Here is no room on the stack for the last word: has it said on another thread. */
  void settlesApart(Runnable lastWord);

  /** A limit may pass at this time. */
  void watch(long deadlineNanos);
}
