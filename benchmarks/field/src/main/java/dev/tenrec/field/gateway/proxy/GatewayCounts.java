// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import dev.tenrec.field.kit.ProcessMeter;
import dev.tenrec.field.kit.StatusClient;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What the gateway says of itself, as it goes over HTTP.
 *
 * @param values by name; of its commands, how often they ended in each way
 */
public record GatewayCounts(Map<String, Long> values) {

  static final String PATH = "/gateway/counts";
  static final String RESET = "/gateway/reset";
  static final String RECEIVED = "received";
  static final String MOST_IN_FLIGHT = "mostInFlight";
  private static final String CPU_NANOS = "cpuNanos";
  private static final String HEAP_BYTES = "heapBytes";
  private static final String THREADS = "threads";

  /** Each execution of a command without a fallback ends in one of these ways. */
  public static final List<EventType> ENDINGS =
      List.of(
          EventType.SUCCESS,
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.SEMAPHORE_REJECTED,
          EventType.SHORT_CIRCUITED,
          EventType.BAD_REQUEST,
          EventType.CANCELLED);

  /** Asks for them. */
  public static GatewayCounts of(URI gateway) throws IOException {
    Properties properties = StatusClient.at(gateway.resolve(PATH));
    Map<String, Long> values = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> values.put(name, Long.valueOf(properties.getProperty(name))));
    return new GatewayCounts(values);
  }

  /** Has it count from 0. */
  public static void reset(URI gateway) throws IOException {
    Properties unused = StatusClient.at(gateway.resolve(RESET));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString();
  }

  static String name(String command, EventType event) {
    return command + "." + event;
  }

  /** How often this happened to the command of a route. */
  public long count(String command, EventType event) {
    return value(name(command, event));
  }

  /** How many executions of it ended. */
  public long ended(String command) {
    return ENDINGS.stream().mapToLong(event -> count(command, event)).sum();
  }

  /** Calls that came for a route. */
  public long received() {
    return value(RECEIVED);
  }

  /** The most calls that had come and were not answered. */
  public long mostInFlight() {
    return value(MOST_IN_FLIGHT);
  }

  /** What its whole process took. */
  public ProcessMeter.Figures process() {
    return new ProcessMeter.Figures(value(CPU_NANOS), value(HEAP_BYTES), value(THREADS));
  }

  private long value(String name) {
    return values.getOrDefault(name, 0L);
  }
}
