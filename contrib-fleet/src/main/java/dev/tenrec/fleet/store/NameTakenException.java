// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.store;

/** Another session has announced this name. */
public final class NameTakenException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** With what was wrong and where. */
  public NameTakenException(String message) {
    super(message);
  }

  /** With what was wrong and where, and what the engine threw. */
  public NameTakenException(String message, Throwable cause) {
    super(message, cause);
  }
}
