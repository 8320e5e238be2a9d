// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.internal.MetricsSettings;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * Two errors end while a third thread looks at the health: the look has seen both, or one look, and
 * not two, is asked for.
 */
@JCStressTest
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "seen, or left to the armed look")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, or armed twice")
@State
public class UnseenTroubleStress {

  private final CommandMetrics metrics =
      new CommandMetrics(new MetricsSettings(10_000, 10, false, 60_000, 6, 1_000), 0, () -> 0);
  private int armedByOne;
  private int armedByTwo;
  private int seen;

  private int fail() {
    metrics.count(EventType.FAILURE);
    return !metrics.isLookComing() && metrics.claimLook() ? 1 : 0;
  }

  @Actor
  public void one() {
    armedByOne = fail();
  }

  @Actor
  public void two() {
    armedByTwo = fail();
  }

  @Actor
  public void look() {
    HealthSnapshot health = metrics.lookArmed(1);
    seen = health == null ? 0 : (int) health.errors();
  }

  @Arbiter
  public void sum(ZI_Result result) {
    boolean unseen = metrics.disarm();
    result.r1 = unseen || seen == 2;
    result.r2 = armedByOne + armedByTwo;
  }
}
