// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.ResultColumns;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A line for each method of each point, as a Markdown table for each part of the run. */
final class Table {

  private static final Map<Part, String> TITLES =
      Map.of(
          Part.SWEEP, "Threads and queue of a fixed pool",
          Part.KINDS, "Four kinds of pool, which differ in size too",
          Part.IMPATIENT, "The smallest pool, and callers that call again at once when refused",
          Part.MIXED, "A fast and a slow method at once, 50 users each");

  private record Row(Measured measured, Method method) {

    Result result() {
      return measured.result(method);
    }

    Latency latency() {
      return result().sinceIntended();
    }

    String pool() {
      boolean own = measured.point().own().containsKey(method);
      return measured.point().pool(method) + (own ? " (its own)" : "");
    }
  }

  private static final Columns<Row> COLUMNS =
      new Columns<Row>()
          .add("method", row -> row.method().key())
          .add("pool", Row::pool)
          .addAll(Row::result, ResultColumns.USERS_THERE)
          .add("threads there were", row -> row.measured().threads(row.method()))
          .addAll(Row::result, ResultColumns.PER_SECOND)
          .add("refusals/s", "%.0f", row -> row.measured().refusedPerSecond(row.method()))
          .addAll(Row::latency, Latency.mean(2), Latency.percentiles(2, 99))
          .add("CPU %", "%.0f", row -> row.measured().cpuPercent())
          .add("CPU µs an answer", "%.0f", row -> row.measured().cpuMicrosPerAnswer())
          .add("runnable threads", "%.1f", row -> row.measured().runnable())
          .add("most at the store", row -> row.measured().mostAtStore(row.method()))
          .addAll(
              Row::result,
              ResultColumns.SENT,
              ResultColumns.ANSWERED,
              ResultColumns.REFUSED,
              ResultColumns.FAILED);

  private final PrintStream out;
  private @Nullable Part part;
  private Consumer<Row> table = row -> {};

  Table(PrintStream out) {
    this.out = out;
  }

  void rows(Measured measured) {
    if (part != measured.point().part()) {
      part = measured.point().part();
      table = COLUMNS.table(out, TITLES.getOrDefault(part, "") + ":");
    }
    measured.results().keySet().forEach(method -> table.accept(new Row(measured, method)));
  }
}
