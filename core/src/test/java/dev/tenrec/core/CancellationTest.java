// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.HeldCallbacks;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.SingleObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.observers.TestObserver;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When the caller does not want the answer any more. */
class CancellationTest {

  static Stream<Way> away() {
    return Way.away().stream();
  }

  static Stream<Arguments> awayEverywhere() {
    return Scenario.combined(Way.away(), List.of(Door.values()));
  }

  static Stream<Arguments> waiting() {
    List<Way> ways = Way.all().stream().filter(way -> way != Way.SEMAPHORE).toList();
    return Scenario.combined(ways, Door.waiting());
  }

  @ParameterizedTest
  @MethodSource("waiting")
  void interruptedCaller_cancelsAndInterruptsItsWork_andKeepsItsFlag(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicBoolean fell = new AtomicBoolean();
      Command<String, String> command =
          scenario
              .held()
              .fallback(
                  (argument, cause) -> {
                    fell.set(true);
                    return "no";
                  })
              .build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();
      caller.awaitWaiting();

      caller.thread.interrupt();

      assertThat(caller.answer().error())
          .isInstanceOf(CommandInterruptedException.class)
          .hasMessageContaining("Subject");
      assertThat(caller.isFlagKept()).isTrue();
      Scenario.await()
          .until(
              () ->
                  command.view().concurrency()
                      == 0); // without the release: the work was interrupted, or its stage
      // cancelled
      assertThat(fell).isFalse();
      assertThat(command.view().health().total()).isZero();
      Scenario.assertCounted(command, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void cancelTrue_interruptsIfThePropertySaysSo(Way way) throws Exception {
    for (boolean property : new boolean[] {true, false}) {
      for (boolean mayInterrupt : new boolean[] {true, false}) {
        try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
          CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
          CountDownLatch end = new CountDownLatch(1);
          Command<String, String> command =
              scenario
                  .command(
                      argument -> {
                        scenario.begun.countDown();
                        Throwable thrown = catchThrowable(end::await);
                        interrupted.complete(thrown instanceof InterruptedException);
                        return "late";
                      })
                  .property(
                      "execution.isolation.thread.interruptOnFutureCancel",
                      String.valueOf(property))
                  .build();
          scenario.count(command);
          CompletableFuture<String> future = command.executeAsync("x");
          scenario.begun.await();

          assertThat(future.cancel(mayInterrupt)).isTrue();

          assertThat(future).isCancelled();
          if (!property || !mayInterrupt) {
            end.countDown();
          }
          assertThat(interrupted.get()).isEqualTo(property && mayInterrupt);
          Scenario.assertCounted(command, EventType.CANCELLED);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void cancelledAgain_changesNothing(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
      Command<String, String> command = scenario.held().build();
      scenario.count(command);
      CompletableFuture<String> future = command.executeAsync("x");
      scenario.begun.await();

      assertThat(future.cancel(true)).isTrue();
      assertThat(future.cancel(false))
          .as("a CompletableFuture says whether it is cancelled")
          .isTrue();

      Scenario.assertCounted(command, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void completedFromOutside_isACancellation(Way way) throws Exception {
    List<Consumer<CompletableFuture<String>>> completions =
        List.of(
            future -> assertThat(future.complete("from outside")).isTrue(),
            future ->
                assertThat(future.completeExceptionally(new IllegalStateException("from outside")))
                    .isTrue(),
            future -> future.obtrudeValue("from outside"),
            future -> future.obtrudeException(new IllegalStateException("from outside")),
            future ->
                assertThat(
                        future.completeOnTimeout(
                            "from outside", 0, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .isSameAs(future));
    for (Consumer<CompletableFuture<String>> completion : completions) {
      try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
        Command<String, String> command = scenario.held().build();
        scenario.count(command);
        CompletableFuture<String> future = command.executeAsync("x");
        scenario.begun.await();

        completion.accept(future);

        Scenario.await().untilAsserted(() -> Scenario.assertCounted(command, EventType.CANCELLED));
        scenario.release.complete("late");
        Scenario.await().until(() -> command.view().concurrency() == 0);
        assertThat(
                future.handle((value, error) -> value != null ? value : error.getMessage()).get())
            .isEqualTo("from outside");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void dependentStageCompletedFromOutside_leavesTheExecutionAlone(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
      Command<String, String> command = scenario.held().build();
      scenario.count(command);
      CompletableFuture<String> future = command.executeAsync("x");
      scenario.begun.await();

      assertThat(future.thenApply(value -> value).cancel(true)).isTrue();

      scenario.release.complete("fine");
      assertThat(future.get()).isEqualTo("fine");
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void givenUpWhileQueued_neverRuns(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Isolation queue = Isolation.threadPool().key("Pool").coreSize(1).queueSize(5);
      Command<String, String> occupant =
          scenario
              .tenrec
              .command(
                  "Occupant",
                  (String argument) -> {
                    scenario.begun.countDown();
                    return scenario.release.get();
                  })
              .isolation(queue)
              .withoutTimeout()
              .build();
      scenario.count(occupant);
      assertThat(occupant.executeAsync("x")).isNotDone();
      scenario.begun.await(); // else it is what waits in the queue below
      AtomicBoolean ran = new AtomicBoolean();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    ran.set(true);
                    return argument;
                  })
              .isolation(queue)
              .build();
      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> scenario.tenrec.pools().get(0).queued() == 1);

      assertThat(caller.giveUp().answer().error()).isNotNull();

      assertThat(command.view().concurrency()).isZero();
      assertThat(scenario.tenrec.pools().get(0).queued()).isZero();
      scenario.release.complete("released");
      Command<String, String> last =
          scenario
              .tenrec
              .command("Last", (String argument) -> argument)
              .isolation(queue)
              .withoutTimeout()
              .build();
      assertThat(scenario.call(last, "y").value())
          .isEqualTo("y"); // after all that was queued before it
      assertThat(ran).isFalse();
      Scenario.assertCounted(command, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void disposed_interruptsOnlyIfThePropertySaysSo(Way way) throws Exception {
    for (boolean property : new boolean[] {true, false}) {
      try (Scenario scenario = new Scenario(way, Door.TO_SINGLE)) {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CountDownLatch end = new CountDownLatch(1);
        Command<String, String> command =
            scenario
                .command(
                    argument -> {
                      scenario.begun.countDown();
                      interrupted.complete(
                          catchThrowable(end::await) instanceof InterruptedException);
                      return "late";
                    })
                .property(
                    "execution.isolation.thread.interruptOnFutureCancel", String.valueOf(property))
                .build();
        scenario.count(command);
        TestObserver<String> observer = command.toSingle("x").test();
        scenario.begun.await();

        observer.dispose();

        if (!property) {
          end.countDown();
        }
        assertThat(interrupted.get()).isEqualTo(property);
        observer.assertEmpty();
        Scenario.assertCounted(command, EventType.CANCELLED);
      }
    }
  }

  @Test
  void disposedBeforeItStarts_neverRuns_andIsNoCall() throws Exception {
    for (Way way : Way.all()) {
      try (Scenario scenario = new Scenario(way, Door.TO_SINGLE)) {
        AtomicInteger runs = new AtomicInteger();
        Command<String, String> command =
            scenario.command(argument -> argument + runs.incrementAndGet()).build();

        command
            .toSingle("x")
            .subscribe(
                new SingleObserver<String>() {
                  @Override
                  public void onSubscribe(Disposable disposable) {
                    disposable.dispose();
                    assertThat(disposable.isDisposed()).isTrue();
                  }

                  @Override
                  public void onSuccess(String value) {
                    runs.addAndGet(100);
                  }

                  @Override
                  public void onError(Throwable error) {
                    runs.addAndGet(100);
                  }
                });

        assertThat(runs).hasValue(0);
        Scenario.assertCounted(command);
      }
    }
  }

  /** By the doors whose caller has something to give it up with then. */
  @Test
  void givenUpAfterTheAnswer_addsNothing() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE_ASYNC)) {
      Command<String, String> command = scenario.command(argument -> argument).build();
      for (int i = 0; i < 4; i++) {
        scenario.count(command);
      }

      CompletableFuture<String> future = command.executeAsync("x");
      assertThat(future.get()).isEqualTo("x");
      assertThat(future.cancel(true)).isFalse();
      CompletableFuture<Outcome<String>> attempt = command.attemptAsync("x");
      assertThat(attempt.get().value()).isEqualTo("x");
      assertThat(attempt.cancel(true)).isFalse();
      TestObserver<String> observer = command.toSingle("x").test().await();
      observer.dispose();
      TestObserver<Outcome<String>> attempted = command.attemptSingle("x").test().await();
      attempted.dispose();

      observer.assertValue("x");
      attempted.assertValue(outcome -> outcome.value().equals("x"));
      Scenario.assertCounted(
          command, EventType.SUCCESS, EventType.SUCCESS, EventType.SUCCESS, EventType.SUCCESS);
    }
  }

  /** The ending waits for a thread of the command's share, which user code may keep for long. */
  @Test
  void handleDisposed_betweenTheEndingAndItsDelivery_receivesNothing() throws Exception {
    HeldCallbacks callbacks = new HeldCallbacks();
    try (Scenario scenario =
        new Scenario(Way.POOL, Door.EXECUTE_ASYNC, Tenrec.builder().callbackExecutor(callbacks))) {
      Command<String, String> command = scenario.held().build();
      scenario.count(command);
      AtomicInteger received = new AtomicInteger();
      Disposable handle =
          command.execute(
              "x",
              new Receiver<String>() {
                @Override
                public void onValue(String value) {
                  received.incrementAndGet();
                }

                @Override
                public void onError(Throwable error) {
                  received.incrementAndGet();
                }
              });
      scenario.begun.await();
      scenario.time.advance(Scenario.TIMEOUT);
      callbacks.awaitHeld(2); // the delivery, and the interrupt

      handle.dispose();
      callbacks.letGo();

      callbacks.awaitOver();
      assertThat(handle.isDisposed()).isTrue();
      assertThat(received).hasValue(0);
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  /** It may block, and nobody who gives a call up waits for that. */
  @Test
  void givenUp_cancellersRunOnAnotherThread() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE)) {
      CompletableFuture<Thread> canceller = new CompletableFuture<>();
      CompletableFuture<Boolean> givenUp = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    call.onCancel(() -> canceller.complete(Thread.currentThread()));
                    scenario.begun.countDown();
                    String name = canceller.join().getName();
                    givenUp.complete(call.isGivenUp());
                    return name;
                  })
              .isolation(Way.POOL.isolation())
              .build();
      CompletableFuture<String> call = command.executeAsync("x");
      scenario.begun.await();

      assertThat(call.cancel(false)).isTrue();

      assertThat(canceller)
          .succeedsWithin(PatientWaits.patience())
          .isNotSameAs(Thread.currentThread());
      assertThat(givenUp).as("as the work sees it").succeedsWithin(PatientWaits.patience());
      assertThat(givenUp.join()).isTrue();
      Scenario.await().until(() -> command.view().concurrency() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void givenUp_cancellersRun(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CountDownLatch aborted = new CountDownLatch(1);
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    call.onCancel(aborted::countDown);
                    scenario.begun.countDown();
                    while (aborted.getCount() > 0) { // deaf to interrupts
                      Thread.onSpinWait();
                    }
                    return call.isGivenUp() ? "late" : "?";
                  })
              .isolation(way.isolation())
              .build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();

      assertThat(caller.giveUp().answer().error()).isNotNull();

      aborted.await();
      Scenario.await().until(() -> command.view().concurrency() == 0);
      Scenario.assertCounted(command, EventType.CANCELLED);
    }
  }

  /** What goes on without the stage has no other way to learn that it is not wanted. */
  @ParameterizedTest
  @EnumSource(
      value = Door.class,
      names = {"EXECUTE_ASYNC", "TO_SINGLE"})
  void stageGivenUp_staysGivenUpForItsCall(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      CompletableFuture<Call> shown = new CompletableFuture<>();
      AtomicInteger ran = new AtomicInteger();
      CompletableFuture<String> stage = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject",
                  (String argument, Call call) -> {
                    shown.complete(call);
                    return stage;
                  })
              .build();
      Caller caller = scenario.start(command, "x");
      Call call = shown.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(call.isGivenUp()).isFalse();

      assertThat(caller.giveUp().answer().error()).isNotNull();

      Scenario.await().until(() -> stage.isCancelled() && command.view().concurrency() == 0);
      assertThat(call.isGivenUp()).isTrue();
      call.onCancel(ran::incrementAndGet);
      assertThat(ran).hasValue(1);
    }
  }

  /** A thread that the work left behind registers the call's first one. */
  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void canceller_afterWorkThatReturnedWhenItWasGivenUp_runsAtOnce(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CompletableFuture<Call> shown = new CompletableFuture<>();
      AtomicInteger ran = new AtomicInteger();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    shown.complete(call);
                    Uninterruptibly.await(scenario.begun);
                    return "late";
                  })
              .isolation(way.isolation())
              .build();
      Caller caller = scenario.start(command, "x");
      Call call = shown.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(caller.giveUp().answer().error()).isNotNull();

      scenario.begun.countDown();

      Scenario.await().until(() -> command.view().concurrency() == 0);
      assertThat(call.isGivenUp()).isTrue();
      call.onCancel(ran::incrementAndGet);
      assertThat(ran).hasValue(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Door.class,
      names = {"EXECUTE_ASYNC", "TO_SINGLE"})
  void stageGivenUp_isCancelled(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      CompletableFuture<String> stage = new CompletableFuture<>();
      Command<String, String> command =
          scenario.tenrec.asyncCommand("Subject", (String argument) -> stage).build();
      Caller caller = scenario.start(command, "x");

      assertThat(caller.giveUp().answer().error()).isInstanceOf(CancellationException.class);

      Scenario.await().until(stage::isCancelled);
      assertThat(command.view().concurrency()).isZero();
      Scenario.assertCounted(command, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void workInterruptedByItsCancelling_runsNoFallback(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
      AtomicBoolean fell = new AtomicBoolean();
      Command<String, String> command =
          scenario
              .held()
              .property("execution.isolation.thread.interruptOnFutureCancel", "true")
              .fallback(
                  (argument, cause) -> {
                    fell.set(true);
                    return "no";
                  })
              .build();
      scenario.count(command);
      CompletableFuture<String> future = command.executeAsync("x");
      scenario.begun.await();

      assertThat(future.cancel(true)).isTrue();

      Scenario.await().until(() -> command.view().concurrency() == 0);
      assertThat(catchThrowable(future::get)).isInstanceOf(CancellationException.class);
      assertThat(fell).isFalse();
      Scenario.assertCounted(command, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Door.class,
      names = {"EXECUTE", "ATTEMPT"})
  void interrupt_hitsNothingThatThePoolsThreadDoesNext(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Isolation one = Isolation.threadPool().key("Pool").coreSize(1);
      Command<String, String> command = scenario.held().isolation(one).build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();
      caller.thread.interrupt();
      assertThat(caller.answer().error()).isInstanceOf(CommandInterruptedException.class);
      // not the command's concurrency: the pool has its permit back a moment later
      Scenario.await().until(() -> scenario.tenrec.pools().get(0).active() == 0);

      Command<String, String> next =
          scenario
              .tenrec
              .command(
                  "Next",
                  (String argument) -> String.valueOf(Thread.currentThread().isInterrupted()))
              .isolation(one)
              .build();

      assertThat(scenario.call(next, "x").value()).isEqualTo("false");
    }
  }
}
