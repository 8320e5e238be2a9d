// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.LZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Races of {@link ExecutionState} that can be named. Two actors each, as many as a small machine
 * has cores.
 */
public class ExecutionStateStress {

  /** What an execution is to these tests. */
  static class Life extends ExecutionState {
    int value; // plain, as an execution's ending is
    int permits = 1; // plain, as its permit is

    Life() {
      super(0);
    }

    @Override
    protected void expired() {}

    static Life launched() {
      Life life = new Life();
      boolean unused = life.launch();
      return life;
    }

    /** Begun, and listeners were notified of its start: so they are of its ending. */
    static Life reported() {
      Life life = new Life();
      boolean first = life.startBegins();
      boolean last = life.reportEnds();
      boolean launched = life.launch();
      boolean begun = life.begin(null);
      if (!first || last || !launched || !begun) {
        throw new IllegalStateException("not begun");
      }
      return life;
    }

    static Life begun(Thread worker) {
      Life life = launched();
      boolean unused = life.begin(worker);
      return life;
    }
  }

  /** The work stops and its end claims; the deadline or a canceller claims too. */
  @JCStressTest
  @Outcome(
      id = {
        "IN_TIME AFTER_WORK, LOST",
        "IN_TIME LOST, AFTER_WORK",
        "ABANDONED_RUNNING LOST, DURING_WORK"
      },
      expect = ACCEPTABLE,
      desc = "one ending, and both know whether the work was busy")
  @Outcome(expect = FORBIDDEN, desc = "two endings, none, or two opinions")
  @State
  public static class FinishAgainstTimeout {
    private final Life life = Life.begun(null);

    @Actor
    public void worker(LL_Result r) {
      r.r1 = life.stop() + " " + life.claim();
    }

    @Actor
    public void timer(LL_Result r) {
      r.r2 = life.claim();
    }
  }

  /** Two threads that are not the work's. */
  @JCStressTest
  @Outcome(
      id = {"DURING_WORK, LOST", "LOST, DURING_WORK"},
      expect = ACCEPTABLE,
      desc = "one ending")
  @Outcome(expect = FORBIDDEN, desc = "two endings or none")
  @State
  public static class TimeoutAgainstCancel {
    private final Life life = Life.begun(null);

    @Actor
    public void timer(LL_Result r) {
      r.r1 = life.claim();
    }

    @Actor
    public void caller(LL_Result r) {
      r.r2 = life.claim();
    }
  }

  /**
   * The thread that takes the work up, or ends the execution before it began, gives its permit
   * back: exactly one of both.
   */
  @JCStressTest
  @Outcome(id = "true, DURING_WORK", expect = ACCEPTABLE, desc = "it began, the worker gives back")
  @Outcome(
      id = "false, BEFORE_WORK",
      expect = ACCEPTABLE,
      desc = "it never runs, the claimer gives back")
  @Outcome(expect = FORBIDDEN, desc = "runs without a caller, or a permit is lost or given twice")
  @State
  public static class BeginAgainstClaim {
    private final Life life = Life.launched();

    @Actor
    public void worker(LL_Result r) {
      r.r1 = life.begin(null);
    }

    @Actor
    public void timer(LL_Result r) {
      r.r2 = life.claim();
    }
  }

  /**
   * The same at the end of the way in; the permit is seen by the thread that has to give it back.
   */
  @JCStressTest
  @Outcome(
      id = "true, BEFORE_WORK 1",
      expect = ACCEPTABLE,
      desc = "launched, the claimer gives back")
  @Outcome(id = "false, BEFORE_LAUNCH", expect = ACCEPTABLE, desc = "its caller gives back")
  @Outcome(expect = FORBIDDEN, desc = "a permit is lost or given twice")
  @State
  public static class LaunchAgainstClaim {
    private final Life life = new Life();

    public LaunchAgainstClaim() {
      life.permits = 0;
    }

    @Actor
    public void caller(LL_Result r) {
      life.permits = 1;
      r.r1 = life.launch();
    }

