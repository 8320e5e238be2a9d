// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** What a bridge makes of each signal, of its publisher and of its subscriber, in which order. */
@OwnThread
class StreamSignalsTest {

  private static final long FIRST = 10;
  private static final long STACK_BYTES = 512 * 1024;

  /**
   * Both sides of a bridge and its owner. Writes down what it gets; does what a test wants then.
   */
  private static final class Sides implements Subscriber<String>, Subscription, StreamBridgeOwner {
    final List<String> signals = new ArrayList<>();
    final StreamBridge<String> bridge;
    Consumer<String> atItem = item -> {};
    Consumer<Object> atReport = item -> {};
    Runnable atPass = () -> {};
    Runnable whenAsked = () -> {};
    Runnable whenCancelled = () -> {};
    long now;

    /** {@code heard}: listeners hear of each item. The limit for the first is {@link #FIRST}. */
    Sides(boolean heard, long demand) {
      bridge = new StreamBridge<>(this, new StreamFaults("Quotes"), heard);
      if (demand > 0) {
        bridge.request(demand);
      }
      boolean unused =
          bridge.begin(this, new ItemTimeout(() -> now, FIRST, ItemTimeout.NONE, FIRST), 0);
    }

    UpstreamSubscriber<String> unsubscribed() {
      UpstreamSubscriber<String> turn = bridge.openSource("Quotes");
      CompletableFuture<String> unused =
          turn.whenComplete((none, noError) -> signals.add("end of the source"));
      return turn;
    }

    UpstreamSubscriber<String> subscribed() {
      UpstreamSubscriber<String> turn = unsubscribed();
      turn.onSubscribe(this);
      return turn;
    }

    /** As an overflow of the stack does between an item's coming and its leaving. */
    void cutOffAnItem() {
      synchronized (bridge) {
        bridge.pass(false);
      }
    }

    @Override
    public void onSubscribe(Subscription subscription) {}

    @Override
    public void onNext(String item) {
      signals.add(item);
      atItem.accept(item);
    }

    @Override
    public void onError(Throwable thrown) {
      signals.add("failed");
    }

    @Override
    public void onComplete() {
      signals.add("completed");
    }

    @Override
    public void request(long n) {
      signals.add("asked for " + n);
      whenAsked.run();
    }

    @Override
    public void cancel() {
      into(20, () -> signals.add("source cancelled"));
      whenCancelled.run();
    }

    @Override
    public void reports(boolean fallbacks, Object item) {
      signals.add("reported " + item);
      atReport.accept(item);
    }

    @Override
    public void passes(boolean fallbacks) {
      atPass.run();
    }

    @Override
    public void cameLate() {
      into(20, () -> signals.add("late"));
    }

    @Override
    public void cancelled() {
      into(20, () -> signals.add("cancelled"));
    }

    @Override
    public void misused(Throwable how) {
      signals.add("misused");
    }

    @Override
    public void settlesApart(Runnable lastWord) {
      throw new AssertionError("there is room on the stack");
    }

    @Override
    public void watch(long deadlineNanos) {}
  }

  /** Does it so many calls deeper. */
  private static void into(int depth, Runnable what) {
    if (depth > 0) {
      into(depth - 1, what);
    } else {
      what.run();
    }
  }

  private static <T> T elsewhere(Callable<T> call) {
    try {
      return Elsewhere.call(call).get(PatientWaits.seconds(), TimeUnit.SECONDS);
    } catch (Exception thrown) {
      throw new AssertionError(thrown);
    }
  }

  // Items that an overflow of the stack cuts off.

  @Test
  void itemCutOffWithinTheAsking_doesNotHoldTheEndBack() {
    Sides sides = new Sides(false, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.whenAsked =
        () -> {
          sides.cutOffAnItem();
          turn.onComplete();
          assertThat(turn.isDone()).as("while the subscriber seems to be at it").isFalse();
        };

    sides.bridge.request(1);

    assertThat(turn.isDone()).isTrue();
    assertThat(turn.failure()).isNull();
  }

  @Test
  void itemCutOffWithinTheSubscribing_doesNotHoldTheEndBack() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.unsubscribed();

    turn.take(
        subscriber -> {
          subscriber.onSubscribe(sides);
          sides.cutOffAnItem();
          subscriber.onComplete();
          assertThat(turn.isDone()).as("while the subscriber seems to be at it").isFalse();
        });

    assertThat(turn.isDone()).isTrue();
    assertThat(turn.failure()).isNull();
  }

