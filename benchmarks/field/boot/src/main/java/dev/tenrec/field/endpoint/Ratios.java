// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

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

  /** What each row came to beside the first, but for the longer queue, which teaches nothing. */
  List<String> summary() {
    return rows.stream()
        .skip(1)
        .filter(row -> row.ours().configuration() != Configuration.C)
        .map(
            row ->
                String.format(
                    Locale.ROOT,
                    "%s, %d users: %.2f of the answers without the fallback's, %.2f of the mean;"
                        + " users there: %s",
                    row.original().configuration().title(),
                    row.original().users() / Original.SCALE,
                    row.fullPerSecond(),
                    row.mean(),
                    row.ours().result().presence().said()))
        .toList();
  }
}
