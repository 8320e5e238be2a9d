// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.SEMAPHORE_REJECTED;
import static dev.tenrec.metrics.event.EventType.SHORT_CIRCUITED;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.THREAD_POOL_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** The way of a stream from its subscription to its end, and what is counted of it. */
public class StreamCommandTest extends StreamFixture {

  private final List<Subscriber<? super String>> subscribers = new ArrayList<>();

  @Test
  void items_flowToTheSubscriber_andTheEndIsOneSuccess() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("ACME").test();
    source.emit("a", "b", "c");
    subscriber.assertValues("a", "b", "c").assertNotComplete();
    assertThat(command.view().concurrency()).isEqualTo(1);
    assertCounted(command, EMIT, EMIT, EMIT);

    source.complete();
    subscriber.assertComplete();
    assertThat(command.view().concurrency()).isZero();
    assertCounted(command, EMIT, EMIT, EMIT, SUCCESS);
    assertThat(source.isCancelled()).isFalse();
  }

  @Test
  void toFlowable_isCold_andEachSubscriptionIsAnExecution() {
    AtomicInteger started = new AtomicInteger();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks", (String symbol) -> Flowable.just(symbol + started.incrementAndGet()))
            .build();
    Flowable<String> flowable = command.toFlowable("x");
    assertThat(started).hasValue(0);
    flowable.test().assertResult("x1");
    flowable.test().assertResult("x2");
    assertCounted(command, EMIT, EMIT, SUCCESS, SUCCESS);
  }

  @Test
  void emptyStream_isASuccess() {
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> Flowable.<String>empty()).build();
    command.toFlowable("x").test().assertResult();
    assertCounted(command, SUCCESS);
  }

  @Test
  void key_andToString_sayWhichCommand() {
    StreamCommand<String, String> command = ticks().build();
    assertThat(command.key()).isEqualTo("Ticks");
    assertThat(command).hasToString("StreamCommand Ticks");
    assertThat(command.transitions()).isEmpty();
  }

  @Test
  void latency_isTheStreamsUntilItsEnd() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    time.advanceMillis(200);
    source.emit("a");
    time.advanceMillis(5_000);
    source.complete();
    subscriber.assertResult("a");
    assertThat(command.view().executionLatency().count()).isEqualTo(1);
    assertThat(Duration.ofNanos(command.view().executionLatency().maxNanos()))
        .isGreaterThan(Duration.ofMillis(5_100));
    assertThat(command.view().callerLatency().count()).isEqualTo(1);
  }

  // How it fails.

  @Test
  void error_afterItems_isAFailure() {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a").fail(new IOException("cut"));
    subscriber.assertFailure(IOException.class, "a");
    assertCounted(command, EMIT, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void workThatThrows_isAFailure() {
    StreamCommand<String, String> command =
        tenrec.<String, String>streamCommand("Ticks", symbol -> noFeed()).build();
    command.toFlowable("x").test().assertFailure(IOException.class);
    assertCounted(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  private static Publisher<String> noFeed() throws IOException {
    throw new IOException("no feed");
  }

  @Test
  void subscribeThatThrows_isAFailure_andWhatItSendsLaterIsDropped() {
    Publisher<String> half =
        subscriber -> {
          source.subscribe(subscriber);
          throw new IllegalStateException("half subscribed");
        };
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> half).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(source.isCancelled()).isTrue();
    source.emit("late").complete();
    subscriber.assertError(
        thrown ->
            thrown instanceof IllegalStateException
                && thrown.getMessage().equals("half subscribed"));
    assertCounted(command, FAILURE, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void nullPublisher_isAFailureThatSaysSo() {
    StreamCommand<String, String> command =
        tenrec.streamCommand("Ticks", (String symbol) -> (Publisher<String>) null).build();
    command
        .toFlowable("x")
        .test()
        .assertError(
            thrown ->
                thrown instanceof NullPointerException
                    && thrown
                        .getMessage()
                        .equals("Ticks: its work returned null, a Publisher was expected"));
  }

  @Test
  void badRequest_andIgnored_reachTheSubscriberWithoutFallback() {
    StreamCommand<String, String> command =
        ticks()
            .ignore(IllegalArgumentException.class)
            .fallback((symbol, cause) -> Flowable.just("fallback"))
            .build();
    TestSubscriber<String> first = command.toFlowable("x").test();
    source.emit("a").fail(new BadRequestException("no such symbol"));
    first.assertFailure(BadRequestException.class, "a");
    TestSubscriber<String> other = command.toFlowable("x").test();
    source.fail(new IllegalArgumentException("nor this"));
    other.assertFailure(IllegalArgumentException.class);
    assertCounted(command, EMIT, BAD_REQUEST, BAD_REQUEST, EXCEPTION_THROWN, EXCEPTION_THROWN);
    assertThat(command.view().health().total()).isZero();
  }

  // The gates.

  @ParameterizedTest
  @MethodSource("ways")
  void permit_isHeldUntilTheStreamEnds(Way way) {
    StreamCommand<String, String> command = ticks().isolation(way.isolation(1)).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    Scenario.await().until(() -> source.subscribed.get() == 1);
    source.emit("a");
    assertThat(command.view().concurrency()).isEqualTo(1);
    command.toFlowable("y").test().assertFailure(CommandRejectedException.class);
    source.complete();
    subscriber.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertResult("a");
    assertThat(command.view().concurrency()).isZero();
    assertCounted(
        command,
        EMIT,
        SUCCESS,
        way == Way.POOL ? THREAD_POOL_REJECTED : SEMAPHORE_REJECTED,
        FALLBACK_MISSING,
        EXCEPTION_THROWN);
  }

  public static Stream<Way> ways() {
    return Way.all().stream().filter(way -> way != Way.STAGE);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void subscribe_happensWhereTheWorkBelongs(Way way) {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> {
                  thread.complete(Thread.currentThread());
                  return source;
                })
            .isolation(way.isolation())
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    Scenario.await().until(() -> source.subscribed.get() == 1);
    assertThat(thread.join() == Thread.currentThread()).isEqualTo(way == Way.SEMAPHORE);
    source.complete();
    subscriber.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertResult();
  }

  @Test
  void isolation_unlessSaid_isASemaphoreOfTen() {
    StreamCommand<String, String> command = ticks().build();
    for (int i = 0; i < 10; i++) {
      TestSubscriber<String> subscriber = command.toFlowable("x").test();
      subscriber.assertEmpty();
      subscribers.add(source.subscriber());
    }
    command.toFlowable("x").test().assertFailure(CommandRejectedException.class);
    subscribers.forEach(Subscriber::onComplete);
    assertThat(command.view().concurrency()).isZero();
  }

  @Test
  void openCircuit_refusesBeforeTheWork() {
    StreamCommand<String, String> command = ticks().errorThreshold(50, 1).build();
    TestSubscriber<String> failing = command.toFlowable("x").test();
    time.advanceMillis(600); // past the health interval
    source.fail(new IOException("down"));
    failing.assertFailure(IOException.class);
    command.toFlowable("x").test().assertFailure(CircuitOpenException.class);
    assertThat(source.subscribed).hasValue(1);
    assertThat(command.view().cumulativeCount(SHORT_CIRCUITED)).isEqualTo(1);
    assertThat(command.transitions()).hasSize(1);
  }
}
