// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** The engine cannot be reached, or was lost; what a write did is unknown. */
public final class StoreUnavailableException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** With what was wrong and where. */
  public StoreUnavailableException(String message) {
    super(message);
  }

  /** With what was wrong and where, and what the engine threw. */
  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
