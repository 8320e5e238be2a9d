// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.internal.MetricsSettings;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Percentiles are switched off, which gives the latency slots away, while a success is recorded in
 * one.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "counted once")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, or counted twice")
@State
public class PercentilesOffStress {

  private final CommandMetrics metrics =
      new CommandMetrics(new MetricsSettings(100, 1, true, 600, 6, 1_000), 0, () -> 0);

  @Actor
  public void success() {
    metrics.recordSuccess(50);
  }

  @Actor
  public void off() {
    metrics.reconfigure(new MetricsSettings(100, 1, false, 600, 6, 1_000), 10);
  }

  @Arbiter
  public void sum(J_Result result) {
    result.r1 = metrics.cumulativeCount(EventType.SUCCESS);
  }
}
