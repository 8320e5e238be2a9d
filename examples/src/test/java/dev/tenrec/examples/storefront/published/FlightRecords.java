// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** A flight recording with all of Tenrec's events, however short. */
final class FlightRecords implements AutoCloseable {

  private static final String PREFIX = "dev.tenrec.";

  private final Recording recording = new Recording();
  private final Path directory;

  FlightRecords(Path directory) {
    this.directory = directory;
    for (String name :
        List.of(
            "Call",
            "Refused",
            "Timeout",
            "StillBusy",
            "CircuitTransition",
            "SettingChange",
            "SettingRefused")) {
      recording.enable(PREFIX + name).withThreshold(Duration.ZERO);
    }
    recording.enable(PREFIX + "PoolSample").withPeriod(Duration.ofSeconds(1));
    recording.start();
  }

  /** What there is up to now. */
  List<RecordedEvent> read() throws IOException {
    Path file = Files.createTempFile(directory, "part", ".jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith(PREFIX))
        .toList();
  }

  static Stream<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(PREFIX + name));
  }

  /** How many of these events each command has; none is not there. */
  static Map<String, Long> byCommand(
      List<RecordedEvent> events, String name, Predicate<RecordedEvent> counted) {
    Map<String, Long> counts = new TreeMap<>();
    of(events, name)
        .filter(counted)
        .forEach(event -> counts.merge(event.getString("command"), 1L, Long::sum));
    return counts;
  }

  /** What the calls add up to, as the docs say how to add. */
  static Map<String, Map<String, Long>> counts(List<RecordedEvent> events) {
    Map<String, Map<String, Long>> all = new TreeMap<>();
    of(events, "Call")
        .forEach(
            call -> {
              Map<String, Long> counts =
                  all.computeIfAbsent(call.getString("command"), key -> new TreeMap<>());
              for (String name : call.getString("events").split(",")) {
                counts.merge(name, times(EventType.valueOf(name)).applyAsLong(call), Long::sum);
              }
            });
    return all;
  }

  private static ToLongFunction<RecordedEvent> times(EventType event) {
    return switch (event) {
      case EMIT -> call -> call.getLong("items");
      case FALLBACK_EMIT -> call -> call.getLong("fallbackItems");
      case COLLAPSED -> call -> call.getInt("members");
      default -> call -> 1;
    };
  }

  @Override
  public void close() {
    recording.close();
  }
}
