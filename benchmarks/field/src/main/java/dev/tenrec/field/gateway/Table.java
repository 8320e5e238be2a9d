// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.gateway.proxy.Refusal;
import dev.tenrec.field.kit.MarkdownTable;
import dev.tenrec.field.load.Counts;
import java.io.PrintStream;
import java.util.Collection;
import java.util.Locale;

/** One line for each load, as a Markdown table, so that it can be shown as it was printed. */
final class Table {

  private final MarkdownTable table;

  Table(PrintStream out) {
    this.table =
        new MarkdownTable(
            out,
            "call | load | via | limit | sent | answered | failed | refused: no permit"
                + " | refused: circuit open | calls/s | answers/s | mean ms | p99 ms"
                + " | injector lag p99 / max ms | most in flight, gateway / service | gateway: CPU us per call | gateway: cores"
                + " | gateway: threads");
  }

  void row(Reading reading) {
    Cell cell = reading.cell();
    Counts counts = reading.result().counts();
    String calls =
        String.format(
            Locale.ROOT,
            "%s | %s | %s | %s | %d | %d | %d | %d | %d | %.0f | %.0f | %.1f | %.1f | %s",
            cell.call(),
            cell.load(),
            cell.via(),
            cell.isDirect() ? "-" : Integer.toString(cell.limit()),
            counts.sent(),
            counts.answered(),
            counts.failed(),
            reading.noPermit(),
            reading.circuitOpen(),
            reading.callsPerSecond(),
            reading.result().perSecond(),
            reading.result().sinceIntended().meanMillis(),
            reading.result().sinceIntended().percentileMillis(99),
            reading.result().lagSaid());
    GatewayCounts gateway = reading.gateway();
    String costs =
        gateway == null
            ? "- / " + reading.service().mostInFlight() + " | - | - | -"
            : String.format(
                Locale.ROOT,
                "%d / %d | %.0f | %.2f | %d",
                gateway.mostInFlight(),
                reading.service().mostInFlight(),
                reading.cpuMicrosPerCall(),
                reading.cores(),
                gateway.threads());
    table.row(calls + " | " + costs);
  }

  /** The refusals of all loads, by what the answers said. */
  static void refusals(Collection<Reading> readings, PrintStream out) {
    out.println();
    out.println("Why calls were refused, as their answers said:");
    out.println();
    MarkdownTable refusals =
        new MarkdownTable(out, "load | command | reason | limit | in use | how many");
    for (Reading reading : readings) {
      for (Explanations.Kind kind : reading.explanations().kinds()) {
        Refusal refusal = kind.refusal();
        boolean circuit = refusal.reason().equals(Refusal.CIRCUIT_OPEN);
        refusals.row(
            String.format(
                Locale.ROOT,
                "%s | %s | %s | %s | %s | %d",
                reading.cell(),
                refusal.command(),
                circuit ? refusal.reason() + ": " + refusal.why() : refusal.reason(),
                circuit ? "-" : Integer.toString(refusal.limit()),
                circuit ? "-" : kind.leastInUse() + " to " + kind.mostInUse(),
                kind.count()));
      }
    }
  }
}
