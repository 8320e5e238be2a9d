// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.load.engine.Engines;
import java.util.List;
import java.util.Locale;

/**
 * One run of the comparison, in a JVM of its own.
 *
 * @param heapMegabytes the size of that JVM's heap
 * @param delayMillis how long the service takes
 * @param engine what sends
 * @param users how many call at once, each again when answered: a closed load
 * @param requests how many calls in all
 * @param permits how many calls a command lets in at once; 0 for none between driver and service
 */
public record Cell(
    int heapMegabytes, int delayMillis, Engines engine, int users, int requests, int permits) {

  /** Threads of the pool, and of asynchronous I/O. */
  static final int THREADS = 20;

  List<String> arguments(String service, int seconds) {
    return List.of(
        service,
        Integer.toString(delayMillis),
        engine.name(),
        Integer.toString(users),
        Integer.toString(requests),
        Integer.toString(permits),
        Integer.toString(seconds));
  }

  /** The other way round, for the JVM that is told. */
  static Cell of(List<String> arguments) {
    return new Cell(
        (int) (Runtime.getRuntime().maxMemory() >> 20),
        Integer.parseInt(arguments.get(1)),
        Engines.valueOf(arguments.get(2)),
        Integer.parseInt(arguments.get(3)),
        Integer.parseInt(arguments.get(4)),
        Integer.parseInt(arguments.get(5)));
  }

  String engineName() {
    return engine.name().toLowerCase(Locale.ROOT) + (permits > 0 ? " (guarded)" : "");
  }
}
