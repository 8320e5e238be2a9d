// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Races of {@link StreamBridge}: which thread speaks last in a turn, and where the demand goes. */
public class StreamBridgeStress {

  /** A bridge at its source's turn, one item asked for, whose limit has passed; all are counted. */
  static class Relayed implements Subscriber<String>, StreamBridgeOwner {
    static final long DEADLINE = 100;

    final AtomicInteger items = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger();
    final AtomicInteger late = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    final Asked source = new Asked();
    final StreamBridge<String> bridge;
    final UpstreamSubscriber<String> turn;

    Relayed(long nowNanos) {
      this(nowNanos, false);
    }

    /** {@code heard}: listeners hear of the item before it passes. */
    Relayed(long nowNanos, boolean heard) {
      bridge = new StreamBridge<>(this, new StreamFaults("Raced"), heard);
      bridge.request(1);
      ItemTimeout wait = new ItemTimeout(() -> nowNanos, DEADLINE, ItemTimeout.NONE, DEADLINE);
      boolean begun = bridge.begin(this, wait, 0);
      turn = begun ? bridge.openSource("Raced") : null;
      turn.onSubscribe(source);
    }

    int turnsEnded() {
      return turn.isDone() ? 1 : 0;
    }

    @Override
    public void onSubscribe(Subscription subscription) {}

    @Override
    public void onNext(String item) {
      items.incrementAndGet();
    }

    @Override
    public void onError(Throwable thrown) {
      ends.incrementAndGet();
    }

    @Override
    public void onComplete() {
      ends.incrementAndGet();
    }

    @Override
    public void reports(boolean fallbacks, Object item) {}

    @Override
    public void passes(boolean fallbacks) {}

    @Override
    public void cameLate() {
      late.incrementAndGet();
    }

    @Override
    public void cancelled() {
      cancelled.incrementAndGet();
    }

    @Override
    public void misused(Throwable how) {}

    @Override
    public void settlesApart(Runnable lastWord) {
      throw new AssertionError("there is room on the stack");
    }

    @Override
    public void watch(long deadlineNanos) {}
  }

  /** Counts what it is asked for. */
  static class Asked implements Subscription {
    final AtomicLong demand = new AtomicLong();
    final AtomicInteger cancels = new AtomicInteger();

    @Override
    public void request(long n) {
      demand.addAndGet(n);
    }

    @Override
    public void cancel() {
      cancels.incrementAndGet();
    }
  }

  /** Asked for more while the fallback takes over. */
  @JCStressTest
  @Outcome(id = "1, 6", expect = ACCEPTABLE, desc = "the fallback is asked for all that is left")
  @Outcome(id = "6, 6", expect = ACCEPTABLE, desc = "the source was asked first, and gave nothing")
  @Outcome(expect = FORBIDDEN, desc = "demand was lost, or doubled")
  @State
  public static class RequestAgainstFallback {
    private final Relayed relayed = new Relayed(0);
    private final Asked fallback = new Asked();

    @Actor
    public void subscriber() {
      relayed.bridge.request(5);
    }

    @Actor
    public void source() {
      relayed.turn.onError(new IllegalStateException());
      UpstreamSubscriber<String> next = relayed.bridge.openFallback("Raced");
      next.onSubscribe(fallback);
    }

    @Arbiter
    public void afterwards(JJ_Result r) {
      r.r1 = relayed.source.demand.get();
      r.r2 = fallback.demand.get();
    }
  }

