// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.PrintStream;
import picocli.CommandLine.Option;

/** A system from the field as a program: it has a short form, and something that listens. */
public abstract class SystemProgram extends Program {

  @Option(
      names = "--short",
      description = "little load: whether it runs, and all agrees (seconds); no measurement")
  private boolean isShort;

  @Option(
      names = "--demo",
      description = "at most a minute on two cores, and shows the shape in five lines")
  private boolean isDemo;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "where the measured program listens (default: free ports)")
  private int port;

  /** Whether a minute is to show the shape. */
  protected final boolean isDemo() {
    return isDemo;
  }

  /** The form that is wanted: {@code --demo}, {@code --short}, or neither. */
  protected final <F> F form(F demo, F little, F full) {
    if (isDemo && isShort) {
      throw wrong("--demo and --short were given, expected one of them at most");
    }
    return isDemo ? demo : isShort ? little : full;
  }

  /**
   * Prints what stands after the tables, and writes the files.
   *
   * @return the exit code
   * @throws Exception what broke the run off, after all that was measured is written
   */
  protected final int report(ReportWriter report, PrintStream out) throws Exception {
    report.print(out);
    if (isDemo) {
      Summary.lines(out, report.summary());
    } else if (isShort) {
      Summary.noMeasurement(out);
    }
    return report.write(directory(), out);
  }

  /** Where the measured program listens, or 0 for free ports. */
  protected final int port() {
    return require("--port", port, 0, 65_535);
  }
}
