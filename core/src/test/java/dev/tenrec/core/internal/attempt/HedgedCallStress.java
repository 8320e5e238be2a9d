// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.RunningStages;
import dev.tenrec.core.internal.retry.RetryBudget;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLZ_Result;
import org.openjdk.jcstress.infra.results.LZ_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * Races of {@link HedgedCall} that can be named, on the executions and the pipeline of a real
 * command; two actors each. An attempt's actor runs the attempt as its thread would.
 */
public class HedgedCallStress {

  private static final Duration NEVER = Duration.ofDays(1);

  /** Of which the calls of all these tests are. */
  private static final HedgedAttempt<String, String> PATTERN = pattern();

  private static CompletableFuture<String> work(String argument) {
    return argument.equals("ok")
        ? CompletableFuture.completedFuture(argument)
        : CompletableFuture.failedFuture(new IOException("again"));
  }

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private static HedgedAttempt<String, String> pattern() {
    AtomicReference<Call> seen = new AtomicReference<>();
    Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();
    var unused =
        tenrec
            .asyncCommand(
                "Raced",
                (String argument, Call call) -> {
                  seen.set(call);
                  return work(argument);
                })
            .withoutTimeout()
            .withoutCircuitBreaker()
            .hedge(Hedge.after(NEVER))
            .build()
            .execute("ok");
    return (HedgedAttempt<String, String>) seen.get();
  }

  /** A call whose first attempt is launched, and which may have a second one. */
  static class Hedged {
    final Execution<String, String> whole;
    final HedgedCall<String, String> call;
    final HedgedAttempt<String, String> first;
    final HedgedAttempt<String, String> second;

    Hedged(String argument) {
      whole = new Execution<>(PATTERN.pipeline, PATTERN.plan, argument, null, false, 0);
      call = new HedgedCall<>(PATTERN.call.hedges, whole, NEVER.toNanos(), 4);
      whole.share = call;
      first = new HedgedAttempt<>(call, 1, 1, 0);
      second = new HedgedAttempt<>(call, 2, 1, 0);
      if (!whole.launch() || !call.addFirst(first) || !first.launch() || !second.launch()) {
        throw new IllegalStateException("not launched");
      }
    }

    int failures() {
      List<Throwable> failed = call.failedAttempts();
      return failed == null ? 1 : failed.size();
    }
  }

  /** Both succeed: one ends the call, and the other one was outrun. */
  @JCStressTest
  @Outcome(
      id = {"SUCCESS, ATTEMPT_OUTRUN, true", "ATTEMPT_OUTRUN, SUCCESS, true"},
      expect = ACCEPTABLE,
      desc = "one winner, one loser, and the call is answered")
  @Outcome(expect = FORBIDDEN, desc = "two winners, none, or an attempt that is not counted")
  @State
  public static class WinnerAgainstLoser extends Hedged {

    public WinnerAgainstLoser() {
      super("ok");
      boolean unused = call.add(second);
    }

    @Actor
    public void first() {
      first.run();
    }

    @Actor
    public void second() {
      second.run();
    }

    @Arbiter
    public void result(LLZ_Result r) {
      r.r1 = first.countedAs;
      r.r2 = second.countedAs;
      r.r3 = whole.isAnswered() && whole.has(EventType.SUCCESS);
    }
  }

  /** It succeeds, or its caller gives up before. */
  @JCStressTest
  @Outcome(id = "SUCCESS, false", expect = ACCEPTABLE, desc = "answered; too late to cancel")
  @Outcome(id = "null, true", expect = ACCEPTABLE, desc = "cancelled, which the call counts")
  @Outcome(expect = FORBIDDEN, desc = "both, neither, or counted twice")
  @State
  public static class WinnerAgainstCancel extends Hedged {
    private boolean cancelled;

    public WinnerAgainstCancel() {
      super("ok");
    }

    @Actor
    public void work() {
      first.run();
    }

    @Actor
    public void cancel() {
      cancelled = whole.cancel(false);
    }

    @Arbiter
    public void result(LZ_Result r) {
      r.r1 = String.valueOf(first.countedAs);
      r.r2 = cancelled && whole.has(EventType.CANCELLED);
    }
  }

  /** Both fail: the last of them ends the call. */
  @JCStressTest
  @Outcome(id = "true, 2", expect = ACCEPTABLE, desc = "the call failed, for two reasons")
  @Outcome(expect = FORBIDDEN, desc = "no ending, or a failure that is lost")
  @State
  public static class LastFailure extends Hedged {

    public LastFailure() {
      super("fails");
      boolean unused = call.add(second);
    }

