// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.MarkdownTable;
import java.io.PrintStream;
import java.util.Locale;

/** One line for each cell, as a Markdown table, so that it can be shown as it was printed. */
final class Table {

  private final MarkdownTable table;

  Table(PrintStream out) {
    this.table =
        new MarkdownTable(
            out,
            "heap MB | delay ms | engine | users | sent | answered | failed | refused | never sent"
                + " | answers/s | mean ms, since sent | mean ms, since intended | p99 ms, since intended"
                + " | most in flight, driver / service | threads | memory MB | remark");
  }

  void row(Cell cell, Figures figures) {
    String known =
        String.format(
            Locale.ROOT,
            "%d | %d | %s | %d",
            cell.heapMegabytes(),
            cell.delayMillis(),
            cell.engineName(),
            cell.users());
    String measured =
        figures.isMeasured()
            ? String.format(
                Locale.ROOT,
                " | %d | %d | %d | %d | %d | %.0f | %.1f | %.1f | %.1f | %d / %d | %d | %d",
                figures.count("sent"),
                figures.count("answered"),
                figures.count("failed"),
                figures.count("refused"),
                figures.count("neverSent"),
                figures.value("perSecond"),
                figures.value("sinceSentMeanMillis"),
                figures.value("sinceIntendedMeanMillis"),
                figures.value("sinceIntendedP99Millis"),
                figures.count("mostInFlight"),
                figures.count("serviceMostInFlight"),
                figures.count("threads"),
                figures.count("residentMegabytes"))
            : " | -".repeat(12);
    table.row(known + measured + " | " + figures.remark());
  }
}
