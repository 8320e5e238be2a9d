// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.comparison;

import dev.tenrec.examples.load.ChildJvm;
import dev.tenrec.examples.load.Stop;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs cells in JVMs of their own. */
final class CellProcess {

  /** Of -XX:+ExitOnOutOfMemoryError. */
  private static final int OUT_OF_MEMORY = 3;

  /** What a cell may take besides its load: to start, to warm up, to end. */
  private static final int GRACE_SECONDS = 40;

  private static final long LOOK_MILLIS = 50;
  private static final Ticker TICKER = Ticker.system();

  private CellProcess() {}

  static Figures run(Cell cell, URI service, int seconds, Stop stop)
      throws IOException, InterruptedException {
    if (!cell.engine().isSupported()) {
      return Figures.none("needs JDK 21 or later, and this is " + Runtime.version());
    }
    Process process =
        ChildJvm.start(
            cell.heapMegabytes(), CellMain.class, cell.arguments(service.toString(), seconds));
    // what it prints is less than a pipe holds, so that it need not be read meanwhile
    long lastNanos = TICKER.nanoTime() + TimeUnit.SECONDS.toNanos(seconds + GRACE_SECONDS);
    boolean told = false;
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      if (TICKER.nanoTime() - lastNanos > 0) {
        process.destroyForcibly();
        return Figures.broken("hung: ended by force after " + (seconds + GRACE_SECONDS) + " s");
      }
      if (stop.asked() && !told) {
        // which it takes as Ctrl-C; process.destroy() would close what it is about to tell
        told = process.toHandle().destroy();
      }
    }
    return figures(process, stop);
  }

  private static Figures figures(Process process, Stop stop) throws IOException {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.exitValue() == OUT_OF_MEMORY) {
      return Figures.none("died: out of memory");
    }
    if (text.isEmpty() && stop.asked()) {
      return Figures.none("stopped before it began");
    }
    if (text.isEmpty()) {
      return Figures.broken("died: exit code " + process.exitValue());
    }
    return Figures.read(new StringReader(text));
  }
}
