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
          Part.MIXED, "A fast and a slow method at once, 50 users each",
          Part.READERS, "I/O threads, which read requests and begin calls",
          Part.CAPACITY,
              "What one instance can do, then calls by schedule: shares of that, and more",
          Part.CANARY, "A setting that one of two instances tries, 50 users each");

  private record Row(Measured measured, Method method) {

    double refusedPercent() {
      return measured.refusedShare(method) * 100;
    }

    String load() {
      return measured.point().load(method);
    }

    Result result() {
      return measured.result(method);
    }

    Latency latency() {
      return result().sinceIntended();
    }

    String pool() {
      boolean own = measured.point().own().containsKey(method);
      boolean read = measured.point().part() == Part.READERS;
      return measured.point().pool(method)
          + (own ? " (its own)" : "")
          + (read ? ", " + measured.point().readers() + " I/O threads" : "");
    }
  }

  private static final Columns<Row> COLUMNS =
      new Columns<Row>()
          .add("method", row -> row.method().key())
          .add("pool", Row::pool)
          .add("load", Row::load)
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

  private record Instance(Canary.Phase phase, boolean first) {

    Row row() {
      Measured measured = first ? phase.changed() : phase.other();
      return new Row(measured, measured.onlyMethod());
    }
  }

  private static final Columns<Instance> PHASES =
      new Columns<Instance>()
          .add("tried", one -> one.phase().tried())
          .add("phase", one -> one.phase().name())
          .add("instance", one -> one.first() ? "changed first" : "other")
          .add("pool", one -> one.row().pool())
          .addAll(one -> one.row().result(), ResultColumns.USERS_THERE, ResultColumns.PER_SECOND)
          .add("refused %", "%.1f", one -> one.row().refusedPercent())
          .addAll(one -> one.row().latency(), Latency.mean(2), Latency.percentiles(2, 99))
          .addAll(
              one -> one.row().result(),
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

  /** A line for each instance in each phase of a canary. */
  static Consumer<Canary.Phase> phases(PrintStream out) {
    Consumer<Instance> table = PHASES.table(out, TITLES.getOrDefault(Part.CANARY, "") + ":");
    return phase -> {
      table.accept(new Instance(phase, true));
      table.accept(new Instance(phase, false));
    };
  }

  void rows(Measured measured) {
    if (part != measured.point().part()) {
      part = measured.point().part();
      table = COLUMNS.table(out, TITLES.getOrDefault(part, "") + ":");
    }
    measured.results().keySet().forEach(method -> table.accept(new Row(measured, method)));
  }
}
