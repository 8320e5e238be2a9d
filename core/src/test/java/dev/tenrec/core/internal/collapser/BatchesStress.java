// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Joining, leaving, starting and failing a batch against each other, two at a time. */
public class BatchesStress {

  private static final int MANY = Integer.MAX_VALUE;

  /** Counts how often it gets an end. */
  static final class CountingMember extends Member<Integer> {
    volatile int answers;
    volatile int errors;

    @Override
    public void onValue(Integer value) {
      answers++;
    }

    @Override
    public void onError(Throwable error) {
      errors++;
    }
  }

  /** A batch with one member that stays. */
  private static Batch<Integer, Integer> batchWith(Member<Integer> member) {
    Batch<Integer, Integer> batch = new Batch<>("Stress", taken -> {}, 0);
    batch.join(0, member, MANY);
    return batch;
  }

  /** Starts it and answers all; how many members it was started for, 0 if it was taken before. */
  private static int startAndAnswer(Batch<Integer, Integer> batch) {
    List<Part<Integer, Integer>> parts =
        batch.start(new Sharding<>(null), new UnknownAnswers("Stress", unasked -> {}));
    int members = 0;
    for (Part<Integer, Integer> part : parts) {
      members += part.members();
      part.onValue(answers(part.arguments()));
    }
    return members;
  }

  /** To what was asked for only: a warning in each of a million batches would bury the results. */
  private static Map<Integer, Integer> answers(List<Integer> arguments) {
    Map<Integer, Integer> answers = new HashMap<>();
    for (Integer argument : arguments) {
      answers.put(argument, argument + 10);
    }
    return answers;
  }

  /** A member comes when the batch starts. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "in, and answered")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "too late, and answered so")
  @Outcome(expect = FORBIDDEN, desc = "in and lost, or out and answered")
  @State
  public static class JoinAgainstStart {
    private final CountingMember member = new CountingMember();
    private final Batch<Integer, Integer> batch = batchWith(new CountingMember());
    private boolean in;

    @Actor
    public void join() {
      in = batch.join(1, member, MANY) == Batch.Joined.IN;
    }

    @Actor
    public void start() {
      startAndAnswer(batch);
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r1 = in;
      r.r2 = member.answers;
    }
  }

  /** A member leaves when the batch starts. */
  @JCStressTest
  @Outcome(id = "true, 0, 1", expect = ACCEPTABLE, desc = "left before the start")
  @Outcome(id = "true, 0, 2", expect = ACCEPTABLE, desc = "left after it: no effect on the batch")
  @Outcome(id = "false, 1, 2", expect = ACCEPTABLE, desc = "was answered first")
  @Outcome(expect = FORBIDDEN, desc = "left and answered, neither, or another member lost")
  @State
  public static class LeaveAgainstStart {
    private final CountingMember member = new CountingMember();
    private final Batch<Integer, Integer> batch = batchWith(new CountingMember());
    private boolean left;
    private int members;

    public LeaveAgainstStart() {
      batch.join(1, member, MANY);
    }

    @Actor
    public void leave() {
      left = member.leave();
    }

    @Actor
    public void start() {
      members = startAndAnswer(batch);
    }

    @Arbiter
    public void afterwards(ZII_Result r) {
      r.r1 = left;
      r.r2 = member.answers;
      r.r3 = members;
    }
  }

  /** A member is disposed while it joins: the batch's count must come out right. */
  @JCStressTest
  @Outcome(id = "1, false", expect = ACCEPTABLE, desc = "it does not count, and fills nothing")
  @Outcome(id = "2, true", expect = ACCEPTABLE, desc = "it filled the batch first, then left")
  @Outcome(expect = FORBIDDEN, desc = "counted after it left, or taken off twice")
  @State
  public static class LeaveAgainstJoin {
    private final CountingMember member = new CountingMember();
    private final Batch<Integer, Integer> batch = batchWith(new CountingMember());
    private boolean filled;

    @Actor
    public void join() {
      filled = batch.join(1, member, 2) == Batch.Joined.FILLED;
    }

    @Actor
    public void leave() {
      boolean unused = member.leave();
    }

    @Arbiter
    public void afterwards(IZ_Result r) {
      r.r1 = batch.size();
      r.r2 = filled;
    }
  }

