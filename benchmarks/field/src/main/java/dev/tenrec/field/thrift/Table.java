// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.MarkdownTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Lines of Markdown tables, so that they can be shown as they were printed. */
final class Table {

  private final PrintStream out;
  private final List<Runnable> later = new ArrayList<>();
  private @Nullable MarkdownTable table;

  Table(PrintStream out) {
    this.out = out;
  }

  void steadyHead() {
    out.println("One consumer, " + Form.STEADY_THREADS + " connections, closed model:");
    out.println();
    table =
        new MarkdownTable(
            out,
            "payload | users | answered | failed | answers/s | mean ms | p95 ms | p99 ms | max ms | provider CPU %");
  }

  void steady(SteadyRun run) {
    Total total = Total.of(List.of(run.result()));
    row(
        String.format(
            Locale.ROOT,
            "%s | %d | %d | %d | %.0f | %.1f | %.1f | %.1f | %.1f | %.0f",
            run.setup().payload(),
            run.users(),
            total.answered(),
            total.failed(),
            run.result().perSecond(),
            total.sinceIntended().meanMillis(),
            total.sinceIntended().percentileMillis(95),
            total.sinceIntended().percentileMillis(99),
            total.sinceIntended().maxMillis(),
            run.cpuPercent()));
  }

  void surgeHead(Form form) {
    out.println();
    out.printf(
        Locale.ROOT,
        "%d consumers, open model: calm for %.1f s, a surge for %.1f s, calm for %.1f s. Each call counts"
            + " where it was due. A call of the provider may take %d ms, one of a consumer %d ms."
            + " At most %,d calls are due in a second.%n",
        Form.CONSUMERS,
        form.calmWindows() * form.windowSeconds(),
        form.surgeWindows() * form.windowSeconds(),
        form.afterWindows() * form.windowSeconds(),
        form.callMillis(),
        form.callerMillis(),
        form.mostPerSecond());
    out.println();
    table =
        new MarkdownTable(
            out,
            "payload | consumers | load | due/s | due | answered | refused | failed or never sent | answered % | p50 ms | p99 ms | max ms | p99 ms, answered or not | injector lag p99 / max ms | most in flight | provider CPU % | of which GC %");
  }

  void surge(SurgeRun run) {
    for (Phase phase : Phase.values()) {
      List<Window> windows =
          run.windows().stream().filter(window -> window.phase() == phase).toList();
      if (windows.isEmpty()) {
        continue;
      }
      Total total = run.total(phase);
      row(
          String.format(
              Locale.ROOT,
              "%s | %s | %s | %d | %d | %d | %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f"
                  + " | %.1f / %.1f | %d | %.0f | %.0f",
              run.setup().payload(),
              run.setup().guard(),
              phase.label(),
              windows.get(0).perSecond(),
              total.due(),
              total.answered(),
              total.refused(),
              total.failed() + total.neverSent(),
              100 * total.answeredShare(),
              total.sinceIntended().percentileMillis(50),
              total.sinceIntended().percentileMillis(99),
              total.sinceIntended().maxMillis(),
              total.waited().percentileMillis(99),
              total.lag().percentileMillis(99),
              total.lag().maxMillis(),
              total.mostInFlight(),
              run.cpuPercent(phase),
              run.gcPercent(phase)));
    }
    later.add(() -> end(run));
  }

  /** What the runs came to, after their phases. */
  void ends() {
    if (later.isEmpty()) {
      return;
    }
    out.println();
    table =
        new MarkdownTable(
            out,
            "payload | consumers | recovered after s | quiet after s | most queued in the provider | calls out to the provider | it did | for nobody | connections opened | timed out / failed | no thread / short-circuited | trips / closings | circuits closed at the end");
    later.forEach(Runnable::run);
  }

  private void end(SurgeRun run) {
    OptionalDouble recovered = run.recoveredAfterSeconds();
    String circuits =
        run.setup().guarded()
            ? String.format(
                Locale.ROOT,
                "%d / %d | %d / %d | %d / %d | %d of %d",
                run.count("command.TIMEOUT"),
                run.count("command.FAILURE"),
                run.count("command.THREAD_POOL_REJECTED"),
                run.count("command.SHORT_CIRCUITED"),
                run.count("circuit.trips"),
                run.count("circuit.closings"),
                run.count("circuit.closed"),
                run.setup().consumers())
            : "- | - | - | -";
    row(
        String.format(
            Locale.ROOT,
            "%s | %s | %s | %s | %d | %d | %d | %d | %d | %s",
            run.setup().payload(),
            run.setup().guard(),
            recovered.isPresent()
                ? String.format(Locale.ROOT, "%.1f", recovered.getAsDouble())
                : "not",
            run.quietAfterSeconds() < 0
                ? run.remark()
                : String.format(Locale.ROOT, "%.1f", run.quietAfterSeconds()),
            run.mostQueued(),
            run.count("c.attempts"),
            run.count("p.done"),
            run.doneForNobody(),
            run.count("c.opened"),
            circuits));
  }

  private void row(String cells) {
    Objects.requireNonNull(table, "no head yet").row(cells);
  }
}
