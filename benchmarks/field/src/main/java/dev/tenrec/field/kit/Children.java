// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The children of this program, none of which outlives it. */
final class Children {

  /**
   * For a program to report its results, for which it may ask its children; none is left after 5 s.
   */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(4).toNanos();

  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();
  private static final Set<ChildProcess> STARTED = ConcurrentHashMap.newKeySet();

  /** Guarded by the class. */
  private static boolean hooked;

  /** Guarded by the class: raised when this program begins to end. */
  private static boolean ending;

  private Children() {}

  /**
   * Has it ended with this program, if it is not closed before.
   *
   * @throws IOException if this program is ending, and nobody would
   */
  static synchronized void add(ChildProcess child) throws IOException {
    if (!hooked) {
      hooked = true;
      try {
        Runtime.getRuntime().addShutdownHook(new Thread(Children::end, "children"));
      } catch (IllegalStateException endsAlready) {
        ending = true;
      }
    }
    if (ending) {
      throw new IOException("nothing is started any more: this program ends");
    }
    STARTED.add(child);
  }

  static void remove(ChildProcess child) {
    STARTED.remove(child);
  }

  /** Those that are not ready have nothing to report; the others are closed by their owners. */
  private static void end() {
    synchronized (Children.class) {
      ending = true;
    }
    STARTED.stream().filter(child -> !child.isReady()).forEach(ChildProcess::kill);
    RunClock clock = new RunClock();
    try {
      while (STARTED.stream().anyMatch(ChildProcess::isAlive) && clock.nanos() < PATIENCE_NANOS) {
        clock.awaitNanos(clock.nanos() + LOOK_NANOS);
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
    STARTED.forEach(ChildProcess::kill);
  }
}
