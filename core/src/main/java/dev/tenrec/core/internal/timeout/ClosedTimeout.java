// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

/**
 * A node of the timer that has something to end when its Tenrec closes and the timer forgets it.
 */
public interface ClosedTimeout {

  /** On the closing thread: ends what waits for the deadline. Runs no user code. */
  void closed();
}
