// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes in and out of a command, through its doors. */
class ExecutionTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Way> ways() {
    return Way.all().stream();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void attempt_success_hasBothLatencies(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.ATTEMPT)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advanceMillis(30);
                    return argument;
                  })
              .build();

      Answer answer = scenario.call(command, "x");

      Outcome<String> outcome = answer.outcome();
      assertThat(outcome).isNotNull();
      assertThat(outcome.executionLatency()).isEqualTo(Duration.ofMillis(30));
      assertThat(outcome.callerLatency()).isEqualTo(Duration.ofMillis(30));
      assertThat(outcome.commandKey()).isEqualTo("Subject");
    }
  }

  private static void assertRecorded(LatencySnapshot latencies, int millis) {
    assertThat(latencies.count()).isOne();
    assertThat((double) latencies.maxNanos())
        .isCloseTo(millis * 1_000_000.0, withinPercentage(1.6));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_isRecordedWithBothLatencies(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = failingAfter30Millis(scenario).build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);

      assertRecorded(command.view().executionLatency(), 30);
      assertRecorded(command.view().callerLatency(), 30);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_thatIsNotTriedAgain_isRecordedWithBothLatencies(Way way, Door door)
      throws Exception {
    Retry never = Retry.attempts(2).onlyIf(thrown -> false);
    Retry limited = never.attemptTimeout(Duration.ofMillis(500)).howeverLittleTimeIsLeft();
    for (Retry retry : List.of(never, limited)) {
      try (Scenario scenario = new Scenario(way, door)) {
        Command<String, String> command = failingAfter30Millis(scenario).retry(retry).build();

        assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);

        assertRecorded(command.view().executionLatency(), 30);
        assertRecorded(command.view().callerLatency(), 30);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void timeOfTheFallback_isTheCallers(Way way, Door door) throws Exception {
    for (boolean answers : new boolean[] {true, false}) {
      try (Scenario scenario = new Scenario(way, door)) {
        Command<String, String> command =
            failingAfter30Millis(scenario)
                .fallback(
                    (argument, cause) -> {
                      scenario.time.advanceMillis(20);
                      if (!answers) {
                        throw new IllegalStateException("of the fallback");
                      }
                      return "fallback";
                    })
                .build();

        assertThat(scenario.call(command, "x").value()).isEqualTo(answers ? "fallback" : null);

        assertRecorded(command.view().executionLatency(), 30);
        assertRecorded(command.view().callerLatency(), 50);
      }
    }
  }

  private static CommandBuilder<String, String> failingAfter30Millis(Scenario scenario) {
    return scenario.command(
        argument -> {
          scenario.time.advanceMillis(30);
          throw new IOException("failed");
        });
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void interruptAtTheWork_isRecordedWithBothLatencies(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advanceMillis(30);
                    scenario.begun.countDown();
                    return scenario.release.get();
                  })
              .build();
      Caller caller = scenario.start(command, "x");
      Uninterruptibly.await(scenario.begun);

      caller.thread.interrupt();

      assertThat(caller.answer().error()).isInstanceOf(CommandInterruptedException.class);
      assertRecorded(command.view().executionLatency(), 30);
      assertRecorded(command.view().callerLatency(), 30);
    }
  }

  /** It wraps nothing, so there is nothing to take out of it. */
  @ParameterizedTest
  @EnumSource(Door.class)
  void stage_thatFailsWithABareCompletionException_fails(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      CompletionException bare = new CompletionException("bare", null);
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject", (String argument) -> CompletableFuture.<String>failedFuture(bare))
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(bare);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @Test
  void executeAsync_onSemaphore_isDoneWhenItReturns() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE_ASYNC)) {
      AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    worker.set(Thread.currentThread());
                    return argument;
                  })
              .build();
      scenario.count(command);

      CompletableFuture<String> future = command.executeAsync("x");

      assertThat(future).isCompletedWithValue("x");
      assertThat(worker.get()).isSameAs(Thread.currentThread());
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void toSingle_isCold_eachSubscriptionExecutes(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.TO_SINGLE)) {
      AtomicInteger runs = new AtomicInteger();
      Command<String, String> command =
          scenario.command(argument -> argument + runs.incrementAndGet()).build();

      Single<String> single = command.toSingle("x");
      assertThat(runs).hasValue(0);
      scenario.count(command);
      assertThat(single.blockingGet()).isEqualTo("x1");
      scenario.count(command);
      assertThat(single.blockingGet()).isEqualTo("x2");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void toSingle_retried_executesAgain(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.TO_SINGLE)) {
      AtomicInteger runs = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (runs.incrementAndGet() < 3) {
                      throw new IOException("not yet");
                    }
                    return argument;
                  })
              .build();
      for (int i = 0; i < 3; i++) {
        scenario.count(command);
      }

      assertThat(command.toSingle("x").retry(5).blockingGet()).isEqualTo("x");
      assertThat(runs).hasValue(3);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void toSingle_zippedAndDisposedAfterItsItem_staysASuccess(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.TO_SINGLE)) {
      Command<String, String> command = scenario.command(argument -> argument).build();
      scenario.count(command);
      scenario.count(command);

      AtomicInteger disposed = new AtomicInteger();
      // each by itself: a zip disposes nothing once it has all values
      Function<Single<String>, Single<String>> cutAfterItsItem =
          single ->
              single.doOnDispose(disposed::incrementAndGet).toObservable().take(1).singleOrError();

      String both =
          Single.zip(
                  cutAfterItsItem.apply(command.toSingle("a")),
                  cutAfterItsItem.apply(command.toSingle("b")),
                  (a, b) -> a + b)
              .blockingGet();

      assertThat(both).isEqualTo("ab");
      assertThat(disposed).hasValue(2);
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void nullResult_isAnAnswer_butForASingle(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE)) {
      Command<String, @Nullable String> command = scenario.command(argument -> null).build();
      for (int i = 0; i < 5; i++) {
        scenario.count(command);
      }

      assertThat(command.execute("x")).isNull();
      assertThat(command.executeAsync("x").join()).isNull();
      assertThat(command.attempt("x").isAnswered()).isTrue();
      ended(command.toMaybe("x")).assertResult();
      command
          .toSingle("x")
          .test()
          .await()
          .assertError(
              error ->
                  error instanceof NullPointerException
                      && error.getMessage().contains("Subject")
                      && error.getMessage().contains("toMaybe"));
      assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(5);
    }
  }

  private static <T> TestObserver<T> ended(Maybe<T> maybe) {
    return maybe.test().awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void toMaybe_always_hasTheValueOrTheError(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (argument.isEmpty()) {
                      throw new IOException("down");
                    }
                    return argument;
                  })
              .build();
      scenario.count(command);
      scenario.count(command);

      ended(command.toMaybe("x")).assertResult("x");
      ended(command.toMaybe("")).assertFailure(IOException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void nullArgument_reachesWorkAndFallback(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<@Nullable String> worked = new AtomicReference<>("unset");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    worked.set(argument);
                    throw new IOException();
                  })
              .fallback((argument, cause) -> "fell back with " + argument)
              .build();

      assertThat(scenario.call(command, null).value()).isEqualTo("fell back with null");
      assertThat(worked.get()).isNull();
    }
  }

  private static List<Throwable> mine() {
    return List.of(
        new IOException("checked"),
        new RejectedExecutionException("mine"),
        new UnsupportedOperationException("mine"),
        new CancellationException("mine"),
        new Exception("wraps", new NoClassDefFoundError("inner")),
        new IllegalStateException("wraps", new OutOfMemoryError("inner")),
        new AssertionError("error"));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void usersException_whateverItIsAndWraps_fallsBack(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Throwable> next = new AtomicReference<>();
      AtomicReference<Throwable> handed = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (next.get() instanceof Error error) {
                      throw error;
                    }
                    throw (Exception) next.get();
                  })
              .withoutCircuitBreaker()
              .fallback(
                  (argument, cause) -> {
                    handed.set(cause);
                    return "instead";
                  })
              .build();
      List<Throwable> mine = mine();
      for (Throwable thrown : mine) {
        next.set(thrown);

        assertThat(scenario.call(command, "x").value()).as("%s", thrown).isEqualTo("instead");

        assertThat(handed.get()).isSameAs(thrown);
      }
      assertThat(command.view().cumulativeCount(EventType.FAILURE)).isEqualTo(mine.size());
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_SUCCESS)).isEqualTo(mine.size());
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void usersException_isTheSameWithItsOwnTrace(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Throwable> next = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (next.get() instanceof Error error) {
                      throw error;
                    }
                    throw (Exception) next.get();
                  })
              .withoutCircuitBreaker()
              .build();
      List<Throwable> mine = mine();
      for (Throwable thrown : mine) {
        next.set(thrown);
        StackTraceElement[] trace = thrown.getStackTrace();

        Answer answer = scenario.call(command, "x");

        assertThat(answer.error()).isSameAs(thrown);
        assertThat(thrown.getStackTrace()).isEqualTo(trace);
        assertThat(thrown.getSuppressed()).isEmpty();
      }
      assertThat(command.view().cumulativeCount(EventType.FAILURE)).isEqualTo(mine.size());
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void checkedException_isWrappedOnceByExecuteAlone(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE)) {
      IOException mine = new IOException("mine");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw mine;
                  })
              .build();
      for (int i = 0; i < 4; i++) {
        scenario.count(command);
      }

      assertThatThrownBy(() -> command.execute("x"))
          .isInstanceOf(CommandFailedException.class)
          .hasMessageContaining("Subject")
          .cause()
          .isSameAs(mine);
      assertThat(catchThrowable(() -> command.executeAsync("x").get())).cause().isSameAs(mine);
      assertThat(command.attempt("x").error()).isSameAs(mine);
      command.toSingle("x").test().await().assertError(mine);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void receiver_isCalledOnTheThreadThatEndedTheWork(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
      AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
      CompletableFuture<Thread> receiving = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    worker.set(Thread.currentThread());
                    return argument;
                  })
              .build();
      scenario.count(command);

      var unused =
          command.execute(
              "x",
              new Receiver<String>() {
                @Override
                public void onValue(String value) {
                  receiving.complete(Thread.currentThread());
                }

                @Override
                public void onError(Throwable error) {
                  receiving.completeExceptionally(error);
                }
              });

      assertThat(receiving.get()).isSameAs(worker.get());
      assertThat(receiving.get() == Thread.currentThread()).isEqualTo(!way.isAway());
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void receiverThatThrows_losesNothing(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
      Command<String, String> command = scenario.command(argument -> argument).build();
      scenario.count(command);
      CompletableFuture<String> answer = new CompletableFuture<>();

      var unused =
          command.execute(
              "x",
              new Receiver<String>() {
                @Override
                public void onValue(String value) {
                  answer.complete(value);
                  throw new IllegalStateException("from the receiver");
                }

                @Override
                public void onError(Throwable error) {
                  answer.completeExceptionally(error);
                }
              });

      assertThat(answer.get()).isEqualTo("x");
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void commandInsideACommand_eachCountsItsOwn(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> inner =
          scenario.tenrec.command("Inner", (String argument) -> "inner " + argument).build();
      Command<String, String> outer =
          scenario
              .command(
                  argument -> {
                    scenario.count(inner);
                    throw new IOException(inner.execute(argument));
                  })
              .fallback(
                  (argument, cause) -> {
                    scenario.count(inner);
                    return cause.getMessage() + ", " + inner.execute("again");
                  })
              .build();

      assertThat(scenario.call(outer, "x").value()).isEqualTo("inner x, inner again");
      Scenario.assertCounted(outer, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
      Scenario.assertCounted(inner, EventType.SUCCESS, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void call_knowsItsCommandAndItsTime(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, dev.tenrec.core.work.Call call) -> {
                    scenario.time.advanceMillis(400);
                    return call.commandKey()
                        + " "
                        + call.remaining().toMillis()
                        + " "
                        + call.isGivenUp();
                  })
              .timeout(Scenario.TIMEOUT)
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("Subject 600 false");
    }
  }

  @Test
  void remaining_withoutTimeout_isAsLongAsCanBe() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE)) {
      Command<String, Duration> command =
          scenario
              .tenrec
              .command(
                  "Subject", (String argument, dev.tenrec.core.work.Call call) -> call.remaining())
              .withoutTimeout()
              .build();

      assertThat(command.execute("x")).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    }
  }

  @Test
  void remaining_pastTheDeadline_isNone() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.ATTEMPT)) {
      AtomicReference<@Nullable Duration> seen = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, dev.tenrec.core.work.Call call) -> {
                    scenario.time.advance(Scenario.TIMEOUT.multipliedBy(2));
                    seen.set(call.remaining());
                    return argument;
                  })
              .isolation(Way.SEMAPHORE.isolation())
              .timeout(Scenario.TIMEOUT)
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      assertThat(seen.get()).isEqualTo(Duration.ZERO);
    }
  }

  @Test
  void stage_ofNull_isAClearFailure() throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, Door.ATTEMPT)) {
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand("Subject", (String argument) -> (CompletableFuture<String>) null)
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error())
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("Subject")
          .hasMessageContaining("CompletionStage");
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void stage_throwingInsteadOfReturning_fails(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      IOException mine = new IOException("mine");
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject",
                  (String argument) -> {
                    if (argument.length() > 0) {
                      throw mine;
                    }
                    return CompletableFuture.completedFuture(argument);
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(mine);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void stage_ofStages_failsWithTheInnermostCause(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      IOException mine = new IOException("mine");
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject",
                  (String argument) ->
                      CompletableFuture.<String>failedFuture(mine)
                          .thenApply(value -> value)
                          .thenCompose(CompletableFuture::completedFuture))
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(mine);
    }
  }

  @Test
  void stage_failedByTheCallersOwnThread_withAnothersInterrupt_isAFailure() throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, Door.EXECUTE_ASYNC)) {
      InterruptedException elsewhere = new InterruptedException("of a thread of the client's");
      CompletableFuture<String> stage = new CompletableFuture<>();
      Command<String, String> command =
          scenario.tenrec.asyncCommand("Subject", (String argument) -> stage).build();
      scenario.count(command);
      CompletableFuture<String> future = command.executeAsync("x");

      stage.completeExceptionally(elsewhere);

      assertThat(catchThrowable(future::get)).cause().isSameAs(elsewhere);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @Test
  void keysAndGroups_areNeverNull() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE)) {
      assertThatThrownBy(() -> scenario.tenrec.command(null, (String argument) -> argument))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("key");
      assertThatThrownBy(() -> scenario.command(argument -> argument).group(null))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("group");
      assertThat(scenario.command(argument -> argument).build().view().group())
          .isEqualTo("Subject");
    }
  }
}
