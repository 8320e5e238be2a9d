// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of those that share a run; how calls come to one is raced in {@code RunSharingStress}. */
public class SharedRunStress {

  /** The last one leaves while another comes: it is dropped, or it is shared (row 195). */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "dropped, or joined")
  @Outcome(expect = FORBIDDEN, desc = "somebody joined what was dropped, or it was lost")
  @State
  public static class LastLeaves {
    private final SharedRun<Integer> run = new SharedRun<>();
    private final Sharer<Integer> first = result -> {};

    public LastLeaves() {
      run.join(first);
    }

    @Actor
    public void leaver(ZZ_Result r) {
      r.r1 = run.leave(first);
    }

    @Actor
    public void comer(ZZ_Result r) {
      r.r2 = run.join(result -> {});
    }
  }

  /** The end comes while another joins: it gets that end, or finds the result. */
  @JCStressTest
  @Outcome(
      id = {"7, 0", "0, 7"},
      expect = ACCEPTABLE,
      desc = "notified once, or found")
  @Outcome(expect = FORBIDDEN, desc = "neither, or both")
  @State
  public static class EndWhileJoining {
    private final SharedRun<Integer> run = new SharedRun<>();
    private int results;

    public EndWhileJoining() {
      run.join(result -> {});
    }

    @Actor
    public void ender() {
      run.end(7);
    }

    @Actor
    public void comer(II_Result r) {
      if (!run.join(result -> results += result)) {
        Integer found = run.result();
        r.r2 = found == null ? -1 : found;
      }
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = results;
    }
  }
}
