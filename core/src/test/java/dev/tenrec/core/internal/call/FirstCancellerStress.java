// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The first canceller of an execution is registered: {@link RunningWork} makes room for it. */
public class FirstCancellerStress {

  /** Two threads of the work each register one, and neither finds the other's. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both have run, once")
  @Outcome(expect = FORBIDDEN, desc = "one was lost, or ran twice")
  @State
  public static class FirstAgainstFirst {
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();
    private final Execution<String, String> execution = BegunExecution.make();

    @Actor
    public void work() {
      execution.onCancel(first::incrementAndGet);
    }

    @Actor
    public void helper() {
      execution.onCancel(second::incrementAndGet);
    }

    @Arbiter
    public void givenUpLater(II_Result result) {
      ExecutionState.Claim unused = execution.claim();
      execution.runCancellers();
      result.r1 = first.get();
      result.r2 = second.get();
    }
  }

  /** The call is given up, and there was nothing to cancel a moment ago. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "has run, once")
  @Outcome(expect = FORBIDDEN, desc = "lost, or ran twice")
  @State
  public static class FirstAgainstGivingUp {
    private final AtomicInteger runs = new AtomicInteger();
    private final Execution<String, String> execution = BegunExecution.make();

    @Actor
    public void work() {
      execution.onCancel(runs::incrementAndGet);
    }

    @Actor
    public void timer() {
      ExecutionState.Claim unused = execution.claim();
      execution.runCancellers();
    }

    @Arbiter
    public void afterwards(I_Result result) {
      result.r1 = runs.get();
    }
  }

  /** As {@link FirstAgainstGivingUp}, and the work stops then: a thread that it left registers. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "has run, once")
  @Outcome(expect = FORBIDDEN, desc = "lost, or ran twice")
  @State
  public static class FirstAgainstStop {
    private final AtomicInteger runs = new AtomicInteger();
    private final Execution<String, String> execution = BegunExecution.make();

    @Actor
    public void leftBehind() {
      execution.onCancel(runs::incrementAndGet);
    }

    @Actor
    public void timer() {
      ExecutionState.Claim unusedClaim = execution.claim();
      execution.runCancellers();
      ExecutionState.Stop unusedStop = execution.stop();
    }

    @Arbiter
    public void afterwards(I_Result result) {
      result.r1 = runs.get();
    }
  }
}
