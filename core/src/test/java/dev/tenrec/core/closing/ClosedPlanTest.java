// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that are on their way in, in a queue, or at their callers, while their Tenrec closes. */
@OwnThread
class ClosedPlanTest {

  /** What bounds the command. */
  enum Bound {
    SEMAPHORE,
    SHARED_SEMAPHORE,
    POOL,
    VIRTUAL_THREADS;

    Isolation isolation() {
      return switch (this) {
        case SEMAPHORE -> Isolation.semaphore(5);
        case SHARED_SEMAPHORE -> Isolation.semaphore(5).shared("Shared");
        case POOL -> Isolation.threadPool().key("Pool").coreSize(1).property("maxQueueSize", "50");
        case VIRTUAL_THREADS -> Isolation.virtualThreads(5);
      };
    }
  }

  static Stream<Bound> bounds() {
    return Stream.of(Bound.values())
        .filter(bound -> bound != Bound.VIRTUAL_THREADS || VirtualThreads.supported());
  }

  static Stream<Arguments> everywhere() {
    return bounds()
        .flatMap(bound -> Stream.of(Door.values()).map(door -> Arguments.of(bound, door)));
  }

  /** Holds each call after it has read its plan, and before it is at the gates. */
  private static final class AtTheStart implements CommandListener {

