// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** What a write is based on has changed meanwhile; nothing was written. */
public final class StaleWriteException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** With what was wrong and where. */
  public StaleWriteException(String message) {
    super(message);
  }

  /** With what was wrong and where, and what the engine threw. */
  public StaleWriteException(String message, Throwable cause) {
    super(message, cause);
  }
}
