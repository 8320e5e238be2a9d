// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider.service;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long this process's threads have been ready to run while no core was free: what a load
 * average is made of, without its minutes of memory.
 */
final class RunQueue {

  private static final Path THREADS = Path.of("/proc/self/task");

  private RunQueue() {}

  /** All threads' that there are, in nanoseconds; not a number where nobody tells it. */
  static double waitedNanos() {
    if (!Files.isReadable(Path.of("/proc/self/schedstat"))) {
      return Double.NaN;
    }
    double nanos = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        nanos += waitedNanos(thread);
      }
    } catch (IOException untold) {
      return Double.NaN;
    }
    return nanos;
  }

  /** The second of three numbers; 0 of a thread that has just ended. */
  private static double waitedNanos(Path thread) {
    try {
      return Double.parseDouble(Files.readString(thread.resolve("schedstat")).split(" ")[1]);
    } catch (IOException | IndexOutOfBoundsException ended) {
      return 0;
    }
  }
}
