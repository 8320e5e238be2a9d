// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The original's figures beside ours, each divided by those of the original's best pool. */
final class Ratios {

  private final Runs runs;
  private final PrintStream out;

  Ratios(Runs runs, PrintStream out) {
    this.runs = runs;
    this.out = out;
  }

  void print() {
    if (runs.all().stream().noneMatch(one -> one.point().part() == Part.SWEEP)) {
      return; // nothing to divide by
    }
    Columns<Original> columns =
        new Columns<Original>()
            .add("original", Original::pool)
            .add("method", row -> row.method().key());
    add(columns, "calls", Original::millionsPerMinute, one -> one.perSecond(one.onlyMethod()));
    add(columns, "CPU", Original::cpuPercent, Measured::cpuPercent);
    add(columns, "load", Original::load, Measured::runnable);
    Original.ROWS.forEach(
        columns.table(
            out,
            "The original's figures, on 8 cores, and ours, each divided by that of isFollow with 25"
                + " fixed, queue 100 (ours for each core: 6 fixed, queue 100):"));
  }

  private void add(
      Columns<Original> columns,
      String name,
      ToDoubleFunction<Original> original,
      ToDoubleFunction<Measured> ours) {
    columns
        .add(
            name + ": original",
            "%.2f",
            row -> original.applyAsDouble(row) / original.applyAsDouble(Original.BEST))
        .add("ours, same threads", row -> ratio(row, Original::sameThreads, ours))
        .add("ours, same for each core", row -> ratio(row, Original::samePerCore, ours));
  }

  /** Of two points of this run; a dash if one of them was not run. */
  private String ratio(
      Original row, Function<Original, PoolSetting> pool, ToDoubleFunction<Measured> figure) {
    Optional<Measured> one = runs.alone(row.method(), pool.apply(row));
    Optional<Measured> best = runs.alone(Method.IS_FOLLOW, pool.apply(Original.BEST));
    if (one.isEmpty() || best.isEmpty()) {
      return "-";
    }
    double ratio = figure.applyAsDouble(one.get()) / figure.applyAsDouble(best.get());
    return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-";
  }
}
