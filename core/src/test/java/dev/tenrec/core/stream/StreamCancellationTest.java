// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_EMIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldCallbacks;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Streams that end before their source does. */
class StreamCancellationTest extends StreamFixture {

  @Test
  void dispose_cancelsTheSource_andIsACancellation() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    subscriber.cancel();
    assertCancelled(source);
    assertFree(command);
    source.emit("b").complete();
    subscriber.assertValues("a").assertNotComplete().assertNoErrors();
    assertCounted(command, EMIT, CANCELLED);
    assertThat(command.view().health().total()).isZero();
  }

  @Test
  void take_satisfied_isACancellationAndNoFailure() {
    StreamCommand<String, String> command =
        ticks().fallback((symbol, cause) -> Flowable.just("fallback")).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").take(2).test();
    source.emit("a", "b", "c");
    subscriber.assertResult("a", "b");
    assertCancelled(source);
    assertCounted(command, EMIT, EMIT, CANCELLED);
    assertThat(command.view().health().total()).isZero();
    assertFree(command);
  }

  @Test
  void take_ofAnEndlessSourceThatSendsWithinSubscribe_endsIt() {
    StreamCommand<String, Integer> command =
        tenrec.streamCommand("Ticks", (String symbol) -> Flowable.range(0, 1).repeat()).build();
    command.toFlowable("x").take(3).test().assertResult(0, 0, 0);
    assertCounted(command, EMIT, EMIT, EMIT, CANCELLED);
  }

  @Test
  void dispose_beforeItBegan_runsNothing() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    subscriber.cancel();
    command.toFlowable("x").subscribe(subscriber);
    assertThat(source.subscribed).hasValue(0);
    assertCounted(command);
  }

  @Test
  void dispose_whileItWaitsForAThread_runsNothing() {
    StreamCommand<String, String> command =
        ticks().isolation(Isolation.threadPool().coreSize(1).queueSize(1)).build();
    CountDownLatch release = new CountDownLatch(1);
    Command<String, String> occupant =
        tenrec
            .command(
                "Occupant",
                (String s) -> {
                  Uninterruptibly.await(release);
                  return s;
                })
            .group("Ticks")
            .withoutTimeout()
            .build();
    CompletableFuture<String> busy = occupant.executeAsync("x");
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    subscriber.cancel();
    release.countDown();
    assertThat(busy.join()).isEqualTo("x");
    assertThat(source.subscribed).hasValue(0);
    assertCounted(command, CANCELLED);
  }

  @Test
  void dispose_duringTheFallback_cancelsTheFallbacksSource() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    second.emit("f");
    subscriber.cancel();
    assertCancelled(second);
    second.emit("g").complete();
    subscriber.assertValues("f").assertNotComplete();
    assertCounted(command, FAILURE, FALLBACK_EMIT, CANCELLED);
  }

  /** RxJava's first element is passed on after its source is cancelled, on the source's thread. */
  @Test
  void cancel_byTheSourcesOwnThread_interruptsNothingThatRunsThereNext() {
    HeldCallbacks callbacks = HeldCallbacks.open();
    Tenrec tenrec = leaks.watch(builder().time(time, time).callbackExecutor(callbacks).build());
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> {
                  worker.complete(Thread.currentThread());
                  return Flowable.just("a", "b");
                })
            .isolation(Isolation.threadPool())
            .property("execution.isolation.thread.interruptOnFutureCancel", "true")
            .withoutTimeout()
            .build();
    CompletableFuture<Thread> mapper = new CompletableFuture<>();

    CompletableFuture<Boolean> interrupted =
        command
            .toFlowable("x")
            .firstOrError()
            .map(
                item -> {
                  mapper.complete(Thread.currentThread());
                  callbacks.awaitOver();
                  return Thread.interrupted();
                })
            .toCompletionStage()
            .toCompletableFuture();

    assertThat(interrupted).succeedsWithin(PatientWaits.patience()).isEqualTo(false);
    assertThat(mapper.join()).isSameAs(worker.join());
    assertFree(command);
    assertCounted(command, EMIT, CANCELLED);
    Elsewhere.close(tenrec, time);
  }

  @Test
  void dispose_leavesItsCallGivenUp() {
    CompletableFuture<Call> shown = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol, Call call) -> {
                  shown.complete(call);
                  return source;
                })
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    assertThat(shown.join().isGivenUp()).isFalse();
    subscriber.cancel();
    assertFree(command);
    assertThat(shown.join().isGivenUp()).isTrue();
  }

  // Trials.

  private StreamCommand<String, String> halfOpen() {
    StreamCommand<String, String> command =
        ticks().errorThreshold(50, 1).sleepWindow(Duration.ofSeconds(5)).build();
    TestSubscriber<String> failing = command.toFlowable("x").test();
    time.advanceMillis(600);
    source.fail(new IOException("down"));
    failing.assertError(IOException.class);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    time.advance(Duration.ofSeconds(5));
    return command;
  }

  @Test
  void trial_cutShortAfterAnItem_closesTheCircuit() {
    StreamCommand<String, String> command = halfOpen();
    TestSubscriber<String> trial = command.toFlowable("x").take(1).test();
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    source.emit("a");
    trial.assertResult("a");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(command.view().cumulativeCount(CANCELLED)).isEqualTo(1);
    assertThat(command.view().health().total()).isZero();
  }

  @Test
  void trial_disposedBeforeAnItem_leavesItsPlaceToTheNext() {
    StreamCommand<String, String> command = halfOpen();
    TestSubscriber<String> trial = command.toFlowable("x").test();
    trial.cancel();
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    TestSubscriber<String> next = command.toFlowable("x").test();
    source.emit("a");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    source.complete();
    next.assertResult("a");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void trial_thatFailsAfterItems_opensAgain() {
    StreamCommand<String, String> command = halfOpen();
    TestSubscriber<String> trial = command.toFlowable("x").test();
    source.emit("a").fail(new IOException("cut"));
    trial.assertFailure(IOException.class, "a");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  // Closing.

  @Test
  void close_endsStreamsInFlight() throws Exception {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> waiting = command.toFlowable("x").test();
    TestSubscriber<String> flowing = command.toFlowable("x").test();
    source.emit("a");
    CompletableFuture<Boolean> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO).isEmpty());
    for (TestSubscriber<String> subscriber : List.of(waiting, flowing)) {
      assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isTrue(); // before any limit can pass
      subscriber.assertError(CancellationException.class);
    }
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);
    flowing.assertValues("a");
    Scenario.await().untilAsserted(() -> assertThat(source.cancels).hasValue(2));
    assertCounted(command, EMIT, CANCELLED, CANCELLED);
  }

  @Test
  void close_endsStreamsAtTheirFallback() throws Exception {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    second.emit("f");
    CompletableFuture<Boolean> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO).isEmpty());
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(CancellationException.class, "f");
    assertCancelled(second);
    assertCounted(command, FAILURE, FALLBACK_EMIT, CANCELLED);
  }

  /** The subscriber's end is on its way to a thread, and shuts the stream only there. */
  @Test
  void close_whileThePublisherIsMade_cancelsItsSubscription() throws Exception {
    CountDownLatch at = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch subscribed = new CountDownLatch(1);
    AtomicReference<@Nullable CommandView> view = new AtomicReference<>();
    Tenrec tenrec =
        leaks.watch(
            builder()
                .time(time, time)
                .callbackExecutor(
                    task -> {
                      CommandView ended = view.get();
                      if (ended != null && ended.cumulativeCount(CANCELLED) == 1) {
                        release.countDown();
                        Uninterruptibly.await(subscribed);
                      }
                      Thread unused = Elsewhere.start(task);
                    })
                .build());
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> {
                  at.countDown();
                  Uninterruptibly.await(release);
                  return source;
                })
            .timeout(FIRST)
            .build();
    view.set(command.view());
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    Thread subscribing =
        Elsewhere.start(
            () -> {
              command.toFlowable("x").subscribe(subscriber);
              subscribed.countDown();
            });
    assertThat(at.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    CompletableFuture<Integer> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO).size());

    assertThat(subscribed.await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .as("%s", subscribing)
        .isTrue();
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(CancellationException.class);
    assertThat(source.subscribed).hasValue(1);
    assertThat(source.asked).isEmpty();
    Scenario.await().untilAsserted(() -> assertThat(source.cancels).hasValue(1));
  }

  @Test
  void close_duringAnItem_isSignalledAfterIt() throws Exception {
    CountDownLatch at = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber =
        command
            .toFlowable("x")
            .doOnNext(
                item -> {
                  at.countDown();
                  Uninterruptibly.await(release);
                })
            .test();
    CompletableFuture<Boolean> emitting =
        Elsewhere.call(
            () -> {
              source.emit("a");
              return true;
            });
    assertThat(at.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Boolean> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO).isEmpty());
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);
    subscriber.assertEmpty();
    release.countDown();
    assertThat(emitting.join()).isTrue();
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(CancellationException.class, "a");
  }
}
