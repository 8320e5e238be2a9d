// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When time is up: which thread notices, what is stopped, and what is held until it really has
 * stopped.
 */
class TimeoutTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Arguments> awayEverywhere() {
    return Scenario.combined(Way.away(), List.of(Door.values()));
  }

  static Stream<Arguments> notWaiting() {
    List<Way> ways = Way.all().stream().filter(way -> way != Way.SEMAPHORE).toList();
    return Scenario.combined(ways, Door.notWaiting());
  }

  /** Work that takes so long, by the manual clock. */
  private static CommandBuilder<String, String> taking(Scenario scenario, Duration time) {
    return scenario.command(
        argument -> {
          scenario.time.advance(time);
          return argument;
        });
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void justInTime_isASuccess(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = taking(scenario, Scenario.TIMEOUT.minusNanos(1)).build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @Test
  void default_isOneSecond() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      AtomicReference<Duration> takes = new AtomicReference<>(Duration.ofMillis(999));
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument) -> {
                    scenario.time.advance(takes.get());
                    return argument;
                  })
              .isolation(Isolation.semaphore(1))
              .build();
      assertThat(scenario.call(command, "x").value()).isEqualTo("x");

      takes.set(Duration.ofMillis(1_000));

      assertThat(scenario.call(command, "x").error())
          .isInstanceOfSatisfying(
              CommandTimeoutException.class,
              timeout -> assertThat(timeout.timeout()).isEqualTo(Duration.ofSeconds(1)));
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void changedBetweenCalls_countsForTheNextCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = taking(scenario, Duration.ofMillis(600)).build();
      String property = "tenrec.command.Subject.execution.isolation.thread.timeoutInMilliseconds";

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      scenario.tenrec.set(property, "600");
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      scenario.tenrec.clear(property);
      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void changedWhileItRuns_countsForTheNextCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      String property = "tenrec.command.Subject.execution.isolation.thread.timeoutInMilliseconds";
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if ("shorter".equals(argument)) {
                      scenario.tenrec.set(property, "600");
                    } else {
                      scenario.tenrec.clear(property);
                    }
                    scenario.time.advanceMillis(700);
                    return argument;
                  })
              .build();

      assertThat(scenario.call(command, "shorter").value()).isEqualTo("shorter");
      assertThat(scenario.call(command, "longer").error())
          .isInstanceOfSatisfying(
              CommandTimeoutException.class,
              timeout -> assertThat(timeout.timeout()).isEqualTo(Duration.ofMillis(600)));
      assertThat(scenario.call(command, "longer").value()).isEqualTo("longer");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void withoutTimeout_mayTakeAsLongAsItLikes(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          taking(scenario, Duration.ofDays(400)).withoutTimeout().build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void latencies_coverTheWholeTimeOut(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.late().fallback((argument, cause) -> "answer").build();

      Answer answer = scenario.call(command, "x");

      Outcome<String> outcome = answer.outcome();
      if (outcome != null) {
        assertThat(outcome.executionLatency()).isEqualTo(Scenario.TIMEOUT);
        assertThat(outcome.callerLatency()).isEqualTo(Scenario.TIMEOUT);
      }
      assertThat(command.view().executionLatency().count()).isOne();
      assertThat(command.view().callerLatency().count()).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void queuedAtItsDeadline_timesOutAndNeverRuns(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Isolation queue = Isolation.threadPool().key("Pool").coreSize(1).queueSize(5);
      Command<String, String> occupant =
          scenario
              .tenrec
              .command("Occupant", (String argument) -> scenario.release.get())
              .isolation(queue)
              .withoutTimeout()
              .build();
      scenario.count(occupant);
      assertThat(occupant.executeAsync("x")).isNotDone();
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
      Scenario.await().until(() -> command.view().concurrency() == 1);

      // its deadline may not be set yet: the call is past the gate, but its clock started before
      scenario.time.advance(Scenario.TIMEOUT);

      assertThat(caller.answer().error())
          .isInstanceOfSatisfying(
              CommandTimeoutException.class, timeout -> assertThat(timeout.workBegan()).isFalse())
          .hasMessageContaining("waiting for a thread");
      assertThat(command.view().concurrency()).isZero();
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
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      assertThat(command.view().executionLatency().count()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("notWaiting")
  void nobodyWaits_itTimesOutAllTheSame(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.held().build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();

      scenario.time.advance(Scenario.TIMEOUT);

      assertThat(caller.answer().error()).isInstanceOf(CommandTimeoutException.class);
    }
  }

  @Test
  void toSingle_subscribedLate_hasItsWholeTime() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.TO_SINGLE)) {
      Command<String, String> command = taking(scenario, Duration.ofMillis(900)).build();
      scenario.count(command);
      var single = command.toSingle("x");

      scenario.time.advance(Duration.ofSeconds(3));

      assertThat(single.blockingGet()).isEqualTo("x");
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void work_isInterrupted(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(Scenario.TIMEOUT);
                    thrown.complete(catchThrowable(scenario.release::get));
                    return "late";
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void work_isNotInterrupted_ifThePropertySaysSo(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(Scenario.TIMEOUT);
                    String released = scenario.release.get();
                    interrupted.complete(Thread.currentThread().isInterrupted());
                    return released;
                  })
              .property("execution.isolation.thread.interruptOnTimeout", "false")
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      scenario.release.complete("late");
      assertThat(interrupted.get()).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void lateResult_changesNothing(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .held()
              .property("execution.isolation.thread.interruptOnTimeout", "false")
              .fallback((argument, cause) -> "in time")
              .build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();
      scenario.time.advance(Scenario.TIMEOUT);
      if (way == Way.SEMAPHORE) { // its caller is in the work
        scenario.release.complete("late");
      }
      assertThat(caller.answer().value()).isEqualTo("in time");

      scenario.release.complete("late");

      Scenario.await().until(() -> command.view().concurrency() == 0);
      Scenario.assertCounted(command, EventType.TIMEOUT, EventType.FALLBACK_SUCCESS);
      assertThat(command.view().health().total()).isOne();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failureAfterTheDeadline_isATimeout(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(Scenario.TIMEOUT);
                    throw new IOException("late");
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("notWaiting")
  void timer_isOfNoConcernAfterAnEarlierEnd(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw new IOException("early");
                  })
              .build();
      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);

      scenario.time.advance(Scenario.TIMEOUT.multipliedBy(3));
      Command<String, String> next = taking(scenario, Duration.ZERO).build();
      assertThat(next.execute("y")).isEqualTo("y");
      scenario.count(next);

      assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void permit_isHeldUntilTheWorkHasReallyStopped(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .held()
              .isolation(way.isolation(1))
              .property("execution.isolation.thread.interruptOnTimeout", "false")
              .build();
      CommandView view = command.view();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();
      scenario.time.advance(Scenario.TIMEOUT);
      assertThat(caller.answer().error()).isInstanceOf(CommandTimeoutException.class);

      assertThat(view.concurrency()).isOne();
      assertThat(view.stillBusy()).isOne();
      assertThat(scenario.call(command, "y").error()).hasMessageContaining("rejected");

      scenario.release.complete("late");
      Scenario.await().until(() -> view.concurrency() == 0 && view.stillBusy() == 0);
      // a pool has its own permit back a moment later
      Scenario.await()
          .until(() -> scenario.tenrec.pools().stream().allMatch(pool -> pool.active() == 0));
      assertThat(scenario.call(command, "z").value()).isEqualTo("late");
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void semaphore_callerStaysUntilTheWorkReturns_uninterrupted(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      AtomicBoolean interrupted = new AtomicBoolean();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.begun.countDown();
                    String late = scenario.release.get();
                    interrupted.set(Thread.currentThread().isInterrupted());
                    return late;
                  })
              .isolation(Isolation.semaphore(1))
              .build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();
      scenario.time.advance(Scenario.TIMEOUT.multipliedBy(2));

      assertThat(command.view().concurrency()).isOne();
      assertThat(scenario.call(command, "y").error()).hasMessageContaining("rejected");

      scenario.release.complete("late");
      assertThat(caller.answer().error())
          .isInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("2000 ms had passed");
      assertThat(interrupted).isFalse();
      assertThat(caller.isFlagKept()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void semaphore_cancellersRunAtTheDeadline_andTheCallerAnswers(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      AtomicReference<@Nullable Thread> faller = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    CountDownLatch aborted = new CountDownLatch(1);
                    call.onCancel(aborted::countDown);
                    scenario.time.advance(Scenario.TIMEOUT);
                    aborted.await();
                    return "late";
                  })
              .isolation(Isolation.semaphore(1))
              .timeout(Scenario.TIMEOUT)
              .fallback(
                  (argument, cause) -> {
                    faller.set(Thread.currentThread());
                    return "answer";
                  })
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("answer");
      assertThat(faller.get()).isSameAs(Thread.currentThread());
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void cancellers_runOnceLastFirst_andLateOnesAtOnce(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<String> ran = new CopyOnWriteArrayList<>();
      CountDownLatch done = new CountDownLatch(1);
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    CountDownLatch aborted = new CountDownLatch(1);
                    call.onCancel(
                        () -> {
                          ran.add("first");
                          aborted.countDown();
                        });
                    call.onCancel(
                        () -> {
                          ran.add("second");
                          throw new IOException("a canceller may fail");
                        });
                    scenario.time.advance(Scenario.TIMEOUT);
                    aborted.await();
                    call.onCancel(
                        () ->
                            ran.add(
                                "late, given up: "
                                    + call.isGivenUp()
                                    + ", left: "
                                    + call.remaining().toMillis()));
                    done.countDown();
                    return "late";
                  })
              .isolation(way.isolation())
              .property("execution.isolation.thread.interruptOnTimeout", "false")
              .timeout(Scenario.TIMEOUT)
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      done.await();
      assertThat(ran).containsExactly("second", "first", "late, given up: true, left: 0");
    }
  }

  /** The stage was cancelled at the deadline, and what it was for goes on. */
  @ParameterizedTest
  @EnumSource(Door.class)
  void call_ofAStageThatTimedOut_staysGivenUp(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      CompletableFuture<Call> shown = new CompletableFuture<>();
      CompletableFuture<String> stage = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject",
                  (String argument, Call call) -> {
                    shown.complete(call);
                    scenario.time.advance(Scenario.TIMEOUT);
                    return stage;
                  })
              .timeout(Scenario.TIMEOUT)
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);

      Scenario.await().until(() -> stage.isCancelled() && command.view().concurrency() == 0);
      assertThat(shown.join().isGivenUp()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void cancellers_areDroppedWhenTheWorkEndsByItself(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger ran = new AtomicInteger();
      AtomicReference<@Nullable Call> kept = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    kept.set(call);
                    call.onCancel(ran::incrementAndGet);
                    return argument;
                  })
              .isolation(way.isolation())
              .timeout(Scenario.TIMEOUT)
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      scenario.time.advance(Scenario.TIMEOUT.multipliedBy(2));
      kept.get().onCancel(ran::incrementAndGet);

      assertThat(kept.get().isGivenUp()).isFalse();
      assertThat(ran).hasValue(0);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void stage_isCancelledAtItsDeadline(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.STAGE, door)) {
      CompletableFuture<String> stage = new CompletableFuture<>();
      AtomicBoolean aborted = new AtomicBoolean();
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject",
                  (String argument, Call call) -> {
                    call.onCancel(() -> aborted.set(true));
                    scenario.time.advance(Scenario.TIMEOUT);
                    return stage;
                  })
              .timeout(Scenario.TIMEOUT)
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
      Scenario.await()
          .until(() -> stage.isCancelled() && aborted.get() && command.view().concurrency() == 0);
    }
  }

  /** A stage nobody can cancel: it does not become a future. */
  private static CompletionStage<String> uncancellable(boolean refusing) {
    return refusing
        ? new CompletableFuture<String>() {
          @Override
          public CompletableFuture<String> toCompletableFuture() {
            throw new UnsupportedOperationException("not a future");
          }
        }
        : new CompletableFuture<String>().minimalCompletionStage();
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void stageThatDoesNotEnd_isAbandonedAfterItsTime_andItsPermitFree(Door door) throws Exception {
    for (boolean refusing : new boolean[] {false, true}) {
      try (Scenario scenario = new Scenario(Way.STAGE, door)) {
        Command<String, String> command =
            scenario
                .tenrec
                .asyncCommand(
                    "Subject",
                    (String argument) -> {
                      scenario.time.advance(Scenario.TIMEOUT);
                      return uncancellable(refusing);
                    })
                .isolation(Isolation.semaphore(1))
                .timeout(Scenario.TIMEOUT)
                .property("execution.isolation.stage.abandonAfterInMilliseconds", "5000")
                .build();
        assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);
        assertThat(command.view().concurrency()).isOne();
        assertThat(command.view().stillBusy()).isOne();

        Scenario.await()
            .until(
                () -> {
                  scenario.time.advanceMillis(500); // the abandonment is armed after the answer
                  return command.view().concurrency() == 0;
                });

        assertThat(command.view().stillBusy()).isZero();
        Scenario.assertCounted(
            command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("notWaiting")
  void fallbackNobodyWaitsFor_runsOnTheCallbackExecutor(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.late().fallback((argument, cause) -> Thread.currentThread().getName()).build();

      assertThat(scenario.call(command, "x").value()).startsWith("tenrec-callback-");
    }
  }

  @Test
  void slowFallbacks_doNotDelayOtherTimeouts() throws Exception {
    try (Scenario scenario =
        new Scenario(Way.POOL, Door.EXECUTE_ASYNC, Tenrec.builder().callbacks(2, 10))) {
      CountDownLatch falling = new CountDownLatch(1);
      Command<String, String> slow =
          scenario
              .tenrec
              .command("Slow", (String argument) -> scenario.release.get())
              .timeout(Scenario.TIMEOUT)
              .property("execution.isolation.thread.interruptOnTimeout", "false")
              .fallback(
                  (argument, cause) -> {
                    falling.countDown();
                    return scenario.release.get();
                  })
              .build();
      Caller stuck = scenario.start(slow, "x");
      Scenario.await().until(() -> slow.view().concurrency() == 1);
      scenario.time.advance(Scenario.TIMEOUT);
      falling.await();

      Command<String, String> command = scenario.late().build();
      assertThat(scenario.call(command, "y").error()).isInstanceOf(CommandTimeoutException.class);

      scenario.release.complete("at last");
      assertThat(stuck.answer().value()).isEqualTo("at last");
    }
  }

  @Test
  void callbackExecutorFull_endsWithTheFirstCause_counted() throws Exception {
    List<Runnable> none = new CopyOnWriteArrayList<>();
    TenrecBuilder refusing =
        Tenrec.builder()
            .callbackExecutor(
                task -> {
                  none.add(task);
                  throw new java.util.concurrent.RejectedExecutionException("full");
                });
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE_ASYNC, refusing)) {
      Command<String, String> command =
          scenario.late().fallback((argument, cause) -> "not today").build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandTimeoutException.class);

      assertThat(none).isNotEmpty();
      assertThat(scenario.tenrec.refusedCallbacks()).isOne();
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_REJECTION, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void contextThatThrows_failsTheCall_andHangsNothing(Way way, Door door) throws Exception {
    IllegalStateException mine = new IllegalStateException("from the propagator");
    TenrecBuilder builder =
        Tenrec.builder()
            .propagate(
                () -> {
                  throw mine;
                });
    try (Scenario scenario = new Scenario(way, door, builder)) {
      AtomicBoolean ran = new AtomicBoolean();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    ran.set(true);
                    return argument;
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(mine);
      assertThat(ran).isFalse();
      assertThat(command.view().concurrency()).isZero();
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("awayEverywhere")
  void contextThatThrowsElsewhere_failsTheFallback_andHangsNothing(Way way, Door door)
      throws Exception {
    TenrecBuilder builder =
        Tenrec.builder()
            .propagate(
                () ->
                    () -> {
                      if (Thread.currentThread().getName().startsWith("tenrec-callback")) {
                        throw new IllegalStateException("from the propagator");
                      }
                      return () -> {};
                    });
    try (Scenario scenario = new Scenario(way, door, builder)) {
      Command<String, String> command =
          scenario.late().fallback((argument, cause) -> "answer").build();

      Answer answer = scenario.call(command, "x");

      if (door.callerWaits()) { // on its own thread nothing has to be carried
        assertThat(answer.value()).isEqualTo("answer");
      } else {
        assertThat(answer.error())
            .isInstanceOf(CommandTimeoutException.class)
            .hasSuppressedException(new IllegalStateException("from the propagator"));
        assertThat(command.view().cumulativeCount(EventType.FALLBACK_FAILURE)).isOne();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void semaphore_interruptedAndLate_isATimeoutWithTheFlagKept(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command = scenario.held().build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();
      scenario.time.advance(Scenario.TIMEOUT);

      caller.thread.interrupt();

      assertThat(caller.answer().error()).isInstanceOf(CommandTimeoutException.class);
      assertThat(caller.isFlagKept()).isTrue();
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }
}
