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
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two executions end at a bucket's boundary: both find it due, one rolls, and neither is lost or
 * counted twice. Nor is the one of the bucket that ends: it is not in the window any more.
 */
@JCStressTest
@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "both in the new bucket")
@Outcome(
    id = "1, 3",
    expect = Expect.ACCEPTABLE,
    desc = "the one that did not get to roll was counted before the boundary")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, or counted twice")
@State
public class BucketRollOverStress {

  private final CommandMetrics metrics =
      new CommandMetrics(new MetricsSettings(200, 2, true, 600, 6, 1_000), 0, () -> 0);

  public BucketRollOverStress() {
    metrics.recordSuccess(50);
  }

  private void end() {
    if (metrics.isDue(100)) {
      metrics.roll(100);
    }
    metrics.recordSuccess(50);
  }

  @Actor
  public void one() {
    end();
  }

  @Actor
  public void two() {
    end();
  }

  @Arbiter
  public void sum(JJ_Result result) {
    result.r1 = metrics.rollingCount(EventType.SUCCESS, 250);
    result.r2 = metrics.cumulativeCount(EventType.SUCCESS);
  }
}
