// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.work.Call;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
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

  /** Of whose command the stages of this test are. */
  private static final Execution<String, String> PATTERN = pattern();

  private final RunningStages stages = new RunningStages();
  private final Execution<String, String> execution =
      new Execution<>(PATTERN.pipeline, PATTERN.plan, "x", null, false, 0);

  public RunningStagesStress() {
    execution.following = true;
    if (!execution.launch() || !execution.begin(null)) {
      throw new IllegalStateException("not begun");
    }
  }

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private static Execution<String, String> pattern() {
    AtomicReference<Call> seen = new AtomicReference<>();
    Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
    var unused =
        tenrec
            .asyncCommand(
                "Raced",
                (String argument, Call call) -> {
                  seen.set(call);
                  return CompletableFuture.completedFuture(argument);
                })
            .build()
            .execute("x");
    return (Execution<String, String>) seen.get();
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
