// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.MarkdownTable;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line for each method of each point, as a Markdown table for each part of the run. */
final class Table {

  private static final Map<Part, String> TITLES =
      Map.of(
          Part.SWEEP, "Threads and queue of a fixed pool",
          Part.KINDS, "Four kinds of pool, which differ in size too",
          Part.IMPATIENT, "The smallest pool, and callers that call again at once when refused",
          Part.MIXED, "A fast and a slow method at once, 50 users each");

  private final PrintStream out;
  private @Nullable Part part;
  private @Nullable MarkdownTable table;

  Table(PrintStream out) {
    this.out = out;
  }

  void rows(Measured measured) {
    MarkdownTable rows = table;
    if (rows == null || part != measured.point().part()) {
      part = measured.point().part();
      rows = head(TITLES.getOrDefault(part, ""));
      table = rows;
    }
    for (Method method : measured.results().keySet()) {
      rows.row(row(measured, method));
    }
  }

  private MarkdownTable head(String title) {
    out.println();
    out.println(title + ":");
    out.println();
    return new MarkdownTable(
        out,
        "method | pool | threads there were | answers/s | refusals/s | mean ms | p99 ms | CPU %"
            + " | CPU µs an answer | runnable threads | most at the store | sent | answered"
            + " | refused | failed");
  }

  private static String row(Measured measured, Method method) {
    return String.format(
        Locale.ROOT,
        "%s | %s%s | %d | %.0f | %.0f | %.2f | %.2f | %.0f | %.0f | %.1f | %d | %d | %d | %d"
            + " | %d",
        method.key(),
        measured.point().pool(method),
        measured.point().own().containsKey(method) ? " (its own)" : "",
        measured.threads(method),
        measured.perSecond(method),
        measured.refusedPerSecond(method),
        measured.result(method).sinceIntended().meanMillis(),
        measured.p99Millis(method),
        measured.cpuPercent(),
        measured.cpuMicrosPerAnswer(),
        measured.runnable(),
        measured.mostAtStore(method),
        measured.counts(method).sent(),
        measured.counts(method).answered(),
        measured.counts(method).refused(),
        measured.counts(method).failed());
  }
}
