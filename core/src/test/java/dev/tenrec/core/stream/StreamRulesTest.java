// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;

/** The rules of Reactive Streams, towards both sides. */
class StreamRulesTest extends StreamFixture {

  /** Writes down what it gets, and does nothing by itself. */
  private static class Recorder implements FlowableSubscriber<String> {
    final List<String> signals = new ArrayList<>();
    @Nullable Subscription subscription;

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = subscription;
      signals.add("subscribed");
    }

    @Override
    public void onNext(String item) {
      signals.add(item);
    }

    @Override
    public void onError(Throwable thrown) {
      signals.add(thrown.getClass().getSimpleName());
    }

    @Override
    public void onComplete() {
      signals.add("completed");
    }
  }

  private static void assertFailedWith(TestSubscriber<String> subscriber, String message) {
    subscriber.assertError(
        thrown -> {
          assertThat(thrown).hasMessage(message);
          return true;
        });
  }

  // Demand.

  @Test
  void demand_goesToTheSourceExactly() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(2);
    assertThat(source.asked).containsExactly(2L);
    source.emit("a");
    subscriber.request(3);
    assertThat(source.asked).containsExactly(2L, 3L);
    source.emit("b", "c", "d", "e").complete();
    subscriber.assertResult("a", "b", "c", "d", "e");
  }

  @Test
  void demand_beforeTheSourceIsThere_isAskedForAtOnce() {
    StreamCommand<String, String> command =
        ticks().isolation(Isolation.threadPool().coreSize(1)).build();
    TestSubscriber<String> subscriber = new TestSubscriber<>(0);
    subscriber.request(2);
    subscriber.request(5);
    command.toFlowable("x").subscribe(subscriber);
    Scenario.await().untilAsserted(() -> assertThat(source.asked).containsExactly(7L));
    source.complete();
  }

  @Test
  void demand_ofNone_asksForNothing() {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test(0);
    assertThat(source.asked).isEmpty();
    source.complete(); // needs no demand
    subscriber.assertResult();
  }

  @Test
  void demand_withoutBound_staysWithoutBound() {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test();
    assertThat(source.asked).containsExactly(Long.MAX_VALUE);
    source.emit("a");
    subscriber.request(Long.MAX_VALUE);
    assertThat(source.asked).containsExactly(Long.MAX_VALUE, Long.MAX_VALUE);
    source.complete();
  }

  @Test
  void askingFromWithinOnNext_doesNotOverflowTheStack() {
    StreamCommand<String, Integer> command =
        tenrec.streamCommand("Ticks", (String symbol) -> Flowable.range(0, 100_000)).build();
    command.toFlowable("x").rebatchRequests(1).test().assertValueCount(100_000).assertComplete();
  }

  @Test
  void itemBroughtWithinTheAsking_isPassedOn() {
    Publisher<String> eager =
        subscriber ->
            subscriber.onSubscribe(
                new Subscription() {
                  private int sent;

                  @Override
                  public void request(long n) {
                    if (sent < 3) {
                      subscriber.onNext("item " + sent++);
                    } else {
                      subscriber.onComplete();
                    }
                  }

                  @Override
                  public void cancel() {}
                });
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> eager).build();
    command.toFlowable("x").rebatchRequests(1).test().assertResult("item 0", "item 1", "item 2");
    assertCounted(command, EMIT, EMIT, EMIT, SUCCESS);
  }

  // The subscriber's sins.

  @Test
  void askingForNothing_isTheSubscribersFault() {
    for (long n : new long[] {0, -1, Long.MIN_VALUE}) {
      Recorder subscriber = new Recorder();
      ticks().build().toFlowable("x").subscribe(subscriber);
      subscriber.subscription.request(n);
      subscriber.subscription.request(1);
      source.emit("late").complete();
      assertThat(subscriber.signals).containsExactly("subscribed", "IllegalArgumentException");
    }
    assertThat(source.cancels).hasValue(3);
    assertThat(source.asked).isEmpty();
    assertCounted(
        ticks().build(),
        BAD_REQUEST,
        BAD_REQUEST,
        BAD_REQUEST,
        EXCEPTION_THROWN,
        EXCEPTION_THROWN,
        EXCEPTION_THROWN);
  }

  /** Its work may hold more than the source that it has made. */
  @Test
  void askingForNothing_runsWhatTheWorkHasRegistered() {
    AtomicInteger cancelled = new AtomicInteger();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol, Call call) -> {
                  call.onCancel(cancelled::incrementAndGet);
                  return source;
                })
            .build();
    Recorder subscriber = new Recorder();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(0);
    Scenario.await().untilAsserted(() -> assertThat(cancelled).hasValue(1));
    assertThat(subscriber.signals).containsExactly("subscribed", "IllegalArgumentException");
    assertFree(command);
  }

  @Test
  void askingForNothing_beforeItBegan_startsNothing() {
    Recorder subscriber =
        new Recorder() {
          @Override
          public void onSubscribe(Subscription subscription) {
            super.onSubscribe(subscription);
            subscription.request(0);
          }
        };
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    assertThat(subscriber.signals).containsExactly("subscribed", "IllegalArgumentException");
    assertThat(source.subscribed).hasValue(0);
    assertCounted(command, BAD_REQUEST, EXCEPTION_THROWN);
  }

  @Test
  void onNextThatThrows_isACancellation() {
    Recorder subscriber =
        new Recorder() {
          @Override
          public void onNext(String item) {
            super.onNext(item);
            throw new IllegalStateException("cannot take " + item);
          }
        };
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(2);
    assertThatThrownBy(() -> source.emit("a")).hasMessage("cannot take a");
    assertCancelled(source);
    source.emit("b").complete();
    assertThat(subscriber.signals).containsExactly("subscribed", "a");
    assertCounted(command, EMIT, CANCELLED);
  }

  // The source's sins.

  @Test
  void nullItem_isAFailure() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThatThrownBy(() -> source.emit((String) null)).isInstanceOf(NullPointerException.class);
    assertFailedWith(subscriber, "Ticks: an item was null");
    assertThat(source.isCancelled()).isTrue();
    assertCounted(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void nullError_isAFailureThatSaysSo() {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test();
    assertThatThrownBy(() -> source.fail(null)).isInstanceOf(NullPointerException.class);
    assertFailedWith(subscriber, "Ticks: ended with a null error");
  }

  @Test
  void itemsNobodyAskedFor_areAFailure() {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test(1);
    source.emit("a", "b", "c");
    subscriber.assertValues("a");
    assertFailedWith(subscriber, "Ticks: its publisher sent an item nobody had asked for");
    assertThat(source.cancels).hasValue(1);
  }

  @Test
  void itemBeforeOnSubscribe_isAFailure() {
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> (Publisher<String>) subscriber -> subscriber.onNext("a"))
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertFailedWith(subscriber, "Ticks: its publisher sent an item before it called onSubscribe");
  }

  @Test
  void secondSubscription_isCancelled() {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test();
    source.subscriber().onSubscribe(second.subscription());
    assertThat(second.isCancelled()).isTrue();
    assertThat(second.asked).isEmpty();
    assertThatThrownBy(() -> source.subscriber().onSubscribe(null))
        .isInstanceOf(NullPointerException.class);
    source.emit("a").complete();
    subscriber.assertResult("a");
  }

  @Test
  void whatComesAfterTheEnd_isDropped() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a").complete();
    source.emit("b").complete();
    source.fail(new IllegalStateException("late"));
    subscriber.assertResult("a");
    assertCounted(command, EMIT, SUCCESS);
  }

  @Test
  void requestThatThrows_isAFailure() {
    Publisher<String> broken =
        subscriber ->
            subscriber.onSubscribe(
                new Subscription() {
                  @Override
                  public void request(long n) {
                    throw new IllegalStateException("cannot be asked");
                  }

                  @Override
                  public void cancel() {}
                });
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> broken).build();
    assertFailedWith(command.toFlowable("x").test(), "cannot be asked");
  }

  @Test
  void itemsOfTwoThreadsAtOnce_areAFailure_reportedWhenTheFirstHasBeenPassedOn() throws Exception {
    CountDownLatch at = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    TestSubscriber<String> subscriber =
        ticks()
            .build()
            .toFlowable("x")
            .doOnNext(
                item -> {
                  at.countDown();
                  Uninterruptibly.await(release);
                })
            .test();
    CompletableFuture<Boolean> first =
        Elsewhere.call(
            () -> {
              source.emit("a");
              return true;
            });
    assertThat(at.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    source.emit("b");
    subscriber.assertEmpty(); // not while it is at an item
    release.countDown();
    assertThat(first.join()).isTrue();
    subscriber.assertValues("a");
    assertFailedWith(subscriber, "Ticks: its publisher sent two items at once, from two threads");
  }

  @Test
  void terminalSignal_waitsForTheItemThatIsOnItsWay() {
    Recorder subscriber =
        new Recorder() {
          @Override
          public void onNext(String item) {
            source.complete(); // from within: the source is too fast
            super.onNext(item);
          }
        };
    StreamCommand<String, String> command = ticks().build();
    command.toFlowable("x").subscribe(subscriber);
    subscriber.subscription.request(1);
    source.emit("a");
    assertThat(subscriber.signals).containsExactly("subscribed", "a", "completed");
    assertCounted(command, EMIT, SUCCESS);
  }

  @Test
  void sourceThatSubscribesAfterItsTimeOut_isCancelled() throws Exception {
    CompletableFuture<org.reactivestreams.Subscriber<? super String>> late =
        new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String symbol) -> (Publisher<String>) late::complete)
            .timeout(FIRST)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advance(FIRST);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    late.join().onSubscribe(source.subscription());
    assertThat(source.isCancelled()).isTrue();
    assertThat(source.asked).isEmpty();
    assertCounted(command, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }
}
