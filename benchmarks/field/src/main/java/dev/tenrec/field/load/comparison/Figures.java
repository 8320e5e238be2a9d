// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.GuardedTarget;
import dev.tenrec.field.load.Presence;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.service.ServiceCounts;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one cell measured, as it goes from its JVM to the other one. A figure that is not there is
 * 0.
 *
 * @param values by name
 * @param remark why there are none, or what went wrong; empty if nothing did
 * @param broken whether the run failed in a way that says nothing about its engine
 */
public record Figures(Map<String, Double> values, String remark, boolean broken) {

  private static final String REMARK = "remark";
  private static final String WINDOW = "windowSeconds";
  private static final String BROKEN = "broken";

  static Figures of(
      Result result, ServiceCounts service, int threads, @Nullable GuardedTarget guarded) {
    Map<String, Double> values = new TreeMap<>();
    Counts counts = result.counts();
    values.put("due", (double) counts.due());
    values.put("sent", (double) counts.sent());
    values.put("neverSent", (double) counts.dropped());
    values.put("answered", (double) counts.answered());
    values.put("failed", (double) counts.failed());
    values.put("refused", (double) counts.refused());
    values.put("perSecond", result.perSecond());
    values.put("sinceSentMeanMillis", result.sinceSent().meanMillis());
    values.put("sinceIntendedMeanMillis", result.sinceIntended().meanMillis());
    values.put("sinceIntendedP99Millis", result.sinceIntended().percentileMillis(99));
    values.put("sinceIntendedMaxMillis", result.sinceIntended().maxMillis());
    Presence presence = result.presence();
    if (presence.exempt().isEmpty()) {
      values.put(WINDOW, presence.seconds());
      values.put("usersThere", presence.present());
      values.put("usersThereShare", presence.share());
    }
    values.put("answeredMeasured", (double) result.sinceIntended().micros().getTotalCount());
    values.put("mostInFlight", (double) result.mostInFlight());
    values.put("serviceReceived", (double) service.received());
    values.put("serviceMostInFlight", (double) service.mostInFlight());
    values.put("threads", (double) threads);
    values.put("residentMegabytes", residentMegabytes());
    if (guarded != null) {
      for (EventType event :
          new EventType[] {EventType.SUCCESS, EventType.FAILURE, EventType.SEMAPHORE_REJECTED}) {
        values.put("command." + event, (double) guarded.count(event));
      }
    }
    String shortened =
        counts.sent() < result.plan().requests()
                && presence.users() > 0
                && !presence.exempt().isEmpty()
            ? "cut short of " + result.plan().requests() + " calls; "
            : "";
    String remark =
        result.failures().entrySet().stream()
            .map(failure -> failure.getValue() + " x " + failure.getKey())
            .findFirst()
            .orElse("");
    return new Figures(values, shortened + remark, false);
  }

  /** Not measured, and that is an answer. */
  static Figures none(String remark) {
    return new Figures(Map.of(), remark, false);
  }

  /** Not measured, which should not have happened. */
  static Figures broken(String remark) {
    return new Figures(Map.of(), remark, true);
  }

  /** Back from what {@link #text} made. */
  static Figures read(Reader text) throws IOException {
    Properties properties = new Properties();
    properties.load(text);
    Map<String, Double> values = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (!name.equals(REMARK) && !name.equals(BROKEN)) {
        values.put(name, Double.valueOf(properties.getProperty(name)));
      }
    }
    return new Figures(values, properties.getProperty(REMARK, ""), properties.containsKey(BROKEN));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    String line = remark.replaceAll("[\\r\\n]+", " ").replace("\\", "/");
    text.append(REMARK + "=").append(line).append('\n');
    return broken ? text.append(BROKEN + "=\n").toString() : text.toString();
  }

  double value(String name) {
    return values.getOrDefault(name, 0.0);
  }

  long count(String name) {
    return Math.round(value(name));
  }

  /** Whether users of it were there, to be compared with its label. */
  boolean hasWindow() {
    return values.containsKey(WINDOW);
  }

  /** Of the users of a cell, as {@link Presence#said} says it. */
  Presence presence(Cell cell) {
    return new Presence(
        cell.users(),
        value(WINDOW),
        value("usersThere"),
        count("answeredMeasured"),
        hasWindow() ? "" : Presence.ONE_CALL);
  }

  /** A latency for the table; a dash where nothing was answered. */
  String millisSaid(String name) {
    return count("answeredMeasured") == 0 ? "-" : String.format(Locale.ROOT, "%.1f", value(name));
  }

  /** Whether the cell ran. */
  boolean isMeasured() {
    return !values.isEmpty();
  }

  /** The most memory the process ever held; 0 where the operating system does not report it. */
  private static double residentMegabytes() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_024)
          .findFirst()
          .orElse(0);
    } catch (IOException unreadable) {
      return 0;
    }
  }
}
