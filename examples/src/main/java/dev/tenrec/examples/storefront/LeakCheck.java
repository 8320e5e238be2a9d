// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import dev.tenrec.core.Tenrec;
import dev.tenrec.examples.storefront.command.WatchedCommand;
import dev.tenrec.examples.storefront.report.Remains;
import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.List;

/**
 * Looks for what Tenrec still holds. Waits a little: a permit returns, and a thread dies, a moment
 * after the answer.
 */
final class LeakCheck {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 5;

  private final Ticker clock;
  private final Tenrec tenrec;

  LeakCheck(Ticker clock, Tenrec tenrec) {
    this.clock = clock;
    this.tenrec = tenrec;
  }

  /**
   * Permits that are out, when they have had time to come back. To be asked before the Tenrec is
   * closed.
   */
  long permits(List<WatchedCommand> commands) throws InterruptedException {
    long lastNanos = clock.nanoTime() + PATIENCE.toNanos();
    while (held(commands) > 0 && clock.nanoTime() < lastNanos) {
      Thread.sleep(LOOK_MILLIS);
    }
    return held(commands);
  }

  private static long held(List<WatchedCommand> commands) {
    return commands.stream().mapToLong(command -> command.view().concurrency()).sum();
  }

  /**
   * What is left after the Tenrec was closed: by its own count, and by the JVM's, whichever is
   * greater.
   */
  Remains afterClose(long permits) throws InterruptedException {
    long lastNanos = clock.nanoTime() + PATIENCE.toNanos();
    while (threads() > 0 && clock.nanoTime() < lastNanos) {
      Thread.sleep(LOOK_MILLIS);
    }
    return new Remains(permits, threads(), threadNames());
  }

  private int threads() {
    return Math.max(tenrec.liveThreads(), threadNames().size());
  }

  private static List<String> threadNames() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tenrec-"))
        .sorted()
        .toList();
  }
}