    @Actor
    public void first() {
      first.run();
    }

    @Actor
    public void second() {
      second.run();
    }

    @Arbiter
    public void result(ZI_Result r) {
      r.r1 = whole.isAnswered() && whole.has(EventType.FAILURE);
      r.r2 = failures();
    }
  }

  /** The only attempt fails while a hedge is about to begin. */
  @JCStressTest
  @Outcome(id = "true, true, 2", expect = ACCEPTABLE, desc = "it began, and was the last to fail")
  @Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the call has ended without it")
  @Outcome(expect = FORBIDDEN, desc = "no ending, or a hedge of a call that has ended")
  @State
  public static class FailureAgainstHedge extends Hedged {
    private boolean begun;

    public FailureAgainstHedge() {
      super("fails");
    }

    @Actor
    public void first() {
      first.run();
    }

    @Actor
    public void hedge() {
      begun = call.add(second);
      if (begun) {
        second.run();
      }
    }

    @Arbiter
    public void result(ZZI_Result r) {
      r.r1 = whole.isAnswered();
      r.r2 = begun;
      r.r3 = failures();
    }
  }

  /** A call all of whose attempts have failed: its owner has drawn one for the next round. */
  static class Deciding extends Hedged {
    private final RetryBudget budget = new RetryBudget(0);
    private final RetryToken token = budget.draw(100, 0, () -> 1, 0);
    final RunningStages stages = new RunningStages();

    Deciding() {
      super("fails");
      if (!call.failed(first, EventType.FAILURE, new IOException("again")) || token == null) {
        throw new IllegalStateException("not decided on");
      }
    }

    /** As the owner of the last ending does. */
    boolean schedules() {
      boolean waits = stages.addWaiting(whole) && call.waits(first, token, 0);
      if (!waits) {
        stages.removeWaiting(whole);
        token.giveBack();
        boolean unused = call.endsFailed(first);
      }
      return waits;
    }

    int spent() {
      return budget.spent(0);
    }
  }

  /** A round is scheduled, and all is closed: the call ends, and its token is back. */
  @JCStressTest
  @Outcome(
      id = {"true, true, 0", "false, true, 0"},
      expect = ACCEPTABLE,
      desc = "closing found the call, or it ended itself; nothing was spent")
  @Outcome(expect = FORBIDDEN, desc = "a call that waits for ever, or a token that is lost")
  @State
  public static class RoundAgainstClose extends Deciding {
    private boolean scheduled;

    @Actor
    public void schedule() {
      scheduled = schedules();
    }

    @Actor
    public void close() {
      stages.close().forEach(Execution::closed);
    }

    @Arbiter
    public void result(ZZI_Result r) {
      r.r1 = scheduled;
      r.r2 = whole.isClaimed();
      r.r3 = spent();
    }
  }

  /** A round is scheduled, and the caller gives up. */
  @JCStressTest
  @Outcome(
      id = {"true, true, 0", "false, true, 0"},
      expect = ACCEPTABLE,
      desc = "the call is cancelled, and nothing was spent")
  @Outcome(expect = FORBIDDEN, desc = "two endings, or a token that is lost")
  @State
  public static class RoundAgainstCancel extends Deciding {
    private boolean scheduled;
    private boolean cancelled;

    @Actor
    public void schedule() {
      scheduled = schedules();
    }

    @Actor
    public void cancel() {
      cancelled = whole.cancel(false);
    }

    @Arbiter
    public void result(ZZI_Result r) {
      r.r1 = scheduled;
      r.r2 = cancelled && whole.has(EventType.CANCELLED);
      r.r3 = spent();
    }
  }

  /** A round begins, and the caller gives up: it is spent if and only if an attempt began. */
  @JCStressTest
  @Outcome(id = "true, true, 1", expect = ACCEPTABLE, desc = "it began, and was given up")
  @Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "it did not begin")
  @Outcome(expect = FORBIDDEN, desc = "an attempt on no token, or a token that is lost")
  @State
  public static class RoundBeginsAgainstCancel extends Deciding {
    private boolean begun;
    private boolean cancelled;

    public RoundBeginsAgainstCancel() {
      if (!schedules()) {
        throw new IllegalStateException("not scheduled");
      }
    }

    @Actor
    public void begin() {
      begun = call.next(0) != null;
    }

    @Actor
    public void cancel() {
      cancelled = whole.cancel(false);
    }

    @Arbiter
    public void result(ZZI_Result r) {
      r.r1 = begun;
      r.r2 = cancelled && whole.has(EventType.CANCELLED);
      r.r3 = spent();
    }
  }
}
