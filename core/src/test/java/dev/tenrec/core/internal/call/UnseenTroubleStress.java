// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.internal.MetricsSettings;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * Errors end while another thread looks at the health: the look has seen them, or one look, and not
 * two, is asked for. Two actors each, as a test with more is not run on two processors: of two
 * errors and a look, any two meet, and the third has been before.
 */
public class UnseenTroubleStress {

  /** A command, and what an error and a look do when they come. */
  static class Watched {
    final CommandMetrics metrics =
        new CommandMetrics(new MetricsSettings(10_000, 10, false, 60_000, 6, 1_000), 0, () -> 0);

    /** How often the timer was to be armed: at most once. */
    final int fail() {
      metrics.count(EventType.FAILURE);
      return !metrics.isLookComing() && metrics.claimLook() ? 1 : 0;
    }

    /** How many errors the look has seen. */
    final int look() {
      HealthSnapshot health = metrics.lookArmed(1);
      return health == null ? 0 : (int) health.errors();
    }
  }

  /** The first error ends while a look is under way: it marks itself, or the look has seen it. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "seen, or left to the armed look")
  @Outcome(expect = FORBIDDEN, desc = "lost, or not armed")
  @State
  public static class ErrorAgainstLook extends Watched {
    private int armed;
    private int seen;

    @Actor
    public void error() {
      armed = fail();
    }

    @Actor
    public void other() {
      seen = look();
    }

    @Arbiter
    public void sum(ZI_Result result) {
      result.r1 = metrics.disarm() || seen == 1;
      result.r2 = armed;
    }
  }

  /**
   * An error was marked before, and another one ends, which finds the mark or does not, while a
   * look takes it off: this is the race of two errors and a look in which the second error relies
   * on the mark of the first.
   */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "seen, or left to the armed look")
  @Outcome(expect = FORBIDDEN, desc = "lost, or armed twice")
  @State
  public static class SecondErrorAgainstLook extends Watched {
    private final int armedBefore = fail();
    private int armed;
    private int seen;

    @Actor
    public void error() {
      armed = fail();
    }

    @Actor
    public void other() {
      seen = look();
    }

    @Arbiter
    public void sum(ZI_Result result) {
      result.r1 = metrics.disarm() || seen == 2;
      result.r2 = armedBefore + armed;
    }
  }

  /** Two errors end at once, and the look comes after them. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "one of them arms, and the look sees both")
  @Outcome(expect = FORBIDDEN, desc = "lost, armed twice, or by nobody")
  @State
  public static class ErrorAgainstError extends Watched {
    private int armedByOne;
    private int armedByOther;

    @Actor
    public void one() {
      armedByOne = fail();
    }

    @Actor
    public void other() {
      armedByOther = fail();
    }

    @Arbiter
    public void sum(II_Result result) {
      result.r1 = armedByOne + armedByOther;
      result.r2 = metrics.disarm() ? look() : -1;
    }
  }
}
