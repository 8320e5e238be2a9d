// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * The timer looks at the health while another thread reads the metrics, under their lock, and takes
 * no mark off: the timer comes again, or has looked. If it did neither, no later error would arm
 * it, for there is the mark of a look to come.
 */
@JCStressTest
@Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "looked, and opened the circuit")
@Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "comes again")
@Outcome(expect = FORBIDDEN, desc = "never comes again, or comes for nothing")
@State
public class ArmedLookStress {

  private static final ManualTime TIME = new ManualTime();
  private static final CommandRuntime PATTERN = pattern();

  private final Timer timer = new Timer(TIME, TIME, ThreadThatNeverRuns::new);
  private final CommandRuntime runtime = runtime(timer);

  public ArmedLookStress() {
    runtime.metrics.count(EventType.FAILURE);
    if (!runtime.metrics.claimLook()) {
      throw new IllegalStateException("armed before");
    }
  }

  /** So that what the timer holds stays there. */
  private static final class ThreadThatNeverRuns extends Thread {

    ThreadThatNeverRuns(Runnable task) {
      super(task);
    }

    @Override
    public synchronized void start() {
      // never
    }
  }

  private static CommandRuntime pattern() {
    return Inside.runtime(
        Tenrec.builder()
            .source(new NoSettings())
            .time(TIME, TIME)
            .build()
            .command("Pattern", (String argument) -> argument)
            .errorThreshold(50, 1)
            .build()
            .view());
  }

  private static CommandRuntime runtime(Timer timer) {
    return Inside.withTimer(PATTERN, timer);
  }

  @Actor
  public void timer() {
    runtime.recorder.armedLook();
  }

  @Actor
  public void reader() {
    long unused = runtime.metrics.rollingCount(EventType.FAILURE, 0);
  }

  @Arbiter
  public void afterwards(ZI_Result result) {
    result.r1 = runtime.breaker.state() == CircuitState.OPEN;
    result.r2 = timer.pending();
  }
}
