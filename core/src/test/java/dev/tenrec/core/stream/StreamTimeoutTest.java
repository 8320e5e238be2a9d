// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FALLBACK_EMIT;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldCallbacks;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** The two limits: until the first item, and between items. */
class StreamTimeoutTest extends StreamFixture {

  private static CommandTimeoutException timeout(TestSubscriber<String> subscriber)
      throws InterruptedException {
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    CompletableFuture<CommandTimeoutException> error = new CompletableFuture<>();
    subscriber.assertError(
        thrown -> thrown instanceof CommandTimeoutException timeout && error.complete(timeout));
    return error.join();
  }

  @Test
  void firstItem_thatDoesNotCome_timesOut() throws Exception {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advance(FIRST);
    CommandTimeoutException timeout = timeout(subscriber);
    assertThat(timeout.limit()).isEqualTo(Limit.FIRST_ITEM);
    assertThat(timeout.timeout()).isEqualTo(FIRST);
    assertThat(timeout)
        .hasMessage(
            "Ticks timed out: the limit for its first item is 1000 ms, 1000 ms had passed and none"
                + " had come");
    Scenario.await().until(source::isCancelled);
    source.emit("late").complete();
    subscriber.assertNoValues();
    assertCounted(command, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void timeOut_runsNobodysCodeOnTheTimer() throws Exception {
    CompletableFuture<String> thread = new CompletableFuture<>();
    TestSubscriber<String> subscriber =
        ticks()
            .betweenItemsTimeout(BETWEEN)
            .build()
            .toFlowable("x")
            .doOnError(thrown -> thread.complete(Thread.currentThread().getName()))
            .test();
    source.emit("a");
    time.advance(BETWEEN);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.NEXT_ITEM);
    assertThat(thread.get(PatientWaits.seconds(), TimeUnit.SECONDS)).startsWith("tenrec-callback-");
    await().until(() -> !source.cancelledOn.isEmpty()); // the end does not wait for it
    assertThat(source.cancelledOn).singleElement().asString().startsWith("tenrec-callback-");
  }

  @Test
  void firstItem_foundLateByItsOwnThread_timesOut() throws Exception {
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> {
                  time.advance(FIRST);
                  return Flowable.just("late");
                })
            .timeout(FIRST)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.FIRST_ITEM);
    subscriber.assertNoValues();
  }

  /** The timer sleeps: the thread of the source finds its item late, and goes on as a fallback. */
  @Test
  void firstItem_foundLateByAPoolsThread_interruptsNoFallbackThere() throws Exception {
    AtomicLong ahead = new AtomicLong();
    HeldCallbacks callbacks = HeldCallbacks.open();
    Tenrec tenrec =
        leaks.watch(
            builder()
                .time(() -> time.nanoTime() + ahead.get(), time)
                .callbackExecutor(callbacks)
                .build());
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    CompletableFuture<Thread> faller = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> {
                  worker.complete(Thread.currentThread());
                  awaitTimer();
                  ahead.set(FIRST.toNanos());
                  return Flowable.just("late");
                })
            .isolation(Isolation.threadPool())
            .timeout(FIRST)
            .fallback(
                (symbol, cause) -> {
                  faller.complete(Thread.currentThread());
                  interrupted.complete(isInterruptedAfter(callbacks));
                  return Flowable.just("f");
                })
            .build();

    TestSubscriber<String> subscriber = command.toFlowable("x").test();

    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertResult("f");
    assertThat(faller.join()).isSameAs(worker.join());
    assertThat(interrupted.join()).isFalse();
    assertCounted(command, TIMEOUT, FALLBACK_EMIT, FALLBACK_SUCCESS);
    Elsewhere.close(tenrec, time);
  }

  /** It sleeps by a time that stands still, and so finds nothing late. */
  private void awaitTimer() {
    await()
        .until(
            () -> time.waiting().stream().anyMatch(thread -> thread.getName().contains("timer")));
  }

  /** Whether this thread is interrupted while all that was to be done elsewhere is done. */
  private static boolean isInterruptedAfter(HeldCallbacks callbacks) {
    try {
      callbacks.awaitOver();
    } catch (RuntimeException interrupted) { // while it waited
      return true;
    }
    return Thread.interrupted();
  }

  @Test
  void firstItemInTime_andNoOtherLimit_mayTakeForEver() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advanceMillis(999);
    source.emit("a");
    for (int i = 0; i < 10; i++) {
      time.advance(Duration.ofHours(1));
    }
    source.emit("b").complete();
    subscriber.assertResult("a", "b");
    assertCounted(command, EMIT, EMIT, SUCCESS);
  }

  @Test
  void withoutTimeout_theFirstItemMayTakeForEver_butNotTheNext() throws Exception {
    StreamCommand<String, String> command =
        ticks().withoutTimeout().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advance(Duration.ofHours(1));
    source.emit("a");
    subscriber.assertValues("a");
    time.advance(BETWEEN);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.NEXT_ITEM);
    Scenario.await().until(source::isCancelled);
  }

  @Test
  void nextItem_thatDoesNotCome_timesOut_andSaysWhichLimit() throws Exception {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advanceMillis(900); // the first one may take longer
    source.emit("a");
    for (String item : new String[] {"b", "c", "d"}) {
      time.advanceMillis(90);
      source.emit(item);
    }
    time.advance(BETWEEN);
    CommandTimeoutException timeout = timeout(subscriber);
    assertThat(timeout.limit()).isEqualTo(Limit.NEXT_ITEM);
    assertThat(timeout)
        .hasMessage(
            "Ticks timed out: the limit for its next item is 100 ms, 100 ms had passed and none had"
                + " come");
    subscriber.assertValues("a", "b", "c", "d");
    Scenario.await().until(source::isCancelled);
    assertCounted(command, EMIT, EMIT, EMIT, EMIT, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void endThatDoesNotCome_isALateItemToo() throws Exception {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    time.advance(BETWEEN);
    source.complete();
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.NEXT_ITEM);
  }

  @Test
  void slowSubscriber_isNotTheSourcesFailure() throws Exception {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(1);
    source.emit("a");
    time.advance(Duration.ofMinutes(1)); // nobody asks for the next
    subscriber.request(1);
    time.advanceMillis(99);
    source.emit("b");
    time.advance(Duration.ofMinutes(1));
    subscriber.assertValues("a", "b").assertNotComplete();

    subscriber.request(1);
    time.advance(BETWEEN);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.NEXT_ITEM);
    assertCounted(command, EMIT, EMIT, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void subscriberAtAnItem_isNotTheSourcesFailure() {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> subscriber =
        command.toFlowable("x").doOnNext(item -> time.advance(Duration.ofSeconds(10))).test();
    source.emit("a", "b", "c").complete();
    subscriber.assertResult("a", "b", "c");
  }

  @Test
  void firstItem_isWaitedForFromTheFirstRequest() throws Exception {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(0);
    time.advance(Duration.ofMinutes(1));
    subscriber.assertEmpty();
    subscriber.request(1);
    time.advanceMillis(999);
    subscriber.assertEmpty();
    time.advanceMillis(1);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.FIRST_ITEM);
  }

  /** The timer comes at the limit as if it had been asked for at once, and has to come again. */
  @Test
  void firstItem_askedForLate_andStillNotThereWhenTheTimerHasLooked_timesOut() throws Exception {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test(0);
    time.advanceMillis(400);
    subscriber.request(1);
    time.advanceMillis(600);
    Scenario.await()
        .until(
            () ->
                time.waiting().stream()
                    .anyMatch(thread -> thread.getName().startsWith("tenrec-timer-")));
    subscriber.assertEmpty();
    time.advanceMillis(399);
    subscriber.assertEmpty();
    time.advanceMillis(1);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.FIRST_ITEM);
  }

  @Test
  void betweenItemsTimeout_isLive() throws Exception {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(Duration.ZERO).build();
    TestSubscriber<String> before = command.toFlowable("x").test();
    source.emit("a");
    tenrec.set("tenrec.command.Ticks.execution.stream.betweenItemsTimeoutInMilliseconds", "50");
    time.advance(Duration.ofMinutes(1));
    source.complete();
    before.assertResult("a"); // goes by what counted when it began

    TestSubscriber<String> after = command.toFlowable("x").test();
    source.emit("a");
    time.advanceMillis(50);
    assertThat(timeout(after).timeout()).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void queuedBeyondTheLimit_neverBegins() throws Exception {
    StreamCommand<String, String> command =
        ticks().isolation(Isolation.threadPool().coreSize(1).queueSize(5)).build();
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
    time.advance(FIRST);
    CommandTimeoutException timeout = timeout(subscriber);
    assertThat(timeout.workBegan()).isFalse();
    assertThat(timeout).hasMessageEndingWith("its work was still waiting for a thread");
    release.countDown();
    assertThat(busy.join()).isEqualTo("x");
    assertThat(source.subscribed).hasValue(0);
  }

  @Test
  void fallback_ofATimeOut_goesOnOnACallbackThread() throws Exception {
    CompletableFuture<String> thread = new CompletableFuture<>();
    StreamCommand<String, String> command =
        ticks()
            .betweenItemsTimeout(BETWEEN)
            .fallback(
                (symbol, cause) -> {
                  thread.complete(Thread.currentThread().getName());
                  return Flowable.just("last known", cause.getClass().getSimpleName());
                })
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    time.advance(BETWEEN);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertResult("a", "last known", "CommandTimeoutException");
    assertThat(thread.join()).startsWith("tenrec-callback-");
    assertCounted(command, EMIT, TIMEOUT, FALLBACK_EMIT, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  /** It may send items, and never return: nobody else could stop it. */
  @Test
  void sourceThatIsStillSubscribing_whenItsFallbackTakesOver_isCancelledMeanwhile()
      throws Exception {
    AtomicBoolean cancelled = new AtomicBoolean();
    Publisher<String> endless =
        subscriber -> {
          source.subscribe(subscriber);
          time.advance(FIRST);
          Scenario.await().until(source::isCancelled);
          cancelled.set(true);
        };
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String symbol) -> endless)
            .timeout(FIRST)
            .fallback((symbol, cause) -> Flowable.just("f"))
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(cancelled).isTrue();
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertResult("f");
    assertCounted(command, TIMEOUT, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @Test
  void call_showsTheTimeLeftForTheFirstItem_andIsGivenUp() throws Exception {
    CompletableFuture<Call> shown = new CompletableFuture<>();
    CountDownLatch cancelled = new CountDownLatch(1);
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol, Call call) -> {
                  call.onCancel(cancelled::countDown);
                  shown.complete(call);
                  return source;
                })
            .timeout(FIRST)
            .betweenItemsTimeout(BETWEEN)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    Call call = shown.join();
    time.advanceMillis(400);
    assertThat(call.remaining()).isEqualTo(Duration.ofMillis(600));
    source.emit("a");
    assertThat(call.remaining()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    assertThat(call.isGivenUp()).isFalse();
    time.advance(BETWEEN);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.NEXT_ITEM);
    assertThat(cancelled.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertFree(command);
    assertThat(call.isGivenUp()).isTrue();
    assertThat(call.commandKey()).isEqualTo("Ticks");
  }

  @Test
  void call_showsTheTimeLeft_fromWhenItsItemIsWaitedFor() throws Exception {
    CompletableFuture<Call> shown = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol, Call call) -> {
                  shown.complete(call);
                  return source;
                })
            .timeout(FIRST)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(0);
    Call call = shown.join();
    time.advance(Duration.ofMinutes(1));
    assertThat(call.remaining()).as("nobody has asked").isEqualTo(FIRST);
    subscriber.request(1);
    time.advanceMillis(400);
    assertThat(call.remaining()).isEqualTo(Duration.ofMillis(600));
    time.advanceMillis(600);
    assertThat(timeout(subscriber).limit()).isEqualTo(Limit.FIRST_ITEM);
    assertThat(call.remaining()).isEqualTo(Duration.ZERO);
  }
}
