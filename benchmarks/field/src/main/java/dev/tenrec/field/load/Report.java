// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Json;
import dev.tenrec.field.kit.Plot;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** A result as text, as JSON, and as plots. */
public final class Report {

  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.5, 99.9, 100};

  /** Steps of the plot for each halving of the distance to 100 %. */
  private static final int STEPS = 5;

  private final Result result;

  /** Of this result. */
  public Report(Result result) {
    this.result = result;
  }

  /** Prints it. */
  public void print(PrintStream out) {
    Counts counts = result.counts();
    out.println(title());
    out.printf(
        Locale.ROOT,
        "  due %d = sent %d + never sent %d; sent = answered %d + failed %d + refused %d%s%n",
        counts.due(),
        counts.sent(),
        counts.dropped(),
        counts.answered(),
        counts.failed(),
        counts.refused(),
        counts.balance() ? "" : "  WRONG: does not balance");
    out.printf(
        Locale.ROOT,
        "  %.1f answers/s over %.2f s; at most %d in flight%n",
        result.perSecond(),
        result.lastAnswerNanos() / 1e9,
        result.mostInFlight());
    result.failures().forEach((why, count) -> out.printf(Locale.ROOT, "  %d x %s%n", count, why));
    StringBuilder heads = new StringBuilder();
    for (double percentile : PERCENTILES) {
      heads.append(String.format(Locale.ROOT, "%10s", name(percentile)));
    }
    out.printf(Locale.ROOT, "  %-22s%10s%s%n", "milliseconds", "mean", heads);
    line(out, "since intended", result.sinceIntended());
    line(out, "since sent", result.sinceSent());
    if (result.plan().arrivals() instanceof Arrivals.Open) {
      line(out, "injector lag", result.lag());
    }
  }

  private String title() {
    return result.plan().engine().description() + ", " + result.plan().arrivals().label();
  }

  private static String name(double percentile) {
    return percentile == 100 ? "max" : "p" + String.valueOf(percentile).replace(".0", "");
  }

  private static void line(PrintStream out, String name, Latency latency) {
    StringBuilder values = new StringBuilder();
    for (double percentile : PERCENTILES) {
      values.append(String.format(Locale.ROOT, "%10.2f", latency.percentileMillis(percentile)));
    }
    out.printf(Locale.ROOT, "  %-22s%10.2f%s%n", name, latency.meanMillis(), values);
  }

  /** Writes the files, and answers with their paths. */
  public List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    return List.of(
        Files.writeString(directory.resolve("load.json"), Json.write(json())),
        Files.writeString(directory.resolve("load-percentiles.svg"), percentiles().svg()),
        Files.writeString(directory.resolve("load-seconds.svg"), seconds().svg()));
  }

  /** It as maps, for a larger report. */
  public Map<String, @Nullable Object> json() {
    Counts counts = result.counts();
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("java", Runtime.version().toString());
    told.put("processors", Runtime.getRuntime().availableProcessors());
    told.put("engine", result.plan().engine().description());
    told.put("model", result.plan().arrivals().label());
    told.put("due", counts.due());
    told.put("sent", counts.sent());
    told.put("neverSent", counts.dropped());
    told.put("answered", counts.answered());
    told.put("failed", counts.failed());
    told.put("refused", counts.refused());
    told.put("balances", counts.balance());
    told.put("perSecond", result.perSecond());
    told.put("mostInFlight", result.mostInFlight());
    told.put("failures", result.failures());
    told.put("sinceIntended", latency(result.sinceIntended()));
    told.put("sinceSent", latency(result.sinceSent()));
    told.put("answeredOrNot", latency(result.waited()));
    if (result.plan().arrivals() instanceof Arrivals.Open) {
      told.put("injectorLag", latency(result.lag()));
    }
    return told;
  }

  private static Map<String, @Nullable Object> latency(Latency latency) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("meanMillis", latency.meanMillis());
    for (double percentile : PERCENTILES) {
      told.put(name(percentile) + "Millis", latency.percentileMillis(percentile));
    }
    return told;
  }

  private Plot percentiles() {
    Plot plot =
        new Plot(
            title() + ": how long answers took",
            new Axis("one in so many took longer", true),
            new Axis("ms", true));
    line(plot, "since intended", result.sinceIntended());
    line(plot, "since sent", result.sinceSent());
    return plot;
  }

  private static void line(Plot plot, String name, Latency latency) {
    for (HistogramIterationValue step : latency.micros().percentiles(STEPS)) {
      double longer = 1 - step.getPercentileLevelIteratedTo() / 100;
      if (longer > 0 && step.getTotalCountToThisValue() > 0) {
        plot.add(name, 1 / longer, step.getValueIteratedTo() / 1e3);
      }
    }
  }

  private Plot seconds() {
    Plot plot =
        new Plot(
            title() + ": answers in each second",
            new Axis("seconds", false),
            new Axis("answers/s", false));
    for (int second = 0; second < result.answersBySecond().length; second++) {
      plot.add("answers", second, (double) result.answersBySecond()[second]);
    }
    return plot;
  }
}
