// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One run of the comparison, in a JVM of its own.
 *
 * @param heapMegabytes the size of that JVM's heap
 * @param delayMillis how long the service takes
 * @param engine what sends
 * @param users how many call at once, each again when answered: a closed load
 * @param requests how many calls in all; 0 for as many as there is time for
 * @param permits how many calls a command lets in at once; 0 for none between driver and service
 */
public record Cell(
    int heapMegabytes, int delayMillis, Engines engine, int users, int requests, int permits) {

  /** Threads of the pool, and of asynchronous I/O. */
  static final int THREADS = 20;

  /** Whether it ends with its time, and its users have to be there all of it. */
  boolean isByTime() {
    return requests == 0;
  }

  List<String> arguments(String service, Duration longest) {
    return List.of(
        service,
        Integer.toString(delayMillis),
        engine.name(),
        Integer.toString(users),
        Integer.toString(requests),
        Integer.toString(permits),
        Long.toString(longest.toMillis()));
  }

  /** The other way round, for the JVM that runs it. */
  static Cell of(List<String> arguments) {
    return new Cell(
        (int) (Runtime.getRuntime().maxMemory() >> 20),
        Integer.parseInt(arguments.get(1)),
        Engines.valueOf(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Integer.parseInt(arguments.get(4)),
        Integer.parseInt(arguments.get(5)));
  }

  /** For people, on one line. */
  @Override
  public String toString() {
    return engineName()
        + ", "
        + users
        + " users, "
        + delayMillis
        + " ms, "
        + heapMegabytes
        + " MB"
        + (isByTime() ? "" : ", " + requests + " calls");
  }

  String engineName() {
    return engine.name().toLowerCase(Locale.ROOT) + (permits > 0 ? " (guarded)" : "");
  }
}
