// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** A store did not do what it was asked. */
public class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With what was wrong and where. */
  public StoreException(String message) {
    super(message);
  }

  /** With what was wrong and where, and what the engine threw. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
