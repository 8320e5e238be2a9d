// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** The engine does not let this session do that. */
public final class StoreAccessDeniedException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** With what was wrong and where. */
  public StoreAccessDeniedException(String message) {
    super(message);
  }

  /** With what was wrong and where, and what the engine threw. */
  public StoreAccessDeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
