// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.metrics.CommandMetrics;
import dev.tenrec.metrics.MetricsSettings;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The metrics of one command, as they are by default; rolled by those who write, when due. */
@State(Scope.Benchmark)
public class Recording {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** What is written. */
  public final CommandMetrics metrics =
      new CommandMetrics(
          new MetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6, SECOND / 2),
          System.nanoTime(),
          () -> 1);

  /** What every ending does after it has recorded: the look whether a bucket is over. */
  public void rollIfDue() {
    long now = System.nanoTime();
    if (metrics.isDue(now)) {
      metrics.roll(now);
    }
  }
}