  /** Its time has come, and its scope ends. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "answered or failed")
  @Outcome(expect = FORBIDDEN, desc = "both or neither")
  @State
  public static class StartAgainstEnd {
    private final CountingMember member = new CountingMember();
    private final Batch<Integer, Integer> batch = batchWith(member);

    @Actor
    public void start() {
      startAndAnswer(batch);
    }

    @Actor
    public void end() {
      batch.cancel("its request has ended");
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = member.answers;
      r.r2 = member.errors;
    }
  }

  /** Two end it, one of them while it is divided: a slot is failed by both. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "failed by one of them")
  @Outcome(expect = FORBIDDEN, desc = "failed twice, or published and not delivered to")
  @State
  public static class EndAgainstEnd {
    private final CountingMember member = new CountingMember();
    private final Batch<Integer, Integer> batch = batchWith(member);

    @Actor
    public void first() {
      batch.end(LATE);
    }

    @Actor
    public void second() {
      batch.end(LATE);
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = member.answers;
      r.r2 = member.errors;
    }
  }

  private static final IllegalStateException LATE = new IllegalStateException("late");

  /** Two fill it: one of them hands it over. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one fills it, the other is too late")
  @Outcome(expect = FORBIDDEN, desc = "handed over by both or by nobody")
  @State
  public static class FillAgainstFill {
    private final Batch<Integer, Integer> batch = batchWith(new CountingMember());

    @Actor
    public void first(II_Result r) {
      r.r1 = batch.join(1, new CountingMember(), 2) == Batch.Joined.FILLED ? 1 : 0;
    }

    @Actor
    public void second(II_Result r) {
      r.r2 = batch.join(2, new CountingMember(), 2) == Batch.Joined.FILLED ? 1 : 0;
    }
  }

  /** A member leaves when its scope ends. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "left, and notified of nothing")
  @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "notified that the scope has ended")
  @Outcome(expect = FORBIDDEN, desc = "both or neither")
  @State
  public static class LeaveAgainstClose {
    private final CountingMember member = new CountingMember();
    private final Batches<Integer, Integer> batches = newBatches();

    public LeaveAgainstClose() {
      batches.join(1, member);
    }

    @Actor
    public void leave(ZI_Result r) {
      r.r1 = member.leave();
    }

    @Actor
    public void close() {
      batches.close("its request has ended");
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r2 = member.errors;
    }
  }

  /** A first member opens a batch when the scope ends: nobody may wait in what nobody starts. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "in, and notified that the scope has ended")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(expect = FORBIDDEN, desc = "in and forgotten, or refused and notified as well")
  @State
  public static class FirstJoinAgainstClose {
    private final CountingMember member = new CountingMember();
    private final Batches<Integer, Integer> batches = newBatches();

    @Actor
    public void join(ZI_Result r) {
      r.r1 = joined(batches, member);
    }

    @Actor
    public void close() {
      batches.close("its request has ended");
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r2 = member.errors;
    }
  }

  private static boolean joined(Batches<Integer, Integer> batches, Member<Integer> member) {
    try {
      batches.join(1, member);
      return true;
    } catch (IllegalStateException refused) {
      return false;
    }
  }

  private static Batches<Integer, Integer> newBatches() {
    return new Batches<>(NEVER_FULL, TIMER, Ticker.system());
  }

  /** One for all: what has ended is dropped with its next round. */
  private static final Timer TIMER =
      new Timer(
          Ticker.system(),
          Waiter.system(),
          new DaemonThreads("stress", Ticker.system(), Waiter.system()));

  private static final Batching<Integer, Integer> NEVER_FULL =
      new Batching<>() {
        @Override
        public String key() {
          return "Stress";
        }

        @Override
        public int maxRequests() {
          return MANY;
        }

        @Override
        public long delayNanos() {
          return Duration.ofHours(1).toNanos();
        }

        @Override
        public long deadlineNanos() {
          return Deadlines.NONE;
        }

        @Override
        public Deliverer deliverer() {
          return Deliverer.HERE;
        }

        @Override
        public BatchStarter<Integer, Integer> opening() {
          return taken -> {};
        }
      };
}
