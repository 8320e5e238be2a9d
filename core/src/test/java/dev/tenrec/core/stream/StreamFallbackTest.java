// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_DISABLED;
import static dev.tenrec.metrics.event.EventType.FALLBACK_EMIT;
import static dev.tenrec.metrics.event.EventType.FALLBACK_FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_REJECTION;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.SEMAPHORE_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** A stream that goes on with another. */
class StreamFallbackTest extends StreamFixture {

  private CommandRuntime runtime() {
    return InsideTenrec.registry(tenrec).commands().iterator().next().runtime();
  }

  @Test
  void fallback_afterItems_goesOnWithTheDemandThatIsLeft() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(5);
    source.emit("a", "b").fail(new IOException("cut"));
    assertThat(second.asked).containsExactly(3L);
    assertThat(command.view().concurrency()).isZero(); // the source's stream has ended
    assertThat(Inside.fallbacksInUse(runtime())).isEqualTo(1);
    second.emit("f");
    subscriber.request(4);
    assertThat(second.asked).containsExactly(3L, 4L);
    assertThat(source.asked).containsExactly(5L);
    second.emit("g");
    subscriber.assertValues("a", "b", "f", "g").assertNotComplete();
    second.complete();
    subscriber.assertResult("a", "b", "f", "g");
    assertThat(Inside.fallbacksInUse(runtime())).isZero();
    assertCounted(command, EMIT, EMIT, FAILURE, FALLBACK_EMIT, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @Test
  void listeners_areNotifiedOfEachItem() {
    List<String> reports = new CopyOnWriteArrayList<>();
    Tenrec listened =
        leaks.watch(
            Unhurried.builder()
                .listen(
                    new CommandListener() {
                      @Override
                      public void onEmit(ListenedCall call, Object item) {
                        reports.add("item " + item);
                      }

                      @Override
                      public void onFallbackStart(ListenedCall call, Throwable cause) {
                        reports.add("fallback");
                      }

                      @Override
                      public void onFallbackEmit(ListenedCall call, Object item) {
                        reports.add("fallback's item " + item);
                      }

                      @Override
                      public void onFallbackSuccess(ListenedCall call, Object value) {
                        reports.add("fallback's end");
                      }
                    })
                .build());
    listened
        .streamCommand(
            "Ticks",
            (String symbol) ->
                Flowable.just("a", "b").concatWith(Flowable.error(new IOException("cut"))))
        .fallback((symbol, cause) -> Flowable.just("f", "g"))
        .build()
        .toFlowable("x")
        .test()
        .assertResult("a", "b", "f", "g");
    await() // the ending is reported after the answer
        .untilAsserted(
            () ->
                assertThat(reports)
                    .containsExactly(
                        "item a",
                        "item b",
                        "fallback",
                        "fallback's item f",
                        "fallback's item g",
                        "fallback's end"));
  }

  @Test
  void fallback_getsTheArgumentAndTheCause() {
    CompletableFuture<Throwable> given = new CompletableFuture<>();
    StreamCommand<String, String> command =
        ticks()
            .fallback(
                (symbol, cause) -> {
                  given.complete(cause);
                  return Flowable.just("last of " + symbol);
                })
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("ACME").test();
    IOException cut = new IOException("cut");
    source.fail(cut);
    subscriber.assertResult("last of ACME");
    assertThat(given.join()).isSameAs(cut);
  }

  @Test
  void fallback_ofARejection_answers() {
    StreamCommand<String, String> command =
        ticks()
            .isolation(Isolation.semaphore(0))
            .fallback((symbol, cause) -> Flowable.just(cause.getClass().getSimpleName()))
            .build();
    command.toFlowable("x").test().assertResult("CommandRejectedException");
    assertCounted(command, SEMAPHORE_REJECTED, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @Test
  void itemsOfTheSource_afterTheFallbackTookOver_areDropped() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IOException("cut"));
    source.emit("late");
    second.emit("f");
    source.complete();
    second.complete();
    subscriber.assertResult("f");
  }

  @Test
  void fallbackThatFails_givesTheFirstCause() {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a").fail(new IOException("first"));
    second.emit("f").fail(new IllegalStateException("second"));
    subscriber.assertFailure(IOException.class, "a", "f");
    assertThat(Inside.fallbacksInUse(runtime())).isZero();
    assertCounted(command, EMIT, FAILURE, FALLBACK_EMIT, FALLBACK_FAILURE, EXCEPTION_THROWN);
  }

  @Test
  void fallbackThatThrows_orReturnsNull_givesTheFirstCause() {
    StreamCommand<String, String> throwing =
        ticks().fallback((symbol, cause) -> noSecond(symbol)).build();
    for (String symbol : new String[] {"x", ""}) {
      TestSubscriber<String> subscriber = throwing.toFlowable(symbol).test();
      source.fail(new IOException("first"));
      subscriber.assertFailure(IOException.class);
    }
    assertThat(throwing.view().cumulativeCount(FALLBACK_FAILURE)).isEqualTo(2);
  }

  private static Publisher<String> noSecond(String symbol) {
    if (symbol.isEmpty()) {
      return null;
    }
    throw new IllegalStateException("no second either");
  }

  /** That of its subscriber, or the one that has ended its source: both are the user's. */
  @Test
  void fallbackThatIsInterrupted_leavesItsThreadInterrupted() {
    StreamCommand<String, String> command =
        ticks()
            .fallback(
                (symbol, cause) -> {
                  throw new InterruptedException("of the test");
                })
            .build();
    TestSubscriber<String> here = command.toFlowable("x").test();
    source.fail(new IOException("first"));
    assertThat(Thread.interrupted()).isTrue();
    here.assertFailure(IOException.class);

    TestSubscriber<String> elsewhere = command.toFlowable("x").test();
    CompletableFuture<Boolean> interrupted =
        Elsewhere.call(
            () -> {
              source.fail(new IOException("first"));
              return Thread.interrupted();
            });
    assertThat(interrupted).succeedsWithin(PatientWaits.patience()).isEqualTo(true);
    elsewhere.assertFailure(IOException.class);
    assertThat(command.view().cumulativeCount(FALLBACK_FAILURE)).isEqualTo(2);
  }

  @Test
  void fallbackError_isAttachedToTenrecsOwnCause() {
    StreamCommand<String, String> command =
        ticks()
            .isolation(Isolation.semaphore(0))
            .fallback((symbol, cause) -> Flowable.error(new IOException("second")))
            .build();
    command
        .toFlowable("x")
        .test()
        .assertError(
            thrown ->
                thrown instanceof CommandRejectedException
                    && thrown.getSuppressed()[0] instanceof IOException);
  }

  @Test
  void fallbackPermits_areHeldUntilItsStreamEnds() {
    StreamCommand<String, String> command =
        ticks().fallbackLimit(1).fallback((symbol, cause) -> second).build();
    TestSubscriber<String> first = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    TestSubscriber<String> refused = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    refused.assertFailure(IOException.class);
    second.complete();
    first.assertResult();
    assertCounted(
        command, FAILURE, FAILURE, FALLBACK_SUCCESS, FALLBACK_REJECTION, EXCEPTION_THROWN);
  }

  @Test
  void fallbackDisabled_givesTheCause() {
    StreamCommand<String, String> command =
        ticks().property("fallback.enabled", "false").fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    subscriber.assertFailure(IOException.class);
    assertCounted(command, FAILURE, FALLBACK_DISABLED, EXCEPTION_THROWN);
  }

  @Test
  void onAPool_theThreadGivesItsPermitBackBeforeTheFallbackEnds() {
    StreamCommand<String, String> command =
        ticks()
            .isolation(Isolation.threadPool().coreSize(1))
            .fallback((symbol, cause) -> second)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    Scenario.await().until(() -> source.subscribed.get() == 1);
    source.fail(new IOException("down"));
    Scenario.await().until(() -> second.subscribed.get() == 1);
    assertFree(command);
    second.emit("f").complete();
    subscriber.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertResult("f");
  }

  @Test
  void fallback_hasNoLimitOfItsOwn() {
    StreamCommand<String, String> command =
        ticks().betweenItemsTimeout(BETWEEN).fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IOException("down"));
    time.advance(FIRST.multipliedBy(10));
    second.emit("f");
    time.advance(FIRST.multipliedBy(10));
    second.complete();
    subscriber.assertResult("f");
  }
}
