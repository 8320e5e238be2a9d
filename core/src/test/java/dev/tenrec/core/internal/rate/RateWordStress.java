// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.JZJ_Result;

/** Races of {@link RateWord} that can be named; two actors each, as in the other tests. */
public class RateWordStress {

  private static final long INTERVAL = 1_000;

  /** One permit, two takers. */
  @JCStressTest
  @Outcome(
      id = {"0, 1000", "1000, 0"},
      expect = ACCEPTABLE,
      desc = "one takes it, the other has to wait for an interval")
  @Outcome(expect = FORBIDDEN, desc = "both, neither, or a wrong time")
  @State
  public static class LastPermit {
    private final RateLimiter limiter = new RateLimiter(new Rate(1, INTERVAL, 1), 1, 0);

    @Actor
    public void first(JJ_Result r) {
      r.r1 = limiter.take(0);
    }

    @Actor
    public void second(JJ_Result r) {
      r.r2 = limiter.take(0);
    }
  }

  /** Two permits, two takers: none is refused, and both are spent. */
  @JCStressTest
  @Outcome(id = "0, 0, 1000", expect = ACCEPTABLE, desc = "both are let in, and both are spent")
  @Outcome(expect = FORBIDDEN, desc = "a permit was refused, or spent twice")
  @State
  public static class TwoPermits {
    private final RateLimiter limiter = new RateLimiter(new Rate(1, INTERVAL, 2), 1, 0);

    @Actor
    public void first(JJJ_Result r) {
      r.r1 = limiter.take(0);
    }

    @Actor
    public void second(JJJ_Result r) {
      r.r2 = limiter.take(0);
    }

    @Arbiter
    public void afterwards(JJJ_Result r) {
      r.r3 = limiter.take(0);
    }
  }

  /** A key is thrown out while it takes: it has a permit, or it is gone; never both. */
  @JCStressTest
  @Outcome(id = "0, false, 0", expect = ACCEPTABLE, desc = "it took a permit, so it stayed")
  @Outcome(id = "-1, true, -1", expect = ACCEPTABLE, desc = "it was thrown out, and took nothing")
  @Outcome(expect = FORBIDDEN, desc = "a permit was taken of a word that is gone")
  @State
  public static class TakenWhileRetired {
    private final RateWord word = new RateWord(new Rate(1, INTERVAL, 2), 0);

    @Actor
    public void taker(JZJ_Result r) {
      r.r1 = word.take(0);
    }

    @Actor
    public void retirer(JZJ_Result r) {
      r.r2 = word.retire(0);
    }

    @Arbiter
    public void afterwards(JZJ_Result r) {
      r.r3 = word.take(0);
    }
  }

  /** The rate changes while the one permit is taken: it is spent, by the rate after. */
  @JCStressTest
  @Outcome(id = "0, 10", expect = ACCEPTABLE, desc = "spent by the new rate")
  @Outcome(expect = FORBIDDEN, desc = "refused, or spent by the rate before")
  @State
  public static class TakenWhileChanged {
    private final RateLimiter limiter = new RateLimiter(new Rate(1, INTERVAL, 1), 1, 0);

    @Actor
    public void taker(JJ_Result r) {
      r.r1 = limiter.take(0);
    }

    @Actor
    public void changer() {
      limiter.change(new Rate(1, 10, 1), 1, 0);
    }

    @Arbiter
    public void afterwards(JJ_Result r) {
      r.r2 = limiter.take(0);
    }
  }
}
