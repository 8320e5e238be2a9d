// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Json;
import dev.tenrec.field.kit.Plot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** A result as text, as JSON, as plots, and as a page with all of them. */
public final class Report {

  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.5, 99.9, 100};

  /** Steps of the plot for each halving of the distance to 100 %. */
  private static final int STEPS = 5;

  private final Result result;
  private final String request;
  private final Map<String, InTurn.Share> shares;

  /** Of this result, of a load on one target. */
  public Report(Result result) {
    this(result, "", Map.of());
  }

  /**
   * Of this result.
   *
   * @param request what each call sent; empty if that goes without saying
   * @param shares of the targets, by name
   */
  public Report(Result result, String request, Map<String, InTurn.Share> shares) {
    this.result = result;
    this.request = request;
    this.shares = shares;
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
    out.println(
        counts.answered() == 0
            ? "  nothing was answered; at most " + result.mostInFlight() + " in flight"
            : String.format(
                Locale.ROOT,
                "  %.1f answers/s; the last came after %.2f s; at most %d in flight",
                result.perSecond(),
                result.lastAnswerNanos() / 1e9,
                result.mostInFlight()));
    if (shares.size() > 1) {
      shares.forEach(
          (name, share) ->
              out.println(
                  "  " + name + ": sent " + share.sent() + ", answered " + share.answered()));
    }
    if (result.presence().users() > 0) {
      out.println("  users there: " + there(result.presence()));
    }
    result.failures().forEach((why, count) -> out.printf(Locale.ROOT, "  %d x %s%n", count, why));
    StringBuilder heads = new StringBuilder();
    for (double percentile : PERCENTILES) {
      heads.append(String.format(Locale.ROOT, "%10s", Latency.name(percentile)));
    }
    out.printf(Locale.ROOT, "  %-22s%10s%s%n", "milliseconds", "mean", heads);
    line(out, "since intended", result.sinceIntended());
    line(out, "since sent", result.sinceSent());
    if (result.plan().arrivals() instanceof Arrivals.Open) {
      line(out, "injector lag", result.lag());
    }
  }

  private static String there(Presence presence) {
    if (!presence.exempt().isEmpty()) {
      return presence.said();
    }
    return String.format(
        Locale.ROOT,
        "%.1f of %d over %.2f s = %s",
        presence.present(),
        presence.users(),
        presence.seconds(),
        presence.said());
  }

  private String title() {
    return result.plan().engine().description() + ", " + result.plan().arrivals().label();
  }

  private static void line(PrintStream out, String name, Latency latency) {
    StringBuilder values = new StringBuilder();
    for (double percentile : PERCENTILES) {
      values.append(String.format(Locale.ROOT, "%10s", latency.percentileSaid(percentile, 2)));
    }
    out.printf(Locale.ROOT, "  %-22s%10s%s%n", name, latency.meanSaid(2), values);
  }

  /** Writes the files, and answers with their paths. */
  public List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(directory.resolve("load.json"), Json.write(json())));
    List<String> drawn = new ArrayList<>();
    for (Map.Entry<String, Plot> plot : plots().entrySet()) {
      // without an answer there is nothing to draw
      if (!plot.getValue().isEmpty()) {
        String svg = plot.getValue().svg();
        drawn.add(svg);
        files.add(Files.writeString(directory.resolve("load-" + plot.getKey() + ".svg"), svg));
      }
    }
    files.add(
        Files.writeString(directory.resolve("load.html"), new LoadPage(text(), drawn).html()));
    return files;
  }

  private Map<String, Plot> plots() {
    Map<String, Plot> plots = new LinkedHashMap<>();
    plots.put("seconds", seconds());
    plots.put("latency", latencies());
    plots.put("percentiles", percentiles());
    return plots;
  }

  private String text() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** It as maps, for a larger report. */
  public Map<String, @Nullable Object> json() {
    Counts counts = result.counts();
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("java", Runtime.version().toString());
    figures.put("processors", Runtime.getRuntime().availableProcessors());
    figures.put("engine", result.plan().engine().description());
    figures.put("model", result.plan().arrivals().label());
    if (!request.isEmpty()) {
      figures.put("request", request);
    }
    figures.put("due", counts.due());
    figures.put("sent", counts.sent());
    figures.put("neverSent", counts.dropped());
    figures.put("answered", counts.answered());
    figures.put("failed", counts.failed());
    figures.put("refused", counts.refused());
    figures.put("balances", counts.balance());
    figures.put("perSecond", result.perSecond());
    figures.put("mostInFlight", result.mostInFlight());
    if (result.presence().users() > 0) {
      figures.put("usersThere", result.presence().json());
    }
    figures.put("failures", result.failures());
    if (!shares.isEmpty()) {
      Map<String, @Nullable Object> targets = new LinkedHashMap<>();
      shares.forEach(
          (name, share) ->
              targets.put(name, Map.of("sent", share.sent(), "answered", share.answered())));
      figures.put("targets", targets);
    }
    figures.put("sinceIntended", latency(result.sinceIntended()));
    figures.put("sinceSent", latency(result.sinceSent()));
    figures.put("answeredOrNot", latency(result.waited()));
    if (result.plan().arrivals() instanceof Arrivals.Open) {
      figures.put("injectorLag", latency(result.lag()));
    }
    figures.put("seconds", result.seconds().stream().map(Second::json).toList());
    return figures;
  }

  private static Map<String, @Nullable Object> latency(Latency latency) {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("meanMillis", latency.isEmpty() ? null : latency.meanMillis());
    for (double percentile : PERCENTILES) {
      figures.put(
          Latency.name(percentile) + "Millis",
          latency.isEmpty() ? null : latency.percentileMillis(percentile));
    }
    return figures;
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
            title() + ": how calls ended in each second",
            new Axis("seconds", false),
            new Axis("calls/s", false));
    if (result.counts().answered() > 0) {
      for (Second second : result.seconds()) {
        plot.add("answered", second.fromSeconds(), second.perSecond());
        if (result.counts().answered() < result.counts().ended()) {
          plot.add("failed, refused or never sent", second.fromSeconds(), second.lostPerSecond());
        }
      }
    }
    return plot;
  }

  /** Percentiles over time, by both clocks. */
  private Plot latencies() {
    Plot plot =
        new Plot(
            title() + ": how long answers took in each second",
            new Axis("seconds", false),
            new Axis("ms", true));
    for (Second second : result.seconds()) {
      spread(plot, "since intended", second.fromSeconds(), second.sinceIntended());
      spread(plot, "since sent", second.fromSeconds(), second.sinceSent());
    }
    return plot;
  }

  private static void spread(
      Plot plot, String clock, double seconds, Second.@Nullable Spread spread) {
    if (spread != null) {
      plot.add(clock + ", p50", seconds, spread.p50Millis());
      plot.add(clock + ", p99", seconds, spread.p99Millis());
    }
  }
}
