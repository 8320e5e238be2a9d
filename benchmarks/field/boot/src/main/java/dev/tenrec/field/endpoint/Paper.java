// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.report.Axis;
import dev.tenrec.field.load.report.Plot;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What stands around the table of runs. */
final class Paper {

  private final Measured measured;

  Paper(Measured measured) {
    this.measured = measured;
  }

  static void header(List<String> arguments, PrintStream out) {
    out.println(
        "mvn -q -Psystem1 -pl benchmarks/field/boot -am -DskipTests package"
            + (arguments.isEmpty()
                ? ""
                : " -Dsystem1.args=\"" + String.join(" ", arguments) + "\""));
    out.println(
        "JDK "
            + Runtime.version()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, shared by driver, application and service. Closed model: users, each"
            + " calling again when answered; it flatters. Open model: by schedule.");
    out.println("Latencies are those of answers, a fallback's among them, since intended.");
    out.println();
  }

  void print(PrintStream out) {
    sizing(out);
    live(out);
    out.println();
    out.println("Original beside ours, each in units of its own first row:");
    out.println();
    Ratios.of(measured).print(out);
    out.println();
    List<String> differences = measured.differences();
    out.println(
        measured.all().size()
            + " of "
            + Measured.PLANNED
            + " runs; "
            + (differences.isEmpty()
                ? "in each, what was sent is answered, failed or refused, and driver, command,"
                    + " application and service agree."
                : "these do NOT agree:"));
    differences.forEach(difference -> out.println("  " + difference));
  }

  private void sizing(PrintStream out) {
    Run open = measured.open(Configuration.UNGUARDED).orElse(null);
    Sizing sizing = measured.sizing().orElse(null);
    if (open == null || sizing == null) {
      return;
    }
    Result result = open.result();
    out.println();
    out.printf(
        Locale.ROOT,
        "Sizing, from the open run of the unguarded endpoint: %s/s, p99 %.1f ms, p99.5 %.1f ms,"
            + " 10 %% tolerated: core %d, maximum %d, queue %d, time-out %d ms, fallbacks %d,"
            + " error threshold %d %%%n",
        Settings.perSecond(result),
        result.sinceIntended().percentileMillis(99),
        result.sinceIntended().percentileMillis(99.5),
        sizing.coreSize(),
        sizing.maximumSize(),
        sizing.queueSize(),
        sizing.timeout().toMillis(),
        sizing.fallbackPermits(),
        sizing.errorThresholdPercentage());
  }

  private void live(PrintStream out) {
    LiveChange.Seen seen = measured.live().orElse(null);
    if (seen == null) {
      return;
    }
    out.println();
    out.println(
        "| in force | said by | known after ms | felt after ms | core | most threads at work"
            + " | the dependency's answers/s | mean ms |");
    out.println("|---|---|---|---|---|---|---|---|");
    for (LivePhase phase : seen.phases()) {
      out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %s | %d | %d | %.1f | %.1f |%n",
          phase.title(),
          phase.source(),
          millis(phase.knownMillis()),
          millis(phase.feltMillis()),
          phase.coreSize(),
          phase.mostActive(),
          phase.pace().perSecond(),
          phase.pace().meanMillis());
    }
  }

  private static String millis(double millis) {
    return Double.isNaN(millis) ? "-" : String.format(Locale.ROOT, "%.1f", millis);
  }

  /** Answers over time while the settings change. */
  static Plot plot(LiveChange.Seen seen) {
    Plot plot =
        new Plot(
            "Settings changed under load, closed model",
            new Axis("seconds", false),
            new Axis("answers/s", false));
    double sliceSeconds = Watched.SLICE_MILLIS / 1e3;
    for (int slice = 0; slice < seen.slices().size(); slice++) {
      plot.add("each 100 ms", slice * sliceSeconds, seen.slices().get(slice) / sliceSeconds);
    }
    for (LivePhase phase : seen.phases()) {
      String line = phase.title() + ", " + phase.source();
      Watched.Pace pace = phase.pace();
      plot.add(line, pace.beganSeconds(), pace.perSecond());
      plot.add(line, pace.beganSeconds() + pace.seconds(), pace.perSecond());
    }
    return plot;
  }
}
