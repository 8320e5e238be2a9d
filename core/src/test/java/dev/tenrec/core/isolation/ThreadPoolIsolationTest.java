// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.PoolView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ThreadPoolIsolationTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void letGo() {
    held.letGo();
    Elsewhere.close(tenrec, time);
    assertThat(tenrec.liveThreads()).isZero();
  }

  private CommandBuilder<String, String> heldCommand(String key, Isolation isolation) {
    return tenrec.command(key, held).isolation(isolation).withoutTimeout();
  }

  private PoolView pool(String key) {
    return tenrec.pools().stream().filter(pool -> pool.key().equals(key)).findFirst().orElseThrow();
  }

  @Test
  void work_onPool_runsOnADaemonNamedAfterThePool() {
    Command<String, Thread> who =
        tenrec.command("Who", (String s) -> Thread.currentThread()).group("Pricing").build();
    Thread worker = who.execute("x");
    assertThat(worker.getName()).isEqualTo("tenrec-Pricing-1");
    assertThat(worker.isDaemon()).isTrue();
    assertThat(worker).isNotSameAs(Thread.currentThread());
  }

  @Test
  void pool_beforeItsFirstCall_isSeenButHasNoThread() {
    Command<String, String> echo = tenrec.command("Echo", (String s) -> s).build();
    assertThat(pool("Echo").threads()).isZero();
    assertThat(echo.execute("x")).isEqualTo("x");
    assertThat(pool("Echo").threads()).isOne();
  }

  @Test
  void strategyOpen_always_leavesThePlaceToThePropertiesAndNamesThePool() {
    Isolation open = Isolation.threadPool().strategyOpen().key("Wheels").coreSize(3);
    Command<String, String> pooled =
        tenrec.command("Pooled", ThreadPoolIsolationTest::here).isolation(open).build();
    assertThat(pooled.execute("x")).startsWith("tenrec-Wheels-");
    assertThat(pool("Wheels").coreSize()).isEqualTo(3);

    tenrec.set("tenrec.command.default.execution.isolation.strategy", "SEMAPHORE");
    assertThat(pooled.execute("x")).isEqualTo(Thread.currentThread().getName());
  }

  @Test
  void pool_ofASemaphoreCommand_isNotMade() {
    Command<String, String> echo =
        tenrec.command("Echo", (String s) -> s).isolation(Isolation.semaphore(1)).build();
    assertThat(echo.execute("x")).isEqualTo("x");
    assertThat(tenrec.pools()).isEmpty();
    assertThat(echo.view().threadPoolKey()).isNull();
  }

  @Test
  void poolKey_overrideThenOwnThenGroupThenCommand_decides() {
    Command<String, String> plain = tenrec.command("Plain", ThreadPoolIsolationTest::here).build();
    Command<String, String> grouped =
        tenrec.command("Grouped", ThreadPoolIsolationTest::here).group("G").build();
    Command<String, String> keyed =
        tenrec
            .command("Keyed", ThreadPoolIsolationTest::here)
            .group("G")
            .isolation(Isolation.threadPool().key("K"))
            .build();
    assertThat(plain.execute("x")).startsWith("tenrec-Plain-");
    assertThat(grouped.execute("x")).startsWith("tenrec-G-");
    assertThat(keyed.execute("x")).startsWith("tenrec-K-");
    tenrec.set("tenrec.command.Keyed.threadPoolKeyOverride", "O");
    assertThat(keyed.execute("x")).startsWith("tenrec-O-");
    assertThat(keyed.view().threadPoolKey()).isEqualTo("O");
    assertThat(pool("O").cumulativeExecuted()).isOne();
  }

  private static String here(String unused) {
    return Thread.currentThread().getName();
  }

  @Test
  void group_twoCommands_shareOnePoolAndItsLimit() {
    Isolation one = Isolation.threadPool().coreSize(1);
    Command<String, String> first = heldCommand("First", one).group("G").build();
    Command<String, String> second = heldCommand("Second", one).group("G").build();
    CompletableFuture<String> running = first.executeAsync("a");
    held.awaitRunning(1);
    Outcome<String> refused = second.attempt("b");
    assertThat(refused.cause())
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContaining("thread pool G is full");
    assertThat(refused.events()).contains(EventType.THREAD_POOL_REJECTED);
    assertThat(refused.executionLatency()).as("it never reached a thread").isNull();
    assertThat(first.view().concurrency()).isOne();
    assertThat(second.view().concurrency()).isZero();
    assertThat(tenrec.pools()).hasSize(1);
    held.letGo();
    assertThat(running.join()).isEqualTo("a");
  }

  @Test
  void queued_atItsDeadline_isTakenOutAndNeverRuns() {
    Command<String, String> blocking =
        heldCommand("Blocking", Isolation.threadPool().coreSize(1).queueSize(1)).group("G").build();
    Command<String, String> waiting =
        tenrec
            .command("Waiting", held)
            .group("G")
            .isolation(Isolation.threadPool().coreSize(1).queueSize(1))
            .timeout(Duration.ofMillis(200))
            .build();
    CompletableFuture<String> running = blocking.executeAsync("running");
    held.awaitRunning(1);
    CompletableFuture<String> queued = waiting.executeAsync("late");
    assertThat(pool("G").queued()).isOne();
    time.advanceMillis(200);
    assertThatThrownBy(queued::join).hasCauseInstanceOf(CommandTimeoutException.class);
    assertThat(pool("G").queued()).isZero();
    assertThat(waiting.view().concurrency()).as("its permit is back at once").isZero();
    CompletableFuture<String> next = blocking.executeAsync("next");
    held.letGo();
    assertThat(running.join()).isEqualTo("running");
    assertThat(next.join()).isEqualTo("next");
    assertThat(held.began()).containsExactly("running", "next");
    assertThat(waiting.view().executionLatency().count()).isZero();
  }

  /** The timer's thread may come to it later than a worker does, which looks for itself. */
  @Test
  void queued_takenUpAfterItsDeadline_neverRuns() {
    AtomicLong jump = new AtomicLong(); // of the clock, which wakes no thread that waits for it
    List<String> judged = new CopyOnWriteArrayList<>();
    Tenrec late = Tenrec.builder().time(() -> time.nanoTime() + jump.get(), time).build();
    try {
      Isolation one = Isolation.threadPool().coreSize(1).queueSize(1);
      Command<String, String> command =
          late.command("Late", held)
              .isolation(one)
              .timeout(Duration.ofMillis(200))
              .failIf(result -> judged.add("judged " + result))
              .build();
      Command<String, String> occupant =
          late.command("Occupant", held).group("Late").isolation(one).withoutTimeout().build();
      CompletableFuture<String> running = occupant.executeAsync("running");
      held.awaitRunning(1);
      CompletableFuture<String> queued = command.executeAsync("late");
      await().until(() -> time.waiting().stream().anyMatch(ThreadPoolIsolationTest::isTimer));
      jump.set(Duration.ofMillis(200).toNanos());
      held.letGo();
      assertThat(running.join()).isEqualTo("running");
      assertThatThrownBy(queued::join)
          .cause()
          .isInstanceOfSatisfying(
              CommandTimeoutException.class, timeout -> assertThat(timeout.workBegan()).isFalse());
      assertThat(held.began()).containsExactly("running");
      assertThat(judged).as("results that no work returned").isEmpty();
      assertThat(command.view().executionLatency().count()).isZero();
      assertThat(command.view().concurrency()).isZero();
    } finally {
      held.letGo();
      Elsewhere.close(late, time);
    }
    assertThat(late.liveThreads()).isZero();
  }

  private static boolean isTimer(Thread thread) {
    return thread.getName().contains("-timer-");
  }

  @Test
  void queued_cancelled_neverRuns() {
    Command<String, String> command =
        heldCommand("C", Isolation.threadPool().coreSize(1).queueSize(5)).build();
    CompletableFuture<String> running = command.executeAsync("running");
    held.awaitRunning(1);
    CompletableFuture<String> queued = command.executeAsync("unwanted");
    assertThat(queued.cancel(true)).isTrue();
    assertThat(pool("C").queued()).isZero();
    assertThat(command.view().concurrency()).isOne();
    held.letGo();
    assertThat(running.join()).isEqualTo("running");
    assertThat(command.execute("after")).isEqualTo("after");
    assertThat(held.began()).containsExactly("running", "after");
    assertThat(held.interrupts()).isZero();
  }

  @Test
  void timedOut_whileItsThreadIsBusy_keepsItsPermitUntilItStops() {
    HeldWork stubborn = HeldWork.stubborn();
    Command<String, String> command =
        tenrec
            .command("C", stubborn)
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofMillis(100))
            .build();
    CompletableFuture<Outcome<String>> caller = Elsewhere.call(() -> command.attempt("x"));
    stubborn.awaitRunning(1);
    await().until(() -> !time.waiting().isEmpty());
    time.advanceMillis(100);
    assertThat(caller.join().cause()).isInstanceOf(CommandTimeoutException.class);
    stubborn.awaitInterrupts(1);
    assertThat(command.view().stillBusy()).isOne();
    assertThat(command.view().concurrency()).isOne();
    assertThat(pool("C").active()).isOne();
    assertThat(command.attempt("y").cause()).isInstanceOf(CommandRejectedException.class);
    stubborn.letGo();
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().stillBusy()).isZero();
    await().until(() -> pool("C").active() == 0); // which has its permit back a moment later
    assertThat(command.execute("z")).isEqualTo("z");
  }

  /** Unlike a stage's, its permit stands for a thread, which it holds for as long as it runs. */
  @Test
  void timedOut_forLongerThanAStageKeepsItsPermit_keepsItAllTheSame() {
    HeldWork stubborn = HeldWork.stubborn();
    Command<String, String> command =
        tenrec
            .command("C", stubborn)
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofMillis(100))
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "200")
            .build();
    CompletableFuture<String> late = command.executeAsync("x");
    stubborn.awaitRunning(1);
    time.advanceMillis(100);
    await().until(late::isCompletedExceptionally);
    Command<String, String> later =
        tenrec
            .asyncCommand("Later", (String s) -> new CompletableFuture<String>())
            .timeout(Duration.ofMillis(300))
            .build();
    CompletableFuture<String> afterThat = later.executeAsync("x");
    time.advanceMillis(300);
    await().until(afterThat::isCompletedExceptionally); // the timer was at all that came before

    assertThat(command.view().concurrency()).isOne();
    assertThat(command.view().stillBusy()).isOne();
    assertThat(command.attempt("y").cause()).isInstanceOf(CommandRejectedException.class);
    stubborn.letGo();
    await().until(() -> command.view().concurrency() == 0);
    assertThat(command.view().stillBusy()).isZero();
  }

  private CommandBuilder<String, String> queueing() {
    return tenrec
        .command("C", held)
        .isolation(Isolation.threadPool().coreSize(1).queueSize(1))
        .timeout(Duration.ofMillis(100));
  }

  /** Commands whose first attempts are executions of their own. */
  static Stream<UnaryOperator<CommandBuilder<String, String>>> attempted() {
    return Stream.of(
        command -> command.hedge(Hedge.after(Duration.ofDays(1))),
        command -> command.retry(Retry.attempts(2).attemptTimeout(Duration.ofSeconds(1))));
  }

  @ParameterizedTest
  @MethodSource("attempted")
  void timedOut_whileItsFirstAttemptIsQueued_isReportedAsNotBegun(
      UnaryOperator<CommandBuilder<String, String>> attempted) {
    Command<String, String> command = attempted.apply(queueing()).build();
    CompletableFuture<String> atWork = command.executeAsync("x");
    held.awaitRunning(1);
    CompletableFuture<String> queued = command.executeAsync("y");

    time.advanceMillis(100);

    assertThat(timedOut(queued).workBegan()).isFalse();
    assertThat(timedOut(atWork).workBegan()).isTrue();
  }

  private static CommandTimeoutException timedOut(CompletableFuture<?> call) {
    await().until(call::isDone);
    Throwable thrown = catchThrowable(call::join);
    assertThat(thrown).hasCauseInstanceOf(CommandTimeoutException.class);
    return (CommandTimeoutException) thrown.getCause();
  }

  /** Both calls answer from runs that others began: of one the work has begun, of one it waits. */
  @Test
  void tooLate_whileTheRunItSharesIsQueued_isReportedAsNotBegun() {
    Command<String, String> command =
        queueing().cacheKey((String s) -> s).timeout(Duration.ofDays(1)).withDeadline().build();
    try (RequestContext request = tenrec.openRequest()) {
      List<CompletableFuture<String>> runs =
          List.of(command.executeAsync("x"), command.executeAsync("y"));
      held.awaitRunning(1);
      CompletableFuture<String> atWork;
      CompletableFuture<String> queued;
      try (Scope soon = Deadline.after(tenrec, Duration.ofMillis(100)).open()) {
        atWork = command.executeAsync("x");
        queued = command.executeAsync("y");
      }

      time.advanceMillis(100);

      assertThat(timedOut(atWork).workBegan()).isTrue();
      assertThat(timedOut(queued).workBegan()).isFalse();
      held.letGo();
      assertThat(runs)
          .allSatisfy(run -> assertThat(run).succeedsWithin(PatientWaits.patience()).isNotNull());
    }
  }

  @Test
  void cancel_ofRunningWork_interruptsAsThePropertySays() {
    Command<String, String> spared = heldCommand("Spared", Isolation.threadPool()).build();
    CompletableFuture<String> goesOn = spared.executeAsync("x");
    held.awaitRunning(1);
    assertThat(goesOn.cancel(true)).isTrue();
    assertThatThrownBy(goesOn::join).isInstanceOf(CancellationException.class);
    assertThat(spared.view().stillBusy()).isOne();

    HeldWork second = HeldWork.polite();
    Command<String, String> hit =
        tenrec
            .command("Hit", second)
            .property("execution.isolation.thread.interruptOnFutureCancel", "true")
            .build();
    CompletableFuture<String> stopped = hit.executeAsync("x");
    second.awaitRunning(1);
    assertThat(stopped.cancel(true)).isTrue();
    second.awaitInterrupts(1);
    await().until(() -> hit.view().concurrency() == 0);
    assertThat(held.interrupts()).isZero();
  }

  @Test
  void full_coreThenQueueThenMaximum_thenRefuses() {
    Command<String, String> command =
        heldCommand("C", Isolation.threadPool().coreSize(1).queueSize(1).maximumSize(2)).build();
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    CompletableFuture<String> second = command.executeAsync("2");
    assertThat(pool("C").queued()).isOne();
    CompletableFuture<String> third = command.executeAsync("3");
    held.awaitRunning(2);
    assertThat(pool("C").threads()).isEqualTo(2);
    Outcome<String> fourth = command.attempt("4");
    assertThat(fourth.cause())
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContaining("3 in flight, 3 allowed");
    assertThat(pool("C").cumulativeRejected()).isOne();
    held.letGo();
    assertThat(first.join() + second.join() + third.join()).isEqualTo("123");
  }

  @Test
  void maximum_withoutDivergence_isTheCore() {
    Command<String, String> command = heldCommand("C", Isolation.threadPool().coreSize(1)).build();
    tenrec.set("tenrec.threadpool.C.maximumSize", "5");
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    assertThat(pool("C").maximumSize()).isOne();
    assertThat(command.attempt("2").events()).contains(EventType.THREAD_POOL_REJECTED);
    held.letGo();
    assertThat(first.join()).isEqualTo("1");
  }

  @Test
  void queueOfZeroOrLess_threshold_isIgnored() {
    Command<String, String> command =
        heldCommand("C", Isolation.threadPool().coreSize(1).queueSize(0).rejectionThreshold(5))
            .build();
    assertThat(pool("C").queueCapacity()).isZero();
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    assertThat(command.attempt("2").events()).contains(EventType.THREAD_POOL_REJECTED);
    held.letGo();
    assertThat(first.join()).isEqualTo("1");
  }

  @Test
  void stage_startedOnAPool_keepsItsPermitUntilTheStageEnds() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    AtomicReference<String> starter = new AtomicReference<>();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "C",
                (String s) -> {
                  starter.set(Thread.currentThread().getName());
                  return stage;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .build();
    CompletableFuture<String> answer = command.executeAsync("x");
    await().until(() -> pool("C").cumulativeCompleted() == 1);
    assertThat(starter.get()).startsWith("tenrec-C-");
    assertThat(pool("C").active()).as("the thread is free").isZero();
    assertThat(command.view().concurrency()).as("the permit is not").isOne();
    assertThat(command.attempt("y").events()).contains(EventType.THREAD_POOL_REJECTED);
    stage.complete("done");
    assertThat(answer.join()).isEqualTo("done");
    assertThat(command.view().concurrency()).isZero();
  }

  @Test
  void nested_commandInWork_usesItsOwnPool() {
    Command<String, String> inner = tenrec.command("Inner", ThreadPoolIsolationTest::here).build();
    Command<String, String> outer = tenrec.command("Outer", (String s) -> inner.execute(s)).build();
    assertThat(outer.execute("x")).startsWith("tenrec-Inner-");
    assertThat(pool("Outer").cumulativeExecuted()).isOne();
    assertThat(pool("Inner").cumulativeExecuted()).isOne();
  }
}
