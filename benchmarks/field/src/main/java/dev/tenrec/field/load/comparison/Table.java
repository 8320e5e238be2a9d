// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Columns;
import java.util.function.Function;

/** One line for each cell, as a Markdown table, so that it can be shown as it was printed. */
final class Table {

  /** A row: which cell, and what it came to. */
  record Row(Cell cell, Figures figures) {}

  static final Columns<Row> COLUMNS =
      new Columns<Row>()
          .add("heap MB", row -> row.cell().heapMegabytes())
          .add("delay ms", row -> row.cell().delayMillis())
          .add("engine", row -> row.cell().engineName())
          .add("users", row -> row.cell().users())
          .addAll(
              row -> row.figures().isMeasured() ? row : null,
              new Columns<Row>()
                  .add("users there", row -> row.figures().presence(row.cell()).said())
                  .add("sent", count("sent"))
                  .add("answered", count("answered"))
                  .add("failed", count("failed"))
                  .add("refused", count("refused"))
                  .add("never sent", count("neverSent"))
                  .add("answers/s", "%.0f", row -> row.figures().value("perSecond"))
                  .add("mean ms, since sent", millis("sinceSentMeanMillis"))
                  .add("mean ms, since intended", millis("sinceIntendedMeanMillis"))
                  .add("p99 ms, since intended", millis("sinceIntendedP99Millis"))
                  .add(
                      "most in flight, driver / service",
                      "%d / %d",
                      count("mostInFlight"),
                      count("serviceMostInFlight"))
                  .add("threads", count("threads"))
                  .add("memory MB", count("residentMegabytes")))
          .add("remark", row -> row.figures().remark());

  private Table() {}

  private static Function<Row, Long> count(String name) {
    return row -> row.figures().count(name);
  }

  private static Function<Row, String> millis(String name) {
    return row -> row.figures().millisSaid(name);
  }
}
