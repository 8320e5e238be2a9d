// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.MarkdownTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The original's table beside ours, both in units of their own first row. */
record Ratios(List<Row> rows) {

  /**
   * One row, original and ours.
   *
   * @param ours what the run measured
   * @param perSecond answers a second, ours, in units of the first row; those of fallbacks counted,
   *     as the original's tool counted them
   * @param fullPerSecond the same, without those of fallbacks
   * @param mean latency, ours, in units of the first row
   */
  record Row(Original original, Run ours, double perSecond, double fullPerSecond, double mean) {

    double maxToMean() {
      return ours.result().sinceIntended().maxMillis() / ours.result().sinceIntended().meanMillis();
    }
  }

  /** Of the rows there are. */
  static Ratios of(Measured measured) {
    List<Row> rows = new ArrayList<>();
    Run first = null;
    for (Original original : Original.ROWS) {
      Run ours =
          measured.closed(original.configuration(), original.users() / Original.SCALE).orElse(null);
      if (ours == null || ours.result().counts().answered() == 0) {
        continue;
      }
      if (first == null) {
        first = ours;
      }
      rows.add(
          new Row(
              original,
              ours,
              ours.result().perSecond() / first.result().perSecond(),
              ours.fullPerSecond() / first.fullPerSecond(),
              ours.result().sinceIntended().meanMillis()
                  / first.result().sinceIntended().meanMillis()));
    }
    return new Ratios(rows);
  }

  void print(PrintStream out) {
    MarkdownTable table =
        new MarkdownTable(
            out,
            "configuration, users | answers/s: original | ours | ours, without the fallback's | mean: original | ours"
                + " | max / mean: original | ours | errors %: original | ours"
                + " | answered by fallback %, ours");
    for (Row row : rows) {
      Original original = row.original();
      table.row(
          String.format(
              Locale.ROOT,
              "%s, %d / %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | %.2f | %.2f | %.2f",
              original.configuration().title(),
              original.users(),
              original.users() / Original.SCALE,
              original.perSecondRatio(),
              row.perSecond(),
              row.fullPerSecond(),
              original.meanRatio(),
              row.mean(),
              original.maxToMean(),
              row.maxToMean(),
              original.errorPercent(),
              row.ours().errorPercent(),
              row.ours().degradedPercent()));
    }
  }
}
