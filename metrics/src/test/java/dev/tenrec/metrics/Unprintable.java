// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import java.io.PrintStream;

/** An exception that no logger can print. */
public final class Unprintable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  @Override
  public String getMessage() {
    throw new IllegalStateException("of the logger");
  }

  @Override
  public String toString() {
    throw new IllegalStateException("of the logger");
  }

  @Override
  public void printStackTrace(PrintStream to) {
    throw new IllegalStateException("of the logger");
  }
}
