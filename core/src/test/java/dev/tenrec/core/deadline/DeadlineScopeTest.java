// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.StreamCommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A deadline that is opened, shortened, carried and written, outside of any call. */
class DeadlineScopeTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  /** Those whose work has begun. */
  private final List<Call> calls = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(Deadline.current(tenrec)).isEmpty();
  }

  private Optional<Duration> left() {
    return Deadline.current(tenrec).map(Deadline::remaining);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  /** Its thread is ours, and goes on with other calls. */
  @Test
  void scope_thatWorkForgets_isNotThereForTheNextCallOfItsThread() {
    Command<String, Optional<Duration>> command =
        tenrec
            .command(
                "Careless",
                (String argument) -> {
                  Optional<Duration> before = left();
                  Scope forgotten = Deadline.after(tenrec, ms(100)).open();
                  assertThat(forgotten).isNotNull();
                  return before;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .build();

    assertThat(command.execute("x")).isEmpty();
    assertThat(command.execute("x")).isEmpty();
  }

  @Test
  void open_withinAnEarlierOne_prolongsNothing() {
    try (Scope outer = Deadline.after(tenrec, ms(100)).open()) {
      try (Scope inner = Deadline.after(tenrec, ms(500)).open()) {
        assertThat(left()).hasValue(ms(100));
      }
      try (Scope inner = Deadline.after(tenrec, ms(50)).open()) {
        assertThat(left()).hasValue(ms(50));
      }
      assertThat(left()).hasValue(ms(100));
    }
    assertThat(left()).isEmpty();
  }

  /** The fallback runs on its thread, and has its deadline too. */
  @Test
  void scope_ofACallerWhoseFallbackAnswered_lasts() {
    Command<String, Optional<Duration>> command =
        tenrec
            .<String, Optional<Duration>>command(
                "Failing",
                argument -> {
                  throw new IllegalStateException("down");
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .fallback((argument, cause) -> left())
            .build();

    try (Scope scope = Deadline.after(tenrec, ms(100)).open()) {
      assertThat(command.execute("x")).hasValue(ms(100));
      assertThat(left()).hasValue(ms(100));
    }
  }

  @Test
  void shortenedTo_moreThanIsLeft_changesNothing() {
    Deadline deadline = Deadline.after(tenrec, ms(100));

    assertThat(deadline.shortenedTo(ms(40)).remaining()).isEqualTo(ms(40));
    assertThat(deadline.shortenedTo(ms(400)).remaining()).isEqualTo(ms(100));
    time.advanceMillis(150);
    assertThat(deadline.remaining()).isZero();
    assertThat(deadline.hasPassed()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deadline.shortenedTo(ms(-1)))
        .withMessageContaining("0 or more");
  }

  @Test
  void after_longerThanAnyCall_isALongTime() {
    assertThat(Deadline.after(tenrec, Duration.ofSeconds(Long.MAX_VALUE)).remaining())
        .isEqualTo(Duration.ofDays(3_650));
  }

  @Test
  void wrap_onAnotherThread_carriesItThereAndLeavesNothing() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Deadline deadline = Deadline.after(tenrec, ms(100));
      assertThat(
              other.submit(deadline.wrap(this::left)).get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .hasValue(ms(100));
      assertThat(other.submit(this::left).get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEmpty();
    } finally {
      other.shutdown();
    }
  }

  @Test
  void request_enteredOnAnotherThread_bringsTheDeadlineItWasOpenedIn() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (Scope scope = Deadline.after(tenrec, ms(100)).open();
        RequestContext request = tenrec.openRequest()) {
      assertThat(
              other.submit(request.wrap(this::left)).get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .hasValue(ms(100));
      assertThat(other.submit(this::left).get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEmpty();
      assertThat(left()).hasValue(ms(100));
    } finally {
      other.shutdown();
    }
  }

  @Test
  void writeTo_aRequest_setsHeaderAndTimeOut() {
    HttpRequest request =
        Deadline.after(tenrec, ms(250))
            .writeTo(HttpRequest.newBuilder(URI.create("http://localhost/")), DeadlineHeader.MILLIS)
            .build();

    assertThat(request.headers().firstValue("X-Millis-Left")).hasValue("250");
    assertThat(request.timeout()).hasValue(ms(250));
  }

  @Test
  void stream_beforeItsFirstItem_endsByTheDeadline() {
    StreamCommand<String, String> stream =
        tenrec
            .streamCommand("Items", (String argument) -> Flowable.<String>never())
            .isolation(Isolation.semaphore(10))
            .timeout(Duration.ofSeconds(1))
            .withDeadline()
            .build();
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    try (Scope scope = Deadline.after(tenrec, ms(100)).open()) {
      stream.toFlowable("x").subscribe(subscriber);
    }
    time.advanceMillis(100);

    subscriber.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS);
    subscriber.assertError(
        error -> error instanceof CommandTimeoutException late && late.limit() == Limit.DEADLINE);
    assertThat(stream.view().cumulativeCount(EventType.DEADLINE_EXCEEDED)).isOne();
  }

  @Test
  void stream_afterItsFirstItem_goesOnBeyondTheDeadline() {
    StreamCommand<String, String> stream =
        tenrec
            .streamCommand(
                "Items", (String argument) -> Flowable.just(argument).concatWith(Flowable.never()))
            .isolation(Isolation.semaphore(10))
            .withDeadline()
            .build();
    TestSubscriber<String> subscriber = new TestSubscriber<>();
    try (Scope scope = Deadline.after(tenrec, ms(100)).open()) {
      stream.toFlowable("x").subscribe(subscriber);
    }
    await().untilAsserted(() -> subscriber.assertValueCount(1));
    time.advanceMillis(200);

    subscriber.assertNotComplete().assertNoErrors().assertValues("x");
    subscriber.cancel();
  }

  private StreamCommandBuilder<String, String> silent() {
    return tenrec
        .streamCommand(
            "Items",
            (String argument, Call call) -> {
              calls.add(call);
              return Flowable.<String>never();
            })
        .isolation(Isolation.semaphore(10))
        .timeout(Duration.ofSeconds(1))
        .withDeadline();
  }

  private TestSubscriber<String> subscribeWithin(StreamCommand<String, String> stream, long left) {
    TestSubscriber<String> subscriber = new TestSubscriber<>(0);
    try (Scope scope = Deadline.after(tenrec, ms(left)).open()) {
      stream.toFlowable("x").subscribe(subscriber);
    }
    return subscriber;
  }

  private static CommandTimeoutException late(TestSubscriber<String> subscriber) {
    subscriber.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS);
    List<Throwable> errors = new ArrayList<>();
    subscriber.assertError(errors::add);
    return (CommandTimeoutException) errors.get(0);
  }

  /** A deadline is a moment: it does not move with the subscriber's demand. */
  @Test
  void stream_askedForItemsLate_endsByTheDeadline() {
    StreamCommand<String, String> stream = silent().build();
    TestSubscriber<String> subscriber = subscribeWithin(stream, 100);
    time.advanceMillis(90);
    subscriber.request(1);
    time.advanceMillis(10);

    assertThat(late(subscriber))
        .hasMessage(
            "Items came to the deadline of the call it was made in: that had left it 100 ms,"
                + " 100 ms had passed and its work had not ended");
    assertThat(stream.view().cumulativeCount(EventType.DEADLINE_EXCEEDED)).isOne();
  }

  @Test
  void stream_askedForNoItem_endsByTheDeadline() {
    StreamCommand<String, String> stream = silent().build();
    TestSubscriber<String> subscriber = subscribeWithin(stream, 100);
    time.advanceMillis(100);

    assertThat(late(subscriber).limit()).isEqualTo(Limit.DEADLINE);
    assertThat(stream.view().cumulativeCount(EventType.DEADLINE_EXCEEDED)).isOne();
  }

  /** The time-out counts from the demand on; by then the deadline has become the earlier one. */
  @Test
  void stream_askedSoLateThatItsTimeOutIsTheLater_endsByTheDeadline() {
    StreamCommand<String, String> stream = silent().build();
    TestSubscriber<String> subscriber = subscribeWithin(stream, 1_500);
    time.advanceMillis(1_000); // where its time-out would be
    time.advanceMillis(200);
    subscriber.request(1);
    time.advanceMillis(300);

    CommandTimeoutException late = late(subscriber);
    assertThat(late.limit()).isEqualTo(Limit.DEADLINE);
    assertThat(late.timeout()).isEqualTo(ms(1_500));
    assertThat(stream.view().cumulativeCount(EventType.TIMEOUT)).isZero();
  }

  @Test
  void stream_askedForItemsInTime_endsByItsTimeOutIfThatIsTheEarlier() {
    StreamCommand<String, String> stream = silent().build();
    TestSubscriber<String> subscriber = subscribeWithin(stream, 1_500);
    time.advanceMillis(100);
    subscriber.request(1);
    time.advanceMillis(1_000);

    CommandTimeoutException late = late(subscriber);
    assertThat(late.limit()).isEqualTo(Limit.FIRST_ITEM);
    assertThat(late.timeout()).isEqualTo(ms(1_000));
    assertThat(stream.view().cumulativeCount(EventType.DEADLINE_EXCEEDED)).isZero();
  }

  @Test
  void stream_withoutATimeOut_endsByTheDeadline() {
    TestSubscriber<String> subscriber = subscribeWithin(silent().withoutTimeout().build(), 100);
    subscriber.request(1);
    time.advanceMillis(100);

    assertThat(late(subscriber).limit()).isEqualTo(Limit.DEADLINE);
  }

  @Test
  void stream_askedForNoItem_saysHowMuchIsLeftUntilTheDeadline() {
    TestSubscriber<String> subscriber = subscribeWithin(silent().build(), 100);
    assertThat(calls).singleElement().extracting(Call::remaining).isEqualTo(ms(100));
    time.advanceMillis(30);
    assertThat(calls).singleElement().extracting(Call::remaining).isEqualTo(ms(70));
    time.advanceMillis(70);

    assertThat(late(subscriber).limit()).isEqualTo(Limit.DEADLINE);
    assertThat(calls).singleElement().extracting(Call::remaining).isEqualTo(Duration.ZERO);
  }

  /** As any call that waits for a thread. */
  @Test
  void stream_queuedBeyondTheDeadline_neverRuns() throws Exception {
    Isolation.ThreadPool pool =
        Isolation.threadPool().key("One").coreSize(1).queueSize(10).rejectionThreshold(10);
    CompletableFuture<String> answer = new CompletableFuture<>();
    CompletableFuture<String> occupant =
        tenrec
            .command("Occupant", (String argument) -> answer.get())
            .isolation(pool)
            .withoutTimeout()
            .build()
            .executeAsync("x");
    StreamCommand<String, String> stream = silent().isolation(pool).build();
    TestSubscriber<String> subscriber = subscribeWithin(stream, 100);
    time.advanceMillis(100);
    assertThat(late(subscriber).workBegan()).isFalse();

    answer.complete("done");
    assertThat(occupant.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("done");
    await().until(() -> stream.view().concurrency() == 0);
    assertThat(calls).isEmpty();
  }
}
