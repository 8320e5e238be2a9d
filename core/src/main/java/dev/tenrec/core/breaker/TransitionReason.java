// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

/** Why a circuit changed its state. There are no other reasons. */
public enum TransitionReason {
  /** Closed to open: enough calls, and enough trouble among them. */
  THRESHOLD_REACHED,
  /** Open to half-open: a call came after the sleep window, and is the first trial. */
  SLEEP_WINDOW_OVER,
  /** Half-open to open. */
  TRIAL_FAILED,
  /** Half-open to closed. */
  TRIALS_SUCCEEDED,
  /** Open or half-open to closed, because an operator said so. */
  CLOSED_BY_HAND
}
