// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.gateway.proxy.Refusal;
import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.ResultColumns;
import java.io.PrintStream;
import java.util.Collection;
import java.util.function.Consumer;

/** One line for each load, as a Markdown table, so that it can be shown as it was printed. */
final class Table {

  private static final Columns<Reading> COSTS =
      new Columns<Reading>()
          .add("gateway: CPU us per call", "%.0f", Reading::cpuMicrosPerCall)
          .add("gateway: cores", "%.2f", Reading::cores)
          .addAll(
              Reading::gateway,
              new Columns<GatewayCounts>()
                  .add("gateway: heap MB", gateway -> gateway.process().heapMegabytes())
                  .add("gateway: threads", gateway -> gateway.process().threads()));

  static final Columns<Reading> LOADS =
      new Columns<Reading>()
          .add("call", reading -> reading.cell().call())
          .add("load", reading -> reading.cell().load())
          .addAll(Reading::result, ResultColumns.USERS_THERE)
          .add("via", reading -> reading.cell().via())
          .add("limit", reading -> reading.cell().isDirect() ? null : reading.cell().limit())
          .addAll(Reading::result, ResultColumns.SENT, ResultColumns.ANSWERED, ResultColumns.FAILED)
          .add("refused: no permit", Reading::noPermit)
          .add("refused: circuit open", Reading::circuitOpen)
          .add("calls/s", "%.0f", Reading::callsPerSecond)
          .addAll(Reading::result, ResultColumns.PER_SECOND)
          .addAll(reading -> reading.result().sinceIntended(), Latency.mean(1))
          .addAll(reading -> reading.result().sinceIntended(), Latency.percentiles(1, 99))
          .addAll(Reading::result, ResultColumns.LAG)
          .add(
              "most in flight, gateway / service",
              "%s / %d",
              reading -> reading.gateway() == null ? "-" : reading.gateway().mostInFlight(),
              reading -> reading.service().mostInFlight())
          .addAll(reading -> reading.gateway() == null ? null : reading, COSTS)
          .add("service: cores", "%.2f", Reading::serviceCores)
          .add("service: heap MB", reading -> reading.service().process().heapMegabytes())
          .add("service: threads", reading -> reading.service().process().threads());

  /** A refusal, as the answers of one load explained it. */
  private record Refused(Cell cell, Explanations.Kind kind) {

    boolean byCircuit() {
      return kind.refusal().reason().equals(Refusal.CIRCUIT_OPEN);
    }

    String reason() {
      Refusal refusal = kind.refusal();
      return byCircuit() ? refusal.reason() + ": " + refusal.why() : refusal.reason();
    }
  }

  private static final Columns<Refused> REFUSALS =
      new Columns<Refused>()
          .add("load", Refused::cell)
          .add("command", refused -> refused.kind().refusal().command())
          .add("reason", Refused::reason)
          .add("limit", refused -> refused.byCircuit() ? null : refused.kind().refusal().limit())
          .addAll(
              refused -> refused.byCircuit() ? null : refused.kind(),
              new Columns<Explanations.Kind>()
                  .add(
                      "in use",
                      "%d to %d",
                      Explanations.Kind::leastInUse,
                      Explanations.Kind::mostInUse))
          .add("how many", refused -> refused.kind().count());

  private Table() {}

  /** The refusals of all loads, by what the answers said. */
  static void refusals(Collection<Reading> readings, PrintStream out) {
    Consumer<Refused> table = REFUSALS.table(out, "Why calls were refused, as their answers said:");
    for (Reading reading : readings) {
      reading
          .explanations()
          .kinds()
          .forEach(kind -> table.accept(new Refused(reading.cell(), kind)));
    }
  }
}