    private final CountDownLatch come = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void onStart(ListenedCall call) {
      come.countDown();
      Uninterruptibly.await(goOn);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void call_thatHasReadTheOldPlan_doesNotEnterAfterClose(Bound bound, Door door) throws Exception {
    for (boolean staged : new boolean[] {false, true}) {
      for (boolean timed : new boolean[] {false, true}) {
        AtTheStart gate = new AtTheStart();
        Tenrec tenrec = Unhurried.builder().listen(gate).build();
        AtomicInteger runs = new AtomicInteger();
        CommandBuilder<String, String> builder =
            staged
                ? tenrec.asyncCommand(
                    "Subject",
                    (String argument) -> {
                      runs.incrementAndGet();
                      return CompletableFuture.completedFuture(argument);
                    })
                : tenrec.command(
                    "Subject",
                    (String argument) -> {
                      runs.incrementAndGet();
                      return argument;
                    });
        builder = builder.isolation(bound.isolation());
        Command<String, String> command =
            (timed ? builder.timeout(Duration.ofSeconds(50)) : builder.withoutTimeout()).build();
        CompletableFuture<Door.Answer> answer = new CompletableFuture<>();
        Thread caller =
            new Thread(
                () -> {
                  try {
                    answer.complete(door.call(command, "x", cancel -> {}));
                  } catch (Throwable thrown) {
                    answer.completeExceptionally(thrown);
                  }
                });
        caller.start();
        Uninterruptibly.await(gate.come);

        assertThat(tenrec.close(Duration.ZERO)).isEmpty();
        gate.goOn.countDown();

        assertThat(answer.get(PatientWaits.seconds(), TimeUnit.SECONDS).error())
            .isInstanceOfAny(CommandRejectedException.class, CancellationException.class);
        assertThat(runs).as("staged %s, timed %s", staged, timed).hasValue(0);
        assertThat(command.view().concurrency()).isZero();
        caller.join();
        Scenario.await().until(() -> tenrec.liveThreads() == 0); // its listener was still notified
        Account.of(command.view()).assertBalanced();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void queuedCalls_endAtClose_withoutRunning(Door door) throws Exception {
    Tenrec tenrec = Tenrec.create();
    HeldWork held = HeldWork.stubborn();
    Command<String, String> command =
        tenrec.command("Subject", held).isolation(Bound.POOL.isolation()).withoutTimeout().build();
    List<CompletableFuture<Door.Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Door.Answer> one = new CompletableFuture<>();
      answers.add(one);
      new Thread(
              () -> {
                try {
                  one.complete(door.call(command, "x", cancel -> {}));
                } catch (Throwable thrown) {
                  one.completeExceptionally(thrown);
                }
              })
          .start();
    }
    Scenario.await().until(() -> command.view().concurrency() == 20);
    held.awaitRunning(1);

    assertThat(CloseReport.atWork(tenrec.close(Duration.ofMillis(10))))
        .singleElement()
        .satisfies(left -> assertThat(left.commandKey()).isEqualTo("Subject"));

    for (CompletableFuture<Door.Answer> one : answers) {
      assertThat(one.get(PatientWaits.seconds(), TimeUnit.SECONDS).error())
          .isInstanceOf(CancellationException.class);
    }
    held.letGo();
    Scenario.await().until(() -> command.view().concurrency() == 0);
    assertThat(held.began()).hasSize(1);
    Scenario.await().until(() -> tenrec.liveThreads() == 0);
    Account.of(command.view()).assertBalanced();
  }

  /** What waits in a command's share, behind a dependent that blocks, is done or ended. */
  @ParameterizedTest
  @EnumSource(names = {"EXECUTE_ASYNC", "ATTEMPT_ASYNC", "TO_SINGLE", "ATTEMPT_SINGLE"})
  void tasksOfABlockedShare_runOrEnd(Door door) throws Exception {
    Tenrec tenrec = Tenrec.builder().callbacks(1, 100).build();
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String argument) -> new CompletableFuture<String>())
            .isolation(Isolation.semaphore(100))
            .timeout(Duration.ofMillis(40))
            .withoutCircuitBreaker()
            .build();
    Thread tester = Thread.currentThread();
    CompletableFuture<String> hog;
    do {
      hog =
          command
              .executeAsync("x")
              .whenComplete(
                  (value, error) -> {
                    if (Thread.currentThread() != tester) { // else it had timed out before
                      blocked.countDown();
                      Uninterruptibly.await(release);
                    }
                  });
    } while (hog.isDone());
    Uninterruptibly.await(blocked);
    long before = command.view().cumulativeCount(EventType.EXCEPTION_THROWN);
    List<CompletableFuture<Door.Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Door.Answer> one = new CompletableFuture<>();
      answers.add(one);
      new Thread(
              () -> {
                try {
                  one.complete(door.call(command, "x", cancel -> {}));
                } catch (Throwable thrown) {
                  one.completeExceptionally(thrown);
                }
              })
          .start();
    }
    Scenario.await()
        .until(() -> command.view().cumulativeCount(EventType.EXCEPTION_THROWN) == before + 20);

    List<StillRunning> left = tenrec.close(Duration.ofMillis(10));

    assertThat(left).extracting(StillRunning::commandKey).contains("Subject");
    for (CompletableFuture<Door.Answer> one : answers) {
      assertThat(one.get(PatientWaits.seconds(), TimeUnit.SECONDS).error()).isNotNull();
    }
    release.countDown();
    CompletableFuture<String> hung = hog;
    Scenario.await().until(hung::isDone);
    Scenario.await().until(() -> tenrec.liveThreads() == 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Door.class,
      names = {"EXECUTE", "EXECUTE_ASYNC", "ATTEMPT"})
  void workThatTakesItsCall_onItsCallersThread_hasItsCancellersRunAtClose(Door door)
      throws Exception {
    for (boolean shared : new boolean[] {false, true}) {
      Tenrec tenrec = Unhurried.tenrec();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch cancelled = new CountDownLatch(1);
      AtomicInteger interrupts = new AtomicInteger();
      Command<String, String> command =
          tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    call.onCancel(cancelled::countDown);
                    begun.countDown();
                    try {
                      boolean unused = cancelled.await(PatientWaits.seconds(), TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                      interrupts.incrementAndGet();
                    }
                    return argument;
                  })
              .isolation((shared ? Bound.SHARED_SEMAPHORE : Bound.SEMAPHORE).isolation())
              .withoutTimeout()
              .build();
      CompletableFuture<Door.Answer> answer = new CompletableFuture<>();
      new Thread(
              () -> {
                try {
                  answer.complete(door.call(command, "x", cancel -> {}));
                } catch (Throwable thrown) {
                  answer.completeExceptionally(thrown);
                }
              })
          .start();
      Uninterruptibly.await(begun);

      List<StillRunning> unused = tenrec.close(Duration.ZERO);

      assertThat(answer.get(PatientWaits.seconds(), TimeUnit.SECONDS).error())
          .isInstanceOf(CancellationException.class);
      assertThat(interrupts).hasValue(0);
      assertThat(cancelled.getCount()).isZero();
      Scenario.await().until(() -> command.view().concurrency() == 0);
    }
  }
}