  @Test
  void askingThatThrows_afterAnItemWasCutOff_endsTheTurn() {
    Sides sides = new Sides(false, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();
    IllegalStateException thrown = new IllegalStateException("no more");
    sides.whenAsked =
        () -> {
          sides.cutOffAnItem();
          throw thrown;
        };

    sides.bridge.request(1);

    assertThat(turn.failure()).isSameAs(thrown);
    assertThat(sides.signals)
        .containsExactly("asked for 1", "end of the source", "source cancelled");
  }

  @Test
  void askingThatThrows_afterTheTurnWasFoundLateAndNotReported_endsTheTurn() {
    Sides sides = new Sides(false, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();
    IllegalStateException thrown = new IllegalStateException("no more");
    sides.whenAsked =
        () -> {
          synchronized (sides.bridge) {
            sides.bridge.shutLate(); // by a late item that was cut off
          }
          throw thrown;
        };

    sides.bridge.request(1);

    assertThat(turn.isDone()).isTrue();
    assertThat(turn.failure()).isSameAs(thrown);
  }

  @Test
  void askingThatThrows_reportsWhatBrokeOffWhenItWasCancelled() {
    Sides sides = new Sides(false, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.whenAsked =
        () -> {
          throw new IllegalStateException("no more");
        };
    sides.whenCancelled =
        () -> {
          synchronized (sides.bridge) {
            sides.bridge.emission.defer(() -> sides.signals.add("what was owed"));
          }
        };

    sides.bridge.request(1);

    assertThat(turn.isDone()).isTrue();
    assertThat(sides.signals).endsWith("source cancelled", "what was owed");
  }

  // Signals while the subscriber is at an item.

  @Test
  void askingFromWithinAnItem_leavesTheSubscriberAtIt() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.atItem =
        item -> {
          sides.bridge.request(1);
          turn.onComplete();
          sides.signals.add("left");
        };

    turn.onNext("a");

    assertThat(sides.signals)
        .containsExactly("asked for 1", "a", "asked for 1", "left", "end of the source");
  }

  @Test
  void subscribingFromWithinAnItem_leavesTheSubscriberAtIt() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.unsubscribed();
    sides.cutOffAnItem();

    turn.take(subscriber -> subscriber.onSubscribe(sides));

    assertThat(sides.bridge.emission.depthHere()).isEqualTo(1);
  }

  @Test
  void askingOfAnotherThread_leavesTheSubscriberAtItsItem() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.atItem =
        item -> {
          boolean ended =
              elsewhere(
                  () -> {
                    sides.bridge.request(1);
                    turn.onComplete();
                    return turn.isDone();
                  });
          assertThat(ended).as("before the subscriber has left its item").isFalse();
        };

    turn.onNext("a");

    assertThat(turn.isDone()).isTrue();
    assertThat(turn.failure()).isNull();
  }

  @Test
  void askingFromWithinItems_thatComeWithinTheAsking_isDoneOneAfterTheOther() {
    Sides sides = new Sides(false, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.atItem =
        item -> {
          if (sides.signals.size() < 6) {
            sides.bridge.request(1);
          }
        };
    sides.whenAsked =
        () -> {
          turn.onNext("a");
          sides.signals.add("back");
        };

    sides.bridge.request(1);

    assertThat(sides.signals)
        .containsExactly(
            "asked for 1", "a", "back", "asked for 1", "a", "back", "asked for 1", "a", "back");
  }

  // An owner without memory.

  @Test
  void itemThatCannotBeCounted_doesNotPass_andFailsTheSource() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.subscribed();
    OutOfMemoryError full = new OutOfMemoryError("of the test");
    sides.atPass =
        () -> {
          throw full;
        };

    turn.onNext("a");

    assertThat(turn.failure()).isSameAs(full);
    assertThat(sides.signals)
        .containsExactly("asked for 1", "source cancelled", "end of the source");
  }

  @Test
  void itemThatCannotBeReported_doesNotPass_andFailsTheSource() {
    Sides sides = new Sides(true, 1);
    UpstreamSubscriber<String> turn = sides.subscribed();
    OutOfMemoryError full = new OutOfMemoryError("of the test");
    sides.atReport =
        item -> {
          throw full;
        };

    turn.onNext("a");

    assertThat(turn.failure()).isSameAs(full);
    assertThat(sides.signals)
        .containsExactly("asked for 1", "reported a", "end of the source", "source cancelled");
  }

