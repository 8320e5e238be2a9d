// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/** Receives dynamic values that were refused. */
@FunctionalInterface
public interface RefusalListener {

  /** Does nothing. */
  RefusalListener NONE = refusal -> {};

  /**
   * A value was refused: once when it arrives, not again as long as it stays. Called on the thread
   * that brought the change, while no other change can be applied: it must not wait. What it throws
   * is logged.
   */
  void onRefused(Refusal refusal);
}
