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
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of those that share a run. */
public class SharedRunStress {

  /** Two callers that miss together: one begins the run, the other shares it (rows 184, 196). */
  @JCStressTest
  @Outcome(
      id = {"true, false, 2", "false, true, 2"},
      expect = ACCEPTABLE,
      desc = "one begins it, both are notified")
  @Outcome(expect = FORBIDDEN, desc = "two runs, or none, or one is not notified")
  @State
  public static class FirstCaller {
    private final RequestCache cache = new RequestCache();
    private final int[] results = new int[2];

    @Actor
    public void one(ZZI_Result r) {
      r.r1 = begins(0);
    }

    @Actor
    public void other(ZZI_Result r) {
      r.r2 = begins(1);
    }

    @Arbiter
    public void afterwards(ZZI_Result r) {
      @SuppressWarnings("unchecked")
      SharedRun<Integer> run = (SharedRun<Integer>) cache.find("command", "key");
      run.end(1);
      r.r3 = results[0] + results[1];
    }

    private boolean begins(int caller) {
      Sharer<Integer> sharer = result -> results[caller] += result;
      while (true) {
        @SuppressWarnings("unchecked")
        SharedRun<Integer> present = (SharedRun<Integer>) cache.find("command", "key");
        if (present == null) {
          SharedRun<Integer> begun = new SharedRun<>();
          if (begun.join(sharer) && cache.putIfAbsent("command", "key", begun)) {
            return true;
          }
        } else if (present.join(sharer)) {
          return false;
        }
      }
    }
  }

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
