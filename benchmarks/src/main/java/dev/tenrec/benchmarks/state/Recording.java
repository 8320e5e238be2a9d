// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.state;

import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.internal.MetricsSettings;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The metrics of one command, as they are by default; looked at by the threads that write, when
 * due.
 */
@State(Scope.Benchmark)
public class Recording {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** What is written. */
  public final CommandMetrics metrics =
      new CommandMetrics(
          new MetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6, SECOND / 2),
          System.nanoTime(),
          () -> 1);

  /**
   * What every ending does about its record: the look whether a bucket is over, or the health is to
   * be asked for, which puts the next such look off. Whether there was anything to look at.
   */
  public boolean lookIfDue() {
    long now = System.nanoTime();
    return metrics.isDue(now) && metrics.lookAtHealth(now) != null;
  }
}
