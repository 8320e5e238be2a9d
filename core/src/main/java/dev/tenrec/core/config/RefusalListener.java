// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/** Receives dynamic values that were refused. */
@FunctionalInterface
public interface RefusalListener {

  /** Does nothing. */
  RefusalListener NONE = refusal -> {};

  /**
   * A value was refused: once when it arrives, not again as long as it stays. Called in the order
   * of the changes and one at a time, on the thread that brought the change, or on another that is
   * reporting at that moment: it should not wait, because later changes, which apply all the same,
   * wait to be reported. What it throws is logged.
   */
  void onRefused(Refusal refusal);
}
