// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Columns;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.ResultColumns;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** The Markdown tables, so that they can be shown as they were printed. */
final class Table {

  private static final Columns<SteadyRun> STEADY =
      new Columns<SteadyRun>()
          .add("payload", run -> run.setup().payload())
          .add("users", SteadyRun::users)
          .addAll(
              SteadyRun::result,
              ResultColumns.USERS_THERE,
              ResultColumns.ANSWERED,
              ResultColumns.FAILED,
              ResultColumns.PER_SECOND)
          .addAll(
              run -> run.result().sinceIntended(),
              Latency.mean(1),
              Latency.percentiles(1, 95, 99, 100))
          .add("provider CPU %", "%.0f", SteadyRun::cpuPercent);

  private static final Columns<SurgeRun> SETUP =
      new Columns<SurgeRun>()
          .add("payload", run -> run.setup().payload())
          .add("consumers", run -> run.setup().guard());

  /** One phase of a surge. */
  private record Part(SurgeRun run, Phase phase, List<Window> windows, Total total) {

    static Part of(SurgeRun run, Phase phase) {
      return new Part(
          run,
          phase,
          run.windows().stream().filter(window -> window.phase() == phase).toList(),
          run.total(phase));
    }
  }

  private static final Columns<Part> SURGES =
      new Columns<Part>()
          .addAll(Part::run, SETUP)
          .add("load", part -> part.phase().label())
          .add("due/s", part -> part.windows().get(0).perSecond())
          .addAll(
              Part::total,
              new Columns<Total>()
                  .add("due", Total::due)
                  .add("answered", Total::answered)
                  .add("refused", Total::refused)
                  .add("failed or never sent", total -> total.failed() + total.neverSent())
                  .add("answered %", "%.1f", total -> 100 * total.answeredShare())
                  .addAll(Total::sinceIntended, Latency.percentiles(1, 50, 99, 100))
                  .add("p99 ms, answered or not", total -> total.waited().percentileSaid(99, 1))
                  .add(
                      "injector lag p99 / max ms",
                      "%s / %s",
                      total -> total.lag().percentileSaid(99, 1),
                      total -> total.lag().percentileSaid(100, 1))
                  .add("most in flight", Total::mostInFlight))
          .add("provider CPU %", "%.0f", part -> part.run().cpuPercent(part.phase()))
          .add("of which GC %", "%.0f", part -> part.run().gcPercent(part.phase()));

  private static final Columns<SurgeRun> ENDS =
      new Columns<SurgeRun>()
          .addAll(run -> run, SETUP)
          .add("recovered after s", SurgeRun::recoveredSaid)
          .add("quiet after s", Table::quiet)
          .add("most queued in the provider", SurgeRun::mostQueued)
          .add("calls out to the provider", count("c.attempts"))
          .add("it did", count("p.done"))
          .add("for nobody", SurgeRun::doneForNobody)
          .add("connections opened", count("c.opened"))
          .addAll(
              run -> run.setup().guarded() ? run : null,
              new Columns<SurgeRun>()
                  .add(
                      "timed out / failed",
                      "%d / %d",
                      count("command.TIMEOUT"),
                      count("command.FAILURE"))
                  .add(
                      "no thread / short-circuited",
                      "%d / %d",
                      count("command.THREAD_POOL_REJECTED"),
                      count("command.SHORT_CIRCUITED")))
          .addAll(
              run -> run.setup().around() == Guard.FULL ? run : null,
              new Columns<SurgeRun>()
                  .add(
                      "trips / closings",
                      "%d / %d",
                      count("circuit.trips"),
                      count("circuit.closings"))
                  .add(
                      "circuits closed at the end",
                      "%d of %d",
                      count("circuit.closed"),
                      run -> run.setup().consumers()));

  private final PrintStream out;
  private final List<SurgeRun> ended = new ArrayList<>();

  /** Until there is a head, no run. */
  private Consumer<Part> surges = part -> {};

  Table(PrintStream out) {
    this.out = out;
  }

  private static Function<SurgeRun, Long> count(String name) {
    return run -> run.count(name);
  }

  private static String quiet(SurgeRun run) {
    return run.quietAfterSeconds() < 0
        ? run.remark()
        : String.format(Locale.ROOT, "%.1f", run.quietAfterSeconds());
  }

  Consumer<SteadyRun> steady() {
    out.println("One consumer, " + Form.STEADY_THREADS + " connections, closed model:");
    out.println();
    return STEADY.table(out);
  }

  void surgeHead(Form form) {
    surges =
        SURGES.table(
            out,
            String.format(
                Locale.ROOT,
                "%d consumers, open model: calm for %.1f s, a surge for %.1f s, calm for %.1f s."
                    + " Each call counts where it was due. A call of the provider may take %d ms,"
                    + " one of a consumer %d ms. At most %,d calls are due in a second.",
                Form.CONSUMERS,
                form.calmWindows() * form.windowSeconds(),
                form.surgeWindows() * form.windowSeconds(),
                form.afterWindows() * form.windowSeconds(),
                form.callMillis(),
                form.callerMillis(),
                form.mostPerSecond()));
  }

  void surge(SurgeRun run) {
    for (Phase phase : Phase.values()) {
      Part part = Part.of(run, phase);
      if (!part.windows().isEmpty()) {
        surges.accept(part);
      }
    }
    ended.add(run);
  }

  /** What the runs came to, after their phases. */
  void ends() {
    if (!ended.isEmpty()) {
      ended.forEach(ENDS.table(out, ""));
    }
  }
}
