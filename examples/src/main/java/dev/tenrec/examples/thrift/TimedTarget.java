// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift;

import dev.tenrec.examples.load.Latency;
import dev.tenrec.examples.load.engine.Target;
import dev.tenrec.metrics.time.Ticker;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * Another target, with how long its callers waited whatever came of it: a collapse shows in those
 * who got nothing, whom the latency of answered calls leaves out. Thread-safe.
 */
final class TimedTarget implements Target {

  private static final Ticker TICKER = Ticker.system();
  private static final long MOST_MICROS = 600_000_000;

  private final Target target;
  private final Histogram micros = new AtomicHistogram(MOST_MICROS, 3);

  TimedTarget(Target target) {
    this.target = target;
  }

  @Override
  public int call() throws Exception {
    long beginNanos = TICKER.nanoTime();
    try {
      return target.call();
    } finally {
      note(beginNanos);
    }
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    long beginNanos = TICKER.nanoTime();
    return target.callAsync().whenComplete((status, failed) -> note(beginNanos));
  }

  private void note(long beginNanos) {
    micros.recordValue(Math.min((TICKER.nanoTime() - beginNanos) / 1_000, MOST_MICROS));
  }

  /** To be asked when no call is under way. */
  Latency waited() {
    return new Latency(micros.copy());
  }

  @Override
  public void close() throws Exception {
    target.close();
  }
}