    @Actor
    public void canceller(LL_Result r) {
      ExecutionState.Claim claim = life.claim();
      r.r2 = claim == ExecutionState.Claim.BEFORE_WORK ? claim + " " + life.permits : claim;
    }
  }

  /** An interrupt for this work does not reach what its thread does after it. */
  @JCStressTest
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "the flag is clear and stays so")
  @Outcome(expect = FORBIDDEN, desc = "the next task would be interrupted")
  @State
  public static class InterruptAgainstStop {
    // of this very thread's making: begun by the worker, which races with the interrupter
    private final Life life = Life.launched();

    @Actor
    public void worker(ZZ_Result r) {
      boolean begun = life.begin(Thread.currentThread());
      ExecutionState.Stop unused = life.stop();
      r.r1 = Thread.currentThread().isInterrupted() || !begun;
      for (int i = 0; i < 50; i++) {
        Thread.onSpinWait();
      }
      r.r2 = Thread.interrupted();
    }

    @Actor
    public void timer() {
      life.interruptWork();
    }
  }

  /** Two interrupters: the second neither doubles the first's nor undoes its mark. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "interrupted, then cleared by the stop")
  @Outcome(expect = FORBIDDEN, desc = "an interrupt was lost, or outlived the work")
  @State
  public static class InterruptAgainstInterrupt {
    private final Thread worker = new Flag();
    private final Life life = Life.begun(worker);

    @Actor
    public void timer() {
      life.interruptWork();
    }

    @Actor
    public void caller() {
      life.interruptWork();
    }

    @Arbiter
    public void afterwards(ZZ_Result r) {
      r.r1 = ((Flag) worker).interrupts >= 1;
      ExecutionState.Stop unused =
          life.stop(); // clears this thread's own flag, which nobody has set
      r.r2 = life.stop() != ExecutionState.Stop.AGAIN;
    }
  }

  /** Counts interrupts instead of suffering them. */
  static final class Flag extends Thread {
    volatile int interrupts;

    @Override
    public void interrupt() {
      interrupts++;
    }
  }

  /** The fallback has answered, the caller gives up: one of both. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one answer")
  @Outcome(expect = FORBIDDEN, desc = "two answers or none")
  @State
  public static class FallbackAgainstCancel {
    private final Life life = Life.begun(null);

    public FallbackAgainstCancel() {
      ExecutionState.Claim unused = life.claim();
      life.decided();
      boolean unusedToo = life.openFallback();
    }

    @Actor
    public void fallback(ZZ_Result r) {
      r.r1 = life.claimFallback() != ExecutionState.FallbackClaim.LOST;
    }

    @Actor
    public void caller(ZZ_Result r) {
      r.r2 = life.claimFallback() != ExecutionState.FallbackClaim.LOST;
    }
  }

  /** The way to the fallback opens while the work stops: neither loses the other's bits. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "both happened")
  @Outcome(expect = FORBIDDEN, desc = "an update was lost")
  @State
  public static class OpenFallbackAgainstStop {
    private final Life life = Life.begun(null);

    public OpenFallbackAgainstStop() {
      ExecutionState.Claim unused = life.claim();
    }

    @Actor
    public void owner() {
      life.decided();
      boolean unusedToo = life.openFallback();
    }

    @Actor
    public void worker(ZZZ_Result r) {
      r.r3 = life.stop() == ExecutionState.Stop.ABANDONED_RUNNING;
    }

    @Arbiter
    public void afterwards(ZZZ_Result r) {
      r.r1 = life.isAtFallback();
      r.r2 = life.hasStopped();
    }
  }

  /** Who sees that it is answered sees the answer. */
  @JCStressTest
  @Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "answered")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not yet")
  @Outcome(expect = FORBIDDEN, desc = "answered without the answer")
  @State
  public static class PublishedAnswer {
    private final Life life = Life.begun(null);

    @Actor
    public void owner() {
      ExecutionState.Claim unused = life.claim();
      life.value = 42;
      life.decided();
      boolean unusedToo = life.publish();
    }

    @Actor
    public void caller(II_Result r) {
      boolean answered = life.isAnswered();
      r.r1 = answered ? 1 : 0;
      r.r2 = answered ? life.value : 0;
    }
  }

  /** The owner of the ending and a thread that takes it for lost publish: one of both does. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the owner")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the other")
  @Outcome(expect = FORBIDDEN, desc = "both, so the ending is delivered twice, or neither")
  @State
  public static class PublishAgainstPublish {
    private final Life life = Life.begun(null);

    public PublishAgainstPublish() {
      ExecutionState.Claim unused = life.claim();
      life.decided();
    }

    @Actor
    public void owner(ZZ_Result r) {
      r.r1 = life.publish();
    }

    @Actor
    public void waiting(ZZ_Result r) {
      r.r2 = life.publish();
    }
  }

  /** The owner opens the fallback while another thread takes the ending for lost: one happens. */
  @JCStressTest
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the fallback")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the first cause")
  @Outcome(expect = FORBIDDEN, desc = "an answered call at its fallback, or neither")
  @State
  public static class OpenFallbackAgainstPublish {
    private final Life life = Life.begun(null);

    public OpenFallbackAgainstPublish() {
      ExecutionState.Claim unused = life.claim();
      life.decided();
    }

    @Actor
    public void owner(ZZ_Result r) {
      r.r1 = life.openFallback();
    }

    @Actor
    public void waiting(ZZ_Result r) {
      r.r2 = life.publish();
    }
  }

  /** A canceller gives a call up while a thread of ours ends its fallback: counted busy or not. */
  @JCStressTest
  @Outcome(id = "DURING_FALLBACK, true", expect = ACCEPTABLE, desc = "busy, then not")
  @Outcome(id = "IDLE, false", expect = ACCEPTABLE, desc = "it had ended")
  @Outcome(expect = FORBIDDEN, desc = "counted as busy for ever, or never")
  @State
  public static class CancelAgainstFallbackEnd {
    private final Life life = Life.begun(null);

    public CancelAgainstFallbackEnd() {
      ExecutionState.Claim unused = life.claim();
      life.decided();
      boolean opened = life.openFallback() && life.fallbackBegins();
    }

    @Actor
    public void canceller(LZ_Result r) {
      r.r1 = life.claimFallback();
    }

    @Actor
    public void fallback(LZ_Result r) {
      r.r2 = life.fallbackEnds();
    }
  }

  /** The same for the cause, which the caller's fallback is given. */
  @JCStressTest
  @Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "the caller may run its fallback")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not yet")
  @Outcome(expect = FORBIDDEN, desc = "a fallback without its cause")
  @State
  public static class PublishedCause {
    private final Life life = Life.begun(null);

    @Actor
    public void owner() {
      ExecutionState.Claim unused = life.claim();
      life.value = 42;
      life.decided();
      boolean unusedToo = life.openFallback();
    }

    @Actor
    public void caller(II_Result r) {
      boolean atFallback = life.isAtFallback();
      r.r1 = atFallback ? 1 : 0;
      r.r2 = atFallback ? life.value : 0;
    }
  }

  /**
   * An ending comes while listeners are notified of a step: each waits for the other, and no thread
   * does.
   */
  @JCStressTest
  @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "the step, then the ending by its owner")
  @Outcome(
      id = "12, 1",
      expect = ACCEPTABLE,
      desc = "the same by the thread that reported the step")
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "the ending, and the step not at all")
  @Outcome(expect = FORBIDDEN, desc = "reported together, twice, never, or in another order")
  @State
  public static class EndingAgainstStep {
    private final Life life = Life.reported();

    @Actor
    public void reporter(II_Result r) {
      if (life.reportBegins()) {
        life.value = life.value * 10 + 1;
        if (life.reportEnds()) {
          life.value = life.value * 10 + 2;
          r.r2 = 1;
        }
      }
    }

    @Actor
    public void owner() {
      ExecutionState.Claim unused = life.claim();
      if (life.endingDue()) {
        life.value = life.value * 10 + 2;
      }
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = life.value;
    }
  }
}
