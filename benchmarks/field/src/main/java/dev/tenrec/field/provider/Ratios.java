// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.MarkdownTable;
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
    out.println();
    out.println(
        "The original's figures, on 8 cores, and ours, each divided by that of isFollow with 25"
            + " fixed, queue 100 (ours for each core: 6 fixed, queue 100):");
    out.println();
    MarkdownTable table =
        new MarkdownTable(
            out,
            "original | method | calls: original | ours, same threads | ours, same for each core"
                + " | CPU: original | ours, same threads | ours, same for each core"
                + " | load: original | ours, same threads | ours, same for each core");
    for (Original row : Original.ROWS) {
      table.row(
          String.format(
              Locale.ROOT,
              "%s | %s | %s | %s | %s",
              row.pool(),
              row.method().key(),
              cells(row, Original::millionsPerMinute, one -> one.perSecond(one.onlyMethod())),
              cells(row, Original::cpuPercent, Measured::cpuPercent),
              cells(row, Original::load, Measured::runnable)));
    }
  }

  private String cells(
      Original row, ToDoubleFunction<Original> original, ToDoubleFunction<Measured> ours) {
    return String.format(
        Locale.ROOT,
        "%.2f | %s | %s",
        original.applyAsDouble(row) / original.applyAsDouble(Original.BEST),
        ratio(row, Original::sameThreads, ours),
        ratio(row, Original::samePerCore, ours));
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
