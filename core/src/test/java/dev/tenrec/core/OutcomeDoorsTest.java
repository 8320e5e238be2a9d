// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.BatchResult;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the doors that report all about a call have besides the others: {@link Door} has every
 * scenario run through them.
 */
class OutcomeDoorsTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ofSeconds(60))).isEmpty();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void attemptAsync_workAndFallbackFailed_hasBothErrors() throws Exception {
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                argument -> {
                  throw first;
                })
            .fallback(
                (argument, cause) -> {
                  throw second;
                })
            .build();

    for (Outcome<String> outcome :
        List.of(
            get(command.attemptAsync("x")),
            command.attemptSingle("x").blockingGet(),
            command.attempt("x"))) {
      assertThat(outcome.error()).isSameAs(first);
      assertThat(outcome.cause()).isSameAs(first);
      assertThat(outcome.fallbackError()).isSameAs(second);
    }
    assertThat(first.getSuppressed()).isEmpty();
  }

  @Test
  void attemptAsync_cancelled_givesTheWorkUp() throws Exception {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec.asyncCommand("Subject", (String argument) -> stage).build();
    CompletableFuture<Outcome<String>> future = command.attemptAsync("x");

    assertThat(future.cancel(true)).isTrue();

    assertThat(future).isCancelled();
    assertThat(stage).isCancelled();
    assertThat(Scenario.counted(command.view())).containsExactly(EventType.CANCELLED);
  }

  @Test
  void attemptAsync_completedFromOutside_givesTheWorkUp() throws Exception {
    Outcome<String> mine =
        tenrec.command("Other", (String argument) -> argument).build().attempt("mine");
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec.asyncCommand("Subject", (String argument) -> stage).build();
    CompletableFuture<Outcome<String>> future = command.attemptAsync("x");

    assertThat(future.complete(mine)).isTrue();

    assertThat(get(future)).isSameAs(mine);
    assertThat(stage).isCancelled();
    assertThat(Scenario.counted(command.view())).containsExactly(EventType.CANCELLED);
  }

  @Test
  void attemptAsync_onceDecided_isNotToBeCancelled() throws Exception {
    Command<String, String> command =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .build();
    CompletableFuture<Outcome<String>> future = command.attemptAsync("x");

    assertThat(future.cancel(true)).isFalse();

    assertThat(get(future).value()).isEqualTo("x");
    assertThat(Scenario.counted(command.view())).containsExactly(EventType.SUCCESS);
  }

  @Test
  void attemptAsync_closedMeanwhile_isCompletedWithTheCancellation() throws Exception {
    Tenrec closing = Tenrec.builder().time(time, time).build();
    Command<String, String> command =
        closing
            .asyncCommand("Subject", (String argument) -> new CompletableFuture<String>())
            .build();
    CompletableFuture<Outcome<String>> future = command.attemptAsync("x");
    TestObserver<Outcome<String>> observer = command.attemptSingle("x").test();

    closing.close(Duration.ZERO);

    assertThat(get(future).error()).isInstanceOf(CancellationException.class);
    assertThat(get(future).events()).containsExactly(EventType.CANCELLED);
    observer
        .awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS)
        .assertNoErrors()
        .assertValueCount(1);
  }

  @Test
  void attemptSingle_isCold_andHasNullResults() {
    Command<String, String> command =
        tenrec.command("Subject", (String argument) -> (String) null).build();
    var cold = command.attemptSingle("x");
    assertThat(Scenario.counted(command.view())).isEmpty();

    for (int i = 0; i < 2; i++) {
      Outcome<String> outcome = cold.blockingGet();
      assertThat(outcome.isAnswered()).isTrue();
      assertThat(outcome.value()).isNull();
    }

    assertThat(Scenario.counted(command.view()))
        .containsExactly(EventType.SUCCESS, EventType.SUCCESS);
  }

  @Test
  void attemptAsync_ofACachedCommand_hasTheRunAndTheHit() throws Exception {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String argument) -> stage)
            .cacheKey(argument -> argument)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Outcome<String>> first = command.attemptAsync("x");
      TestObserver<Outcome<String>> second = command.attemptSingle("x").test();
      stage.complete("answer");
      Outcome<String> third = get(command.attemptAsync("x"));

      assertThat(get(first).events()).containsExactly(EventType.SUCCESS);
      second.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS);
      for (Outcome<String> hit : List.of(second.values().get(0), third)) {
        assertThat(hit.value()).isEqualTo("answer");
        assertThat(hit.events()).containsExactly(EventType.SUCCESS, EventType.RESPONSE_FROM_CACHE);
      }
    }
  }

  // Guards.

  @Test
  void guard_hasThemAll_withAndWithoutFallback() throws Exception {
    Guard guard = tenrec.guard("Guarded").build();
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");

    assertThat(get(guard.attemptAsync(() -> 7)).value()).isEqualTo(7);
    assertThat(get(guard.<Integer>attemptAsync(() -> fail(first), cause -> 8)).value())
        .isEqualTo(8);
    assertThat(guard.<Integer>attempt(() -> fail(first), cause -> 9).isFromFallback()).isTrue();
    Outcome<Integer> both =
        guard.attempt(
            () -> fail(first),
            cause -> {
              throw second;
            });
    assertThat(both.error()).isSameAs(first);
    assertThat(both.fallbackError()).isSameAs(second);
  }

  private static int fail(Exception thrown) throws Exception {
    throw thrown;
  }

  // Members of batches.

  private enum MemberDoor {
    ATTEMPT_ASYNC {
      @Override
      CompletableFuture<Outcome<Integer>> call(Collapser<Integer, Integer> collapser, int id) {
        return collapser.attemptAsync(id);
      }
    },
    ATTEMPT_SINGLE {
      @Override
      CompletableFuture<Outcome<Integer>> call(Collapser<Integer, Integer> collapser, int id) {
        return collapser.attemptSingle(id).toCompletionStage().toCompletableFuture();
      }
    };

    abstract CompletableFuture<Outcome<Integer>> call(
        Collapser<Integer, Integer> collapser, int id);
  }

  @ParameterizedTest
  @EnumSource(MemberDoor.class)
  void member_getsItsOwnEnding_andItsBatchs(MemberDoor door) throws Exception {
    IOException alone = new IOException("this one");
    Collapser<Integer, Integer> collapser =
        tenrec
            .<Integer, Integer>collapser(
                "Double",
                ids -> BatchResult.<Integer, Integer>empty().answered(1, 2).failed(2, alone))
            .globalScope()
            .build();
    CompletableFuture<Outcome<Integer>> answered = door.call(collapser, 1);
    CompletableFuture<Outcome<Integer>> failed = door.call(collapser, 2);
    CompletableFuture<Outcome<Integer>> missing = door.call(collapser, 3);
    time.advanceMillis(10);

    assertThat(get(answered).value()).isEqualTo(2);
    assertThat(get(answered).commandKey()).isEqualTo("Double");
    assertThat(get(answered).callerLatency()).isEqualTo(Duration.ofMillis(10));
    assertThat(get(failed).error()).isSameAs(alone);
    assertThat(get(missing).error()).isInstanceOf(MissingAnswerException.class);
    for (CompletableFuture<Outcome<Integer>> each : List.of(answered, failed, missing)) {
      assertThat(get(each).events()).containsExactly(EventType.SUCCESS, EventType.COLLAPSED);
    }
  }

  @ParameterizedTest
  @EnumSource(MemberDoor.class)
  void member_ofABatchThatFailed_getsBothErrors(MemberDoor door) throws Exception {
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");
    Collapser<Integer, Integer> collapser =
        tenrec
            .<Integer, Integer>collapser(
                "Double",
                ids -> {
                  throw first;
                })
            .globalScope()
            .fallback(
                (ids, cause) -> {
                  throw second;
                })
            .build();
    CompletableFuture<Outcome<Integer>> future = door.call(collapser, 1);
    time.advanceMillis(10);

    assertThat(get(future).error()).isSameAs(first);
    assertThat(get(future).fallbackError()).isSameAs(second);
  }

  @Test
  void member_cancelledOrDisposed_leavesItsBatch() {
    Collapser<Integer, Integer> collapser =
        tenrec.<Integer, Integer>collapser("Double", ids -> Map.of()).globalScope().build();
    CompletableFuture<Outcome<Integer>> cancelled = collapser.attemptAsync(1);
    CompletableFuture<Outcome<Integer>> completed = collapser.attemptAsync(2);
    TestObserver<Outcome<Integer>> disposed = collapser.attemptSingle(3).test();

    assertThat(cancelled.cancel(true)).isTrue();
    assertThat(completed.complete(null)).isTrue();
    disposed.dispose();
    time.advanceMillis(10);

    disposed.assertEmpty();
    assertThat(collapser.view().cumulativeBatches()).isZero();
  }
}
