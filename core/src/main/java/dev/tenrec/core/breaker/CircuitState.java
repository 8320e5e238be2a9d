// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

/** What a circuit does with calls. */
public enum CircuitState {
  /** Lets all calls through. */
  CLOSED,
  /** Refuses all calls until the sleep window is over. */
  OPEN,
  /** Lets a few trials through, and waits for what becomes of them. */
  HALF_OPEN
}
