// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import picocli.CommandLine.Option;

/** A system from the field as a program: it has a short form, and something that listens. */
public abstract class SystemProgram extends Program {

  @Option(
      names = "--short",
      description = "little load: whether it runs, and all agrees (seconds, not minutes)")
  private boolean isShort;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "where the measured program listens (default: free ports)")
  private int port;

  /** Whether little load is wanted. */
  protected final boolean isShort() {
    return isShort;
  }

  /** Where the measured program listens, or 0 for free ports. */
  protected final int port() {
    return require("--port", port, 0, 65_535);
  }
}
