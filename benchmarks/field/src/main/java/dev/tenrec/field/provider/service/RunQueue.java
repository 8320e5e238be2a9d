// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How long this process's threads have been ready to run while no core was free: what a load
 * average is made of, without its minutes of memory. Not thread-safe.
 */
final class RunQueue {

  private static final Path THREADS = Path.of("/proc/self/task");

  /** What each thread that was there had waited when this was last asked. */
  private Map<Path, Double> before = Map.of();

  private double totalNanos;

  /**
   * The sum of all, in nanoseconds; a thread that has ended keeps what it was last seen with. Not a
   * number where nothing reports it.
   */
  double waitedNanos() {
    if (!Files.isReadable(Path.of("/proc/self/schedstat"))) {
      return Double.NaN;
    }
    Map<Path, Double> now = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        readInto(now, thread);
      }
    } catch (IOException unreadable) {
      return Double.NaN;
    }
    now.forEach((thread, nanos) -> totalNanos += nanos - before.getOrDefault(thread, 0.0));
    before = now;
    return totalNanos;
  }

  /** The second of three numbers. */
  private static void readInto(Map<Path, Double> nanos, Path thread) {
    try {
      String[] numbers = Files.readString(thread.resolve("schedstat")).split(" ", -1);
      nanos.put(thread, Double.valueOf(numbers[1]));
    } catch (IOException ended) {
      // it was there a moment ago
    }
  }
}
