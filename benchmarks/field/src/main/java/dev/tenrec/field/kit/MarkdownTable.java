// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.PrintStream;

/** A Markdown table, printed row by row as they come, so that it can be shown as it was printed. */
public final class MarkdownTable {

  private final PrintStream out;

  /**
   * Prints its head.
   *
   * @param names of the columns, with bars between them
   */
  public MarkdownTable(PrintStream out, String names) {
    this.out = out;
    row(names);
    out.println("|" + "---|".repeat(names.split("\\|").length));
  }

  /**
   * Prints a row.
   *
   * @param cells with bars between them
   */
  public void row(String cells) {
    out.println("| " + cells + " |");
    out.flush();
  }
}
