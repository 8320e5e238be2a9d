// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.ChildProcess;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs cells in JVMs of their own. */
final class CellProcess {

  /** Of -XX:+ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  /** What a cell may take besides its load: to warm up, to end. */
  private static final int GRACE_SECONDS = 40;

  /** What it may take when it is stopped. */
  private static final long STOPPED_NANOS = Duration.ofSeconds(3).toNanos();

  private static final Duration LOOK = Duration.ofMillis(50);

  private CellProcess() {}

  static Figures run(Cell cell, URI service, Duration longest, Stop stop)
      throws IOException, InterruptedException {
    if (!cell.engine().isSupported()) {
      return Figures.none("needs JDK 21 or later, and this is " + Runtime.version());
    }
    try (ChildProcess child =
        ChildProcess.start(
            "cell",
            cell.heapMegabytes(),
            List.of(),
            CellMain.class,
            cell.arguments(service.toString(), longest))) {
      try {
        String unused = child.awaitReady(ChildProcess.START);
        child.say(CellMain.BEGIN);
        return await(child, longest.multipliedBy(2).plusSeconds(GRACE_SECONDS), stop);
      } catch (IOException ended) {
        // a cell that fails is a finding, and says nothing of the next one
        if (child.exitCode() == OUT_OF_MEMORY) {
          return Figures.none("died: out of memory");
        }
        return stop.askedSoon()
            ? Figures.none("stopped before it began")
            : Figures.broken(String.valueOf(ended.getMessage()));
      }
    }
  }

  private static Figures await(ChildProcess child, Duration longest, Stop stop)
      throws IOException, InterruptedException {
    RunClock clock = new RunClock();
    long lastNanos = longest.toNanos();
    while (clock.nanos() < lastNanos) {
      Map<String, String> report = child.nextReport(LOOK);
      if (report != null) {
        return CellMain.figures(report);
      }
      if (stop.asked()) {
        // it reports what it has so far
        child.stop();
        lastNanos = Math.min(lastNanos, clock.nanos() + STOPPED_NANOS);
      }
    }
    return Figures.broken("hung: ended by force after " + lastNanos / 1_000_000_000L + " s");
  }
}
