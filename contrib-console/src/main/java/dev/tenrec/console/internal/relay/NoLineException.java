// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

/** An instance's console was not opened; the message is for the page that asked for it. */
public final class NoLineException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;

  NoLineException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** For the page that asked. */
  public String words() {
    return String.valueOf(getMessage());
  }
}