  /** A late item and the timer find the same limit passed. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "the timer reports")
  @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "the item's thread reports")
  @Outcome(expect = FORBIDDEN, desc = "reported twice, or by nobody")
  @State
  public static class LateItemAgainstTimer {
    private final Relayed relayed = new Relayed(Relayed.DEADLINE);

    @Actor
    public void timer(ZI_Result r) {
      r.r1 = relayed.bridge.expire(Relayed.DEADLINE);
    }

    @Actor
    public void source() {
      relayed.turn.onNext("late");
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r2 = relayed.late.get() + 2 * relayed.items.get();
    }
  }

  /** The end comes when the limit has passed: either it is the end, or nothing is heard of it. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "timed out; giving up ends the turn")
  @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "ended, and known to be late")
  @Outcome(expect = FORBIDDEN, desc = "both, or neither")
  @State
  public static class EndAgainstTimer {
    private final Relayed relayed = new Relayed(Relayed.DEADLINE);

    @Actor
    public void timer(ZI_Result r) {
      r.r1 = relayed.bridge.expire(Relayed.DEADLINE);
    }

    @Actor
    public void source() {
      relayed.turn.onComplete();
    }

    @Arbiter
    public void afterwards(ZI_Result r) {
      r.r2 = relayed.turnsEnded() * (relayed.bridge.isLate() ? 1 : 2);
    }
  }

  /** The subscriber cancels while its item comes, and the source ends after it. */
  @JCStressTest
  @Outcome(id = "0, 11", expect = ACCEPTABLE, desc = "cancelled before the item")
  @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "cancelled after the item, before the end")
  @Outcome(id = "1, 10", expect = ACCEPTABLE, desc = "ended first: nothing is left to cancel")
  @Outcome(expect = FORBIDDEN, desc = "an item was lost before the end, or the end was")
  @State
  public static class CancelAgainstItemAndEnd {
    private final Relayed relayed = new Relayed(0);

    @Actor
    public void subscriber() {
      relayed.bridge.cancel();
    }

    @Actor
    public void source() {
      relayed.turn.onNext("item");
      relayed.turn.onComplete();
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = relayed.items.get();
      // the turn has ended, and its owner heard of the cancellation, in any case
      boolean ended = relayed.turnsEnded() == 1 && relayed.cancelled.get() == 1;
      r.r2 = (ended ? 10 : 0) + relayed.source.cancels.get() + 100 * relayed.ends.get();
    }
  }

  /** Closing reports the end while the subscriber is at an item, or about to be. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "reported before the item, which nobody gets")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "reported after the item")
  @Outcome(expect = FORBIDDEN, desc = "reported twice, or never")
  @State
  public static class ErrorAgainstItem {
    private final Relayed relayed = new Relayed(0);

    @Actor
    public void closing() {
      relayed.bridge.onError(new IllegalStateException());
    }

    @Actor
    public void source() {
      relayed.turn.onNext("item");
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = relayed.items.get();
      r.r2 = relayed.ends.get();
    }
  }

  /** The same where listeners hear of the item first: it may be dropped on its way. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "reported before the item, which nobody gets")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "reported after the item")
  @Outcome(expect = FORBIDDEN, desc = "reported twice, or never")
  @State
  public static class ErrorAgainstReportedItem {
    private final Relayed relayed = new Relayed(0, true);

    @Actor
    public void closing() {
      relayed.bridge.onError(new IllegalStateException());
    }

    @Actor
    public void source() {
      relayed.turn.onNext("item");
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = relayed.items.get();
      r.r2 = relayed.ends.get();
    }
  }

  /**
   * Another thread ends the source while listeners hear of its item: the end waits for the item.
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "ended before the item, which nobody gets")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "ended after the item")
  @Outcome(expect = FORBIDDEN, desc = "the end was lost")
  @State
  public static class EndAgainstReportedItem {
    private final Relayed relayed = new Relayed(0, true);

    @Actor
    public void other() {
      relayed.turn.onComplete();
    }

    @Actor
    public void source() {
      relayed.turn.onNext("item");
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = relayed.items.get();
      r.r2 = relayed.turnsEnded();
    }
  }

  /** Two report the end at once: closing, and a subscriber that leaves. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "reported, and then too late to cancel")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "cancelled, and not reported")
  @Outcome(expect = FORBIDDEN, desc = "both, or neither")
  @State
  public static class ErrorAgainstCancel {
    private final Relayed relayed = new Relayed(0);

    @Actor
    public void closing() {
      relayed.bridge.onError(new IllegalStateException());
    }

    @Actor
    public void subscriber() {
      relayed.bridge.cancel();
    }

    @Arbiter
    public void afterwards(II_Result r) {
      r.r1 = relayed.ends.get();
      r.r2 = relayed.cancelled.get();
    }
  }
}
