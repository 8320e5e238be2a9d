// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A stage ends while closing notes that it may go on: {@link RunningStages} keeps no ended one. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "not noted, or let go of")
@Outcome(expect = FORBIDDEN, desc = "kept for ever")
@State
public class RunningStagesStress {

  private final RunningStages stages = new RunningStages();
  private final Execution<String, String> execution = BegunExecution.make();

  public RunningStagesStress() {
    execution.following = true;
  }

  @Actor
  public void closing() {
    stages.mayGoOn(execution);
  }

  @Actor
  public void end() {
    ExecutionState.Stop unused = execution.stop();
    stages.stageEnded(execution);
  }

  @Arbiter
  public void kept(I_Result result) {
    result.r1 = stages.size();
  }
}
