// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Races of {@link RetryBudget} and its tokens that can be named; two actors each. */
public class RetryTokenStress {

  /** A budget of one further attempt. */
  static class One {
    final SharedBudget budget = new SharedBudget(100, 0, 0);

    One() {
      budget.join(new SharedBudget.Member("Raced", now -> 1));
    }

    RetryToken drawn() {
      RetryToken token = budget.draw(0);
      if (token == null) {
        throw new IllegalStateException("nothing to draw");
      }
      return token;
    }
  }

  /** One is left, and two want it. */
  @JCStressTest
  @Outcome(
      id = {"true, false, 1", "false, true, 1"},
      expect = ACCEPTABLE,
      desc = "one has it")
  @Outcome(expect = FORBIDDEN, desc = "both, or neither")
  @State
  public static class LastToken extends One {

    @Actor
    public void first(ZZI_Result r) {
      r.r1 = budget.draw(0) != null;
    }

    @Actor
    public void second(ZZI_Result r) {
      r.r2 = budget.draw(0) != null;
    }

    @Arbiter
    public void result(ZZI_Result r) {
      r.r3 = budget.spent(0);
    }
  }

  /** The attempt begins while its call is given up. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "it began: spent")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "it must not begin: given back")
  @Outcome(expect = FORBIDDEN, desc = "begun on what was given back, or lost")
  @State
  public static class SpendAgainstGiveBack extends One {
    private final RetryToken token = drawn();

    @Actor
    public void begin(ZI_Result r) {
      r.r1 = token.spend();
    }

    @Actor
    public void giveUp() {
      token.giveBack();
    }

    @Arbiter
    public void result(ZI_Result r) {
      r.r2 = budget.spent(0);
    }
  }

  /** Two threads give the same token back. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "given back once")
  @Outcome(expect = FORBIDDEN, desc = "given back twice, or not at all")
  @State
  public static class GiveBackTwice extends One {
    private final RetryToken token = drawn();

    @Actor
    public void first() {
      token.giveBack();
    }

    @Actor
    public void second() {
      token.giveBack();
    }

    @Arbiter
    public void result(II_Result r) {
      r.r1 = budget.spent(0);
      r.r2 = budget.left(0);
    }
  }

  /** A further attempt is drawn while the figures of the budget change, both at once. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "by the figures before")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "by those after")
  @Outcome(expect = FORBIDDEN, desc = "by some of each")
  @State
  public static class DrawAgainstChange extends One {

    @Actor
    public void draw(ZI_Result r) {
      r.r1 = budget.draw(0) != null;
    }

    @Actor
    public void change() {
      budget.change(0, 0);
    }

    @Arbiter
    public void result(ZI_Result r) {
      r.r2 = budget.spent(0);
    }
  }
}