  // Signals while listeners are at an item.

  @Test
  void endThatComesWhileAnItemIsReported_comesAfterThatItem() {
    Sides sides = new Sides(true, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.atReport = item -> turn.onComplete();

    turn.onNext("a");

    assertThat(sides.signals)
        .containsExactly("asked for 2", "reported a", "a", "end of the source");
    assertThat(turn.failure()).isNull();
  }

  @Test
  void failureThatComesWhileAnItemIsReported_doesNotWaitForIt() {
    Sides sides = new Sides(true, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();
    IllegalStateException failure = new IllegalStateException("down");
    sides.atReport = item -> turn.onError(failure);

    turn.onNext("a");

    assertThat(sides.signals).containsExactly("asked for 2", "reported a", "end of the source");
    assertThat(turn.failure()).isSameAs(failure);
  }

  @Test
  void itemsThatAreReported_doNotEndTheStream() {
    Sides sides = new Sides(true, 9);
    UpstreamSubscriber<String> turn = sides.subscribed();

    turn.onNext("a");
    turn.onNext("b");
    turn.onNext("c");

    assertThat(turn.isDone()).isFalse();
    assertThat(sides.signals)
        .containsExactly("asked for 9", "reported a", "a", "reported b", "b", "reported c", "c");
  }

  @Test
  void endWhileAnItemIsReportedWithinTheReportOfAnother_waitsForBoth() {
    Sides sides = new Sides(true, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.atReport =
        item -> {
          if (item.equals("a")) {
            turn.onNext("b");
          } else {
            turn.onComplete();
          }
        };

    turn.onNext("a");

    assertThat(sides.signals)
        .containsExactly("asked for 2", "reported a", "reported b", "b", "a", "end of the source");
    assertThat(turn.failure()).isNull();
  }

  @Test
  void itemOfAnotherThread_whileOneIsReported_isOneOfTwoAtOnce() {
    Sides sides = new Sides(true, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.atReport =
        item -> {
          boolean sent =
              elsewhere(
                  () -> {
                    turn.onNext("b");
                    return true;
                  });
          assertThat(sent).isTrue();
        };

    turn.onNext("a");

    assertThat(turn.failure()).hasMessageContaining("two items at once");
    assertThat(sides.signals)
        .containsExactly("asked for 2", "reported a", "end of the source", "source cancelled");
  }

  @Test
  void itemNobodyAskedFor_isNotReported_andFailsTheSource() {
    Sides sides = new Sides(true, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();

    turn.onNext("a");

    assertThat(turn.failure()).hasMessageContaining("nobody had asked for");
    assertThat(sides.signals).containsExactly("end of the source", "source cancelled");
  }

  // Ends.

  @Test
  void itemAfterTheEnd_isDropped() {
    Sides sides = new Sides(true, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();

    turn.onComplete();
    turn.onNext("a");

    assertThat(sides.signals).containsExactly("asked for 2", "end of the source");
  }

  @Test
  void lateItem_isDropped_andEndsTheTurnOnce() {
    Sides sides = new Sides(false, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.now = FIRST;

    turn.onNext("a");
    turn.onNext("b");

    assertThat(sides.signals).containsExactly("asked for 2", "late");
    assertThat(sides.bridge.isLate()).isTrue();
  }

  @Test
  void itemAfterTheTimerFoundTheLimitPassed_isDropped_andReportsNothing() {
    Sides sides = new Sides(false, 2);
    UpstreamSubscriber<String> turn = sides.subscribed();
    sides.now = FIRST;

    assertThat(sides.bridge.expire(FIRST)).isTrue();
    turn.onNext("a");

    assertThat(sides.signals).containsExactly("asked for 2");
  }

  @Test
  void cancel_beforeTheSourceBegan_letsItNotBegin() {
    Sides sides = new Sides(false, 1);

    sides.bridge.cancel();

    assertThat(sides.bridge.openSource("Quotes")).isNull();
    assertThat(sides.signals).containsExactly("cancelled");
  }

  @Test
  void cancel_beforeTheSourceGaveItsSubscription_cancelsThat() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.unsubscribed();

    sides.bridge.cancel();
    turn.onSubscribe(sides);

    assertThat(sides.signals).containsExactly("cancelled", "end of the source", "source cancelled");
  }

  @Test
  void lastWord_beforeTheSourceGaveItsSubscription_cancelsThat() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> turn = sides.unsubscribed();

    sides.bridge.onError(new IllegalStateException("closed"));
    turn.onSubscribe(sides);

    assertThat(sides.signals).containsExactly("end of the source", "failed", "source cancelled");
  }

  @Test
  void turn_isCancelledOnce() {
    Sides sides = new Sides(false, 0);
    UpstreamSubscriber<String> turn = sides.subscribed();

    turn.cancelUpstream();
    turn.cancelUpstream();

    assertThat(sides.signals).containsExactly("source cancelled");
  }

  @Test
  void whatTheSourceWaitsFor_thatCannotBeHad_endsItsTurn() {
    Sides sides = new Sides(false, 0);
    IllegalStateException noThread = new IllegalStateException("no thread");
    sides.bridge.fail(noThread); // nothing yet
    UpstreamSubscriber<String> turn = sides.subscribed();
    assertThat(turn.isDone()).isFalse();

    sides.bridge.fail(noThread);

    assertThat(turn.failure()).isSameAs(noThread);
    assertThat(sides.signals).containsExactly("end of the source", "source cancelled");
  }

  @Test
  void fallbackOfAStreamWhoseSourceNeverBegan_isNotHeldToItsLimit() {
    Sides sides = new Sides(false, 1);
    UpstreamSubscriber<String> fallback = sides.bridge.openFallback("Quotes's fallback");
    fallback.onSubscribe(sides);
    sides.now = FIRST;

    assertThat(sides.bridge.isLate()).isFalse();
    fallback.onNext("f");

    assertThat(sides.signals).containsExactly("asked for 1", "f");
  }

  // The end of the stack: what has no room there leaves everything as it was.

  /**
   * Does this from the end of the stack on outwards, one frame after the other, until it does not
   * overflow any more.
   */
  private static void fromTheEndOfTheStack(Runnable what) throws InterruptedException {
    List<Throwable> others = new ArrayList<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                assertThat(hasRoom(what, 1)).isTrue();
              } catch (Throwable other) {
                others.add(other);
              }
            },
            "overflowing",
            STACK_BYTES);
    thread.start();
    thread.join(PatientWaits.patience().toMillis());
    assertThat(thread.isAlive()).isFalse();
    assertThat(others).isEmpty();
  }

  private static boolean hasRoom(Runnable what, int depth) {
    boolean done = false;
    try {
      done = depth > 0 && hasRoom(what, depth + 1);
      if (!done) {
        what.run();
        done = true;
      }
    } catch (StackOverflowError further) { // the caller's frame has more room
      return false;
    }
    return done;
  }

  /** What each of these does to a stream has been done before: its classes are there. */
  private static void assertSignalsAtTheEndOfTheStack(
      Consumer<Sides> before, SignalOfATurn signal, String... expected)
      throws InterruptedException {
    for (boolean deep : new boolean[] {false, true}) {
      Sides sides = new Sides(false, 1);
      UpstreamSubscriber<String> turn = sides.subscribed();
      before.accept(sides);
      if (deep) {
        fromTheEndOfTheStack(() -> signal.send(sides, turn));
      } else {
        signal.send(sides, turn);
      }
      // in any order: the end itself may wait for more room than there is
      assertThat(sides.signals).containsExactlyInAnyOrder(expected);
    }
  }

  private interface SignalOfATurn {
    void send(Sides sides, UpstreamSubscriber<String> turn);
  }

  @Test
  void cancelAtTheEndOfTheStack_isNotLost() throws Exception {
    assertSignalsAtTheEndOfTheStack(
        sides -> {},
        (sides, turn) -> sides.bridge.cancel(),
        "asked for 1",
        "cancelled",
        "source cancelled",
        "end of the source");
  }

  @Test
  void lateItemAtTheEndOfTheStack_isNotLost() throws Exception {
    assertSignalsAtTheEndOfTheStack(
        sides -> sides.now = FIRST, (sides, turn) -> turn.onNext("a"), "asked for 1", "late");
  }

  @Test
  void publisherThatBreaksAtTheEndOfTheStack_isCancelledAllTheSame() throws Exception {
    IllegalStateException thrown = new IllegalStateException("of the test");
    assertSignalsAtTheEndOfTheStack(
        sides -> {},
        (sides, turn) -> sides.bridge.broke(turn, 0, thrown),
        "asked for 1",
        "end of the source",
        "source cancelled");
  }
}
