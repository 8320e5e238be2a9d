// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.MarkdownTable;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Latency;
import java.io.PrintStream;
import java.util.Locale;

/** The runs as a table in Markdown, row by row as they come. */
final class Table {

  private final MarkdownTable table;

  Table(PrintStream out) {
    this.table =
        new MarkdownTable(
            out,
            "configuration | load | sent | answered | of these by fallback | failed | refused"
                + " | never sent | answers/s | mean ms | p99 ms | p99.5 ms | max ms | injector lag p99 / max ms | dependency busy %"
                + " | timed out | short-circuited | pool full | CPU ms/answer");
  }

  void row(Run run) {
    Counts counts = run.result().counts();
    Latency latency = run.result().sinceIntended();
    table.row(
        String.format(
            Locale.ROOT,
            "%s | %s | %d | %d | %d | %d | %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %s | %.0f | %d"
                + " | %d | %d | %.2f",
            run.configuration().title(),
            run.result().plan().arrivals().label(),
            counts.sent(),
            counts.answered(),
            run.degraded(),
            counts.failed(),
            counts.refused(),
            counts.dropped(),
            run.result().perSecond(),
            latency.meanMillis(),
            latency.percentileMillis(99),
            latency.percentileMillis(99.5),
            latency.maxMillis(),
            run.result().lagSaid(),
            100 * run.busyShare(),
            run.counted("TIMEOUT"),
            run.counted("SHORT_CIRCUITED"),
            run.counted("THREAD_POOL_REJECTED"),
            run.processorMillisPerAnswer()));
  }
}
