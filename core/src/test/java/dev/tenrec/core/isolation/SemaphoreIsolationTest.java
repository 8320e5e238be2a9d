// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SemaphoreIsolationTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void letGo() {
    held.letGo();
    Elsewhere.close(tenrec, time);
    assertThat(tenrec.liveThreads()).isZero();
  }

  private Command<String, String> holding(String key, int permits) {
    return tenrec.command(key, held).isolation(Isolation.semaphore(permits)).build();
  }

  @Test
  void call_beyondTheLimit_isRefusedAtOnce() {
    Command<String, String> command = holding("C", 2);
    List<CompletableFuture<String>> inside =
        List.of(
            Elsewhere.call(() -> command.execute("a")), Elsewhere.call(() -> command.execute("b")));
    held.awaitRunning(2);
    Outcome<String> refused = command.attempt("c");
    assertThat(refused.events())
        .containsExactly(
            EventType.SEMAPHORE_REJECTED, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThat(refused.cause())
        .isInstanceOfSatisfying(
            CommandRejectedException.class,
            cause -> assertThat(cause).hasMessageContaining("2 in flight, 2 allowed"));
    assertThat(command.view().concurrency()).isEqualTo(2);
    held.letGo();
    inside.forEach(CompletableFuture::join);
    assertThat(command.view().concurrency()).isZero();
    assertThat(command.execute("d")).isEqualTo("d");
  }

  @Test
  void work_runsOnTheCallersThread_whateverTheDoor() {
    Command<String, Thread> who =
        tenrec
            .command("Who", (String s) -> Thread.currentThread())
            .isolation(Isolation.semaphore(1))
            .build();
    assertThat(who.execute("x")).isSameAs(Thread.currentThread());
    assertThat(who.executeAsync("x")).isCompletedWithValue(Thread.currentThread());
    assertThat(who.toSingle("x").blockingGet()).isSameAs(Thread.currentThread());
    assertThat(who.attempt("x").value()).isSameAs(Thread.currentThread());
  }

  @Test
  void permits_oneKeyBuiltTwice_areTheSame() {
    Command<String, String> first = holding("Same", 1);
    Command<String, String> second = holding("Same", 1);
    Command<String, String> other =
        tenrec.command("Other", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    CompletableFuture<String> inside = Elsewhere.call(() -> first.execute("a"));
    held.awaitRunning(1);
    assertThat(second.attempt("b").events()).contains(EventType.SEMAPHORE_REJECTED);
    assertThat(other.execute("c")).isEqualTo("c");
    held.letGo();
    assertThat(inside.join()).isEqualTo("a");
  }

  @Test
  void permit_afterEveryEnding_isBack() {
    AtomicBoolean late = new AtomicBoolean();
    Command<Throwable, String> command =
        tenrec
            .<Throwable, String>command(
                "C",
                (Throwable thrown) -> {
                  if (late.get()) {
                    time.advanceMillis(1_000);
                  }
                  if (thrown instanceof Error e) {
                    throw e;
                  }
                  throw (Exception) thrown;
                })
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .build();
    for (Throwable thrown :
        List.of(
            new Exception("checked"),
            new IllegalStateException("unchecked"),
            new AssertionError("error"))) {
      assertThat(command.attempt(thrown).error()).isSameAs(thrown);
      assertThatThrownBy(() -> command.execute(thrown))
          .satisfiesAnyOf(e -> assertThat(e).isSameAs(thrown), e -> assertThat(e).hasCause(thrown));
      assertThat(command.executeAsync(thrown)).isCompletedExceptionally();
      assertThat(command.view().concurrency()).isZero();
    }
    late.set(true);
    assertThat(command.attempt(new Exception("late")).cause())
        .isInstanceOf(CommandTimeoutException.class);
    assertThat(command.view().concurrency()).isZero();
  }

  /** One that came back twice would let one call more in. */
  @Test
  void permit_afterEveryEnding_isBackOnce() {
    AtomicReference<HeldWork> holding = new AtomicReference<>(HeldWork.polite());
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String ending) ->
                    switch (ending) {
                      case "success" -> ending;
                      case "bad request" -> throw new BadRequestException(ending);
                      case "hold" -> holding.get().run(ending);
                      case "late" -> {
                        time.advanceMillis(1_000);
                        yield ending;
                      }
                      default -> throw new IllegalStateException(ending);
                    })
            .isolation(Isolation.semaphore(2))
            .withoutCircuitBreaker()
            .fallback(
                (ending, cause) -> {
                  if (ending.equals("saved")) {
                    return ending;
                  }
                  throw new IllegalStateException("worse");
                })
            .build();
    assertHolds(command, holding.get(), 2);

    assertThat(command.attempt("success").events()).containsExactly(EventType.SUCCESS);
    assertHeldAnew(command, holding);
    assertThat(command.attempt("bad request").events()).startsWith(EventType.BAD_REQUEST);
    assertHeldAnew(command, holding);
    assertThat(command.attempt("failure").events())
        .startsWith(EventType.FAILURE, EventType.FALLBACK_FAILURE);
    assertHeldAnew(command, holding);
    assertThat(command.attempt("saved").events())
        .containsExactly(EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    assertHeldAnew(command, holding);
    assertThat(command.attempt("late").events()).startsWith(EventType.TIMEOUT);
    assertHeldAnew(command, holding);

    holding.set(HeldWork.polite());
    Thread caller = Elsewhere.start(() -> command.attempt("hold"));
    holding.get().awaitRunning(1);
    caller.interrupt();
    await().until(() -> command.view().cumulativeCount(EventType.CANCELLED) == 1);
    await().until(() -> !caller.isAlive());
    assertHeldAnew(command, holding);
  }

  private static void assertHeldAnew(
      Command<String, String> command, AtomicReference<HeldWork> holding) {
    holding.set(HeldWork.polite());
    assertHolds(command, holding.get(), 2);
  }

  /** So many calls are let in, and not one more, however often it is tried. */
  private static void assertHolds(Command<String, String> command, HeldWork held, int permits) {
    assertThat(command.view().concurrency()).isZero();
    List<CompletableFuture<String>> inside = new ArrayList<>();
    for (int i = 0; i < permits; i++) {
      inside.add(Elsewhere.call(() -> command.execute("hold")));
    }
    held.awaitRunning(permits);
    for (String refused : List.of("saved", "hold", "saved", "hold")) {
      assertThat(command.attempt(refused).events()).startsWith(EventType.SEMAPHORE_REJECTED);
    }
    assertThat(command.view().concurrency()).isEqualTo(permits);
    held.letGo();
    assertThat(inside).allSatisfy(call -> assertThat(call).succeedsWithin(PatientWaits.patience()));
    assertThat(command.view().concurrency()).isZero();
  }

  @Test
  void stage_afterEveryEnding_itsPermitIsBackOnce() {
    List<CompletableFuture<String>> stages = new ArrayList<>();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "C",
                (String s) -> {
                  CompletableFuture<String> stage = new CompletableFuture<>();
                  stages.add(stage);
                  return stage;
                })
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .build();
    List<Consumer<CompletableFuture<String>>> endings =
        List.of(
            call -> stages.get(0).complete("success"),
            call -> stages.get(1).completeExceptionally(new IllegalStateException("failure")),
            call -> stages.get(2).completeExceptionally(new BadRequestException("bad request")),
            call -> call.cancel(true),
            call -> time.advanceMillis(1_000));
    for (Consumer<CompletableFuture<String>> ending : endings) {
      CompletableFuture<String> call = command.executeAsync("x");
      assertThat(command.attempt("refused").events()).startsWith(EventType.SEMAPHORE_REJECTED);
      assertThat(command.attempt("refused").events()).startsWith(EventType.SEMAPHORE_REJECTED);
      assertThat(command.view().concurrency()).isOne();

      ending.accept(call);

      await().until(call::isDone);
      await().until(() -> command.view().concurrency() == 0);
    }
    assertThat(stages).as("let in").hasSameSizeAs(endings);
    assertThat(command.view().cumulativeCount(EventType.CANCELLED)).isOne();
    assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isOne();
  }

  @Test
  void timedOut_callerStaysAndItsPermitToo_untilTheWorkReturns() {
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String s, Call call) -> {
                  call.onCancel(cancelled::countDown);
                  begun.countDown();
                  release.await();
                  return s;
                })
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(100))
            .build();
    CompletableFuture<Outcome<String>> caller = Elsewhere.call(() -> command.attempt("x"));
    awaitQuietly(begun);
    time.advanceMillis(100);
    awaitQuietly(cancelled);
    assertThat(caller).as("no thread is free to answer for it").isNotDone();
    assertThat(command.view().concurrency()).isOne();
    assertThat(command.attempt("y").events()).contains(EventType.SEMAPHORE_REJECTED);
    release.countDown();
    Outcome<String> outcome = caller.join();
    assertThat(outcome.cause()).isInstanceOf(CommandTimeoutException.class);
    assertThat(outcome.events())
        .containsExactly(EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThat(command.view().concurrency()).isZero();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    await().until(() -> latch.getCount() == 0);
  }

  @Test
  void permit_isBackBeforeTheAnswerIsSeen() {
    Command<String, String> command =
        tenrec.command("C", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    List<Integer> inFlight = new ArrayList<>();
    Disposable unused =
        command.execute(
            "x",
            new Receiver<String>() {
              @Override
              public void onValue(String value) {
                inFlight.add(command.view().concurrency());
                inFlight.add(command.execute("again").length());
              }

              @Override
              public void onError(Throwable error) {
                throw new AssertionError(error);
              }
            });
    assertThat(inFlight).containsExactly(0, 5);
  }

  @Test
  void stage_itsPermit_isHeldUntilItEnds_notUntilItsAnswerIsConsumed() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> command =
        tenrec.asyncCommand("C", (String s) -> stage).isolation(Isolation.semaphore(1)).build();
    CompletableFuture<Integer> seen =
        command.executeAsync("x").thenApply(value -> command.view().concurrency());
    assertThat(command.view().concurrency()).isOne();
    stage.complete("done");
    assertThat(seen.join()).isZero();
  }

  @Test
  void stage_thatCannotBeCancelled_losesItsPermitWhenItIsAbandoned() {
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> toCompletableFuture() {
            throw new UnsupportedOperationException("no future");
          }
        };
    Command<String, String> command =
        tenrec
            .asyncCommand("C", (String s) -> stage)
            .isolation(Isolation.semaphore(1))
            .timeout(Duration.ofMillis(100))
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "1000")
            .build();
    CompletableFuture<String> answer = command.executeAsync("x");
    time.advanceMillis(100);
    assertThatThrownBy(answer::join).hasCauseInstanceOf(CommandTimeoutException.class);
    assertThat(command.view().concurrency()).isOne();
    await()
        .until(
            () -> { // the cancellers run on another thread, and only then is there something to
              // wait for
              time.advanceMillis(1_000);
              return command.view().concurrency() == 0;
            });
    stage.complete("late");
    assertThat(command.view().concurrency()).isZero();
    assertThat(command.view().stillBusy()).isZero();
  }

  @Test
  void poolCommand_ignoresTheSemaphoresLimit() {
    Command<String, String> command =
        tenrec
            .command("C", (String s) -> s)
            .property("execution.isolation.semaphore.maxConcurrentRequests", "0")
            .build();
    assertThat(command.execute("x")).isEqualTo("x");
  }

  @Test
  void trial_refusedByTheSemaphore_givesItsPlaceBack() {
    AtomicBoolean failing = new AtomicBoolean(true);
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String s) -> {
                  if (failing.get()) {
                    throw new IllegalStateException(s);
                  }
                  return held.run(s);
                })
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .errorThreshold(50, 1)
            .sleepWindow(Duration.ofSeconds(5))
            .build();
    // one call that began before the trip stays inside
    failing.set(false);
    CompletableFuture<String> inside = Elsewhere.call(() -> command.execute("inside"));
    held.awaitRunning(1);
    tenrec.set("tenrec.command.C.execution.isolation.semaphore.maxConcurrentRequests", "2");
    failing.set(true);
    time.advanceMillis(600);
    assertThat(command.attempt("fails").events()).contains(EventType.FAILURE);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    tenrec.set("tenrec.command.C.execution.isolation.semaphore.maxConcurrentRequests", "1");
    failing.set(false);
    time.advanceMillis(5_000);
    assertThat(command.attempt("refused trial").events()).contains(EventType.SEMAPHORE_REJECTED);
    held.letGo();
    assertThat(inside.join()).isEqualTo("inside");
    assertThat(command.attempt("trial").events()).containsExactly(EventType.SUCCESS);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  @Tag("race")
  void permits_asManyCallersAsPermits_noneIsEverRefused() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String s) -> {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Thread.yield();
                  inside.decrementAndGet();
                  return s;
                })
            .isolation(Isolation.semaphore(4))
            .build();
    List<CompletableFuture<Long>> callers = new ArrayList<>();
    for (int caller = 0; caller < 4; caller++) {
      callers.add(
          Elsewhere.call(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  command.execute("x");
                }
                return 20_000L;
              }));
    }
    assertThat(callers.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(80_000);
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(80_000);
    assertThat(command.view().cumulativeCount(EventType.SEMAPHORE_REJECTED)).isZero();
    assertThat(command.view().concurrency()).isZero();
    assertThat(most.get()).isBetween(1, 4);
  }

  @Test
  @Tag("race")
  void permits_moreCallersThanPermits_neverMoreInsideThanAllowed() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String s) -> {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Thread.yield();
                  inside.decrementAndGet();
                  return s;
                })
            .isolation(Isolation.semaphore(2))
            .withoutCircuitBreaker()
            .fallback((s, cause) -> "refused")
            .fallbackLimit(100)
            .build();
    List<CompletableFuture<String>> callers = new ArrayList<>();
    for (int caller = 0; caller < 6; caller++) {
      callers.add(
          Elsewhere.call(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  command.execute("x");
                }
                return "done";
              }));
    }
    callers.forEach(CompletableFuture::join);
    assertThat(most.get()).isBetween(1, 2);
    assertThat(command.view().concurrency()).isZero();
    assertThat(
            command.view().cumulativeCount(EventType.SUCCESS)
                + command.view().cumulativeCount(EventType.FALLBACK_SUCCESS))
        .isEqualTo(60_000);
  }
}
