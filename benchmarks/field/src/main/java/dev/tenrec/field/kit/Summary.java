// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.PrintStream;
import java.util.List;

/** What stands last: five lines that say what a demo showed, or that a run was no measurement. */
public final class Summary {

  private static final int LINES = 5;

  private Summary() {}

  /** What the shapes came to that were measured, a line each. */
  public static List<String> of(List<Shape> shapes) {
    return shapes.stream()
        .filter(shape -> shape.here().isMeasured() && !shape.shape().isEmpty())
        .map(shape -> shape.shape() + ": " + shape.here().text() + " [" + shape.ratio() + "]")
        .toList();
  }

  /** Prints the first five lines; says so if there is none. */
  public static void lines(PrintStream out, List<String> lines) {
    out.println();
    out.println("In short:");
    if (lines.isEmpty()) {
      out.println("  nothing was measured");
    }
    lines.stream().limit(LINES).forEach(line -> out.println("  " + line));
  }

  /** Says of a short form that its figures mean nothing. */
  public static void noMeasurement(PrintStream out) {
    out.println();
    out.println("Short form: whether it runs, and all agrees. Its figures are no measurement.");
  }
}
