// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Steps;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.MissingFallbackException;
import dev.tenrec.core.retry.Jitter;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What listeners get of one call, in order: every ending, every way, every door. */
class ListenerOrderTest {

  private static final IOException DOWN = new IOException("down");
  private static final IllegalStateException EMPTY = new IllegalStateException("empty");

  private final Steps.Recorded steps = new Steps.Recorded();

  /** By now all is closed, so nothing more can come. */
  @AfterEach
  void eachStart_hasOneEnding() {
    steps.assertEndedOnce();
  }

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  static Stream<Arguments> away() {
    return Scenario.combined(Way.away(), List.of(Door.values()));
  }

  private Scenario scenario(Way way, Door door) {
    return new Scenario(way, door, Unhurried.builder().listen(steps));
  }

  /** The steps of work that runs to its end, and those after it. */
  private static List<String> worked(Way way, String ending, String... rest) {
    List<String> all = new ArrayList<>(List.of("start"));
    if (way.isAway()) {
      all.add("thread start");
    }
    all.add("work start");
    all.add(ending);
    if (way.isAway()) {
      all.add("thread end");
    }
    all.addAll(List.of(rest));
    return all;
  }

  /** Work that is given up: its thread's end comes when it comes, once. */
  private void assertGivenUp(Way way, String... rest) {
    if (way.isAway()) {
      Scenario.await().until(() -> steps.namesSoFar().contains("thread end"));
      assertThat(steps.only("thread end").thread()).isSameAs(steps.only("thread start").thread());
    }
    List<String> expected = new ArrayList<>(List.of("start"));
    if (way.isAway()) {
      expected.add("thread start");
    }
    expected.add("work start");
    expected.addAll(List.of(rest));
    assertThat(steps.names()).filteredOn(step -> !step.equals("thread end")).isEqualTo(expected);
  }

  /** Rows 236, 237. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void success_steps_areInOrder(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.command(argument -> "b").build(), "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work success", "success"));
      assertThat(steps.only("work success").what()).isEqualTo("b");
      assertThat(steps.only("success").what()).isEqualTo("b");
    }
  }

  /** A null is a value, and reported as one. */
  @ParameterizedTest
  @MethodSource("away")
  void success_ofNull_isReported(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.command(argument -> null).build(), "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work success", "success"));
      assertThat(steps.only("success").what()).isNull();
    }
  }

  /** Row 239. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_withoutFallback_isAnError(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(failing(scenario).build(), "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work error", "error"));
      assertThat(steps.only("work error").what()).isSameAs(DOWN);
      assertThat(steps.only("error").what()).isSameAs(DOWN);
    }
  }

  private static CommandBuilder<String, String> failing(Scenario scenario) {
    return scenario.command(
        argument -> {
          throw DOWN;
        });
  }

  /** Rows 240, 247. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_withFallback_isASuccess(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(failing(scenario).fallback((argument, cause) -> "instead").build(), "a");

      assertThat(steps.names())
          .isEqualTo(worked(way, "work error", "fallback start", "fallback success", "success"));
      assertThat(steps.only("fallback start").what()).isSameAs(DOWN);
      assertThat(steps.only("fallback success").what()).isEqualTo("instead");
      assertThat(steps.only("success").what()).isEqualTo("instead");
    }
  }

  /** It has not begun: the call ends with what refused it, and no work does. */
  @Test
  void attempt_thatIsRefused_hasNoWorkThatEnds() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).listen(steps).build();
    CompletableFuture<String> release = new CompletableFuture<>();
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Subject",
                (String argument) ->
                    argument.equals("fails")
                        ? CompletableFuture.<String>failedFuture(DOWN)
                        : release)
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .retry(
                Retry.attempts(2)
                    .backoff(Duration.ofMillis(10), Duration.ofMillis(10))
                    .jitter(Jitter.NONE))
            .build();
    CompletableFuture<String> call = command.executeAsync("fails");
    CompletableFuture<String> occupant = command.executeAsync("occupies");
    assertThat(command.view().concurrency()).isEqualTo(1);
    time.advanceMillis(10);

    assertThat(call).failsWithin(PatientWaits.patience());
    release.complete("done");
    assertThat(occupant).succeedsWithin(PatientWaits.patience());
    assertThat(command.view().cumulativeCount(EventType.SEMAPHORE_REJECTED)).isOne();
    assertThat(steps.only("work error").what()).isSameAs(DOWN);
    Elsewhere.close(tenrec, time);
  }

  /** Its start was reported; what it threw is no error of it. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_withAFallbackThatSaysThereIsNone_hasNoErrorOfThat(Way way, Door door)
      throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      IOException thrown = new IOException("down");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw thrown;
                  })
              .fallback(
                  (argument, cause) -> {
                    throw new MissingFallbackException("none");
                  })
              .build();

      scenario.call(command, "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work error", "fallback start", "error"));
      assertThat(steps.only("error").what()).isSameAs(thrown);
    }
  }

  /** Rows 241, 248: the error is the first cause. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_withFailingFallback_isAnError(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(withFailingFallback(failing(scenario)).build(), "a");

      assertThat(steps.names())
          .isEqualTo(worked(way, "work error", "fallback start", "fallback error", "error"));
      assertThat(steps.only("fallback error").what()).isSameAs(EMPTY);
      assertThat(steps.only("error").what()).isSameAs(DOWN);
    }
  }

  private static CommandBuilder<String, String> withFailingFallback(
      CommandBuilder<String, String> builder) {
    return builder.fallback(
        (argument, cause) -> {
          throw EMPTY;
        });
  }

  /** Row 244. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequest_asksNoFallback(Way way, Door door) throws Exception {
    BadRequestException bad = new BadRequestException("bad");
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(
          scenario
              .command(
                  argument -> {
                    throw bad;
                  })
              .fallback((argument, cause) -> "instead")
              .build(),
          "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work error", "error"));
      assertThat(steps.only("error").what()).isSameAs(bad);
    }
  }

  /** A result that counts as a failure is an error of the work. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResult_isAnErrorOfTheWork(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.command(argument -> "b").failIf("b"::equals).build(), "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work error", "error"));
    }
  }

  /** Row 242. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void timeout_withoutFallback_saysNothingOfTheWorksEnd(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.late().build(), "a");

      assertGivenUp(way, "error");
      assertThat(steps.only("error").what()).isInstanceOf(CommandTimeoutException.class);
    }
  }

  /** Row 242. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void timeout_withFallback_isASuccess(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.late().fallback((argument, cause) -> "instead").build(), "a");

      assertGivenUp(way, "fallback start", "fallback success", "success");
      assertThat(steps.only("fallback start").what()).isInstanceOf(CommandTimeoutException.class);
    }
  }

  /** The same of a value, which answers on the timer's thread where no other waits. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void timeout_withAFallbackThatIsAValue_isASuccess(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.late().fallbackValue("instead").build(), "a");

      assertGivenUp(way, "fallback start", "fallback success", "success");
      assertThat(steps.only("fallback start").what()).isInstanceOf(CommandTimeoutException.class);
      assertThat(steps.only("fallback success").what()).isEqualTo("instead");
    }
  }

  /** Row 242. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void timeout_withFailingFallback_isAnError(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(withFailingFallback(scenario.late()).build(), "a");

      assertGivenUp(way, "fallback start", "fallback error", "error");
    }
  }

  /** Row 242, where the deadline comes before the work. */
  @Test
  void timeout_stillQueued_hasNoWork() {
    try (Tenrec tenrec = tenrecOfSteps()) {
      Isolation pool = Isolation.threadPool().key("Pool").coreSize(1).queueSize(1);
      Command<String, String> occupant =
          tenrec
              .command("Occupant", HeldWork.polite())
              .isolation(pool)
              .withoutTimeout()
              .property("execution.isolation.thread.interruptOnFutureCancel", "true")
              .build();
      Command<String, String> queued =
          tenrec
              .command("Subject", (String argument) -> argument)
              .isolation(pool)
              .timeout(Duration.ofMillis(1))
              .build();
      CompletableFuture<String> held = occupant.executeAsync("a");

      assertThatThrownBy(() -> queued.executeAsync("b").join())
          .hasCauseInstanceOf(CommandTimeoutException.class);
      assertThat(steps.names()).containsExactly("start", "error");
      assertThat(held.cancel(true)).isTrue();
    }
  }

  /** Row 243, where both the threads and the queue have something to do. */
  @Test
  void rejection_byAFullQueue_isAnError() {
    try (Tenrec tenrec = tenrecOfSteps()) {
      HeldWork held = HeldWork.polite();
      Isolation pool = Isolation.threadPool().key("Pool").coreSize(1).queueSize(1);
      Command<String, String> occupant =
          tenrec.command("Occupant", held).isolation(pool).withoutTimeout().build();
      Command<String, String> refused =
          tenrec.command("Subject", (String argument) -> argument).isolation(pool).build();
      CompletableFuture<String> running = occupant.executeAsync("a");
      held.awaitRunning(1);
      CompletableFuture<String> queued = occupant.executeAsync("b");

      assertThat(refused.attempt("c").cause()).isInstanceOf(CommandRejectedException.class);
      assertThat(steps.names()).containsExactly("start", "error");
      held.letGo();
      assertThat(running).succeedsWithin(PatientWaits.patience());
      assertThat(queued).succeedsWithin(PatientWaits.patience());
    }
  }

  private Tenrec tenrecOfSteps() {
    return Unhurried.builder().listen(steps).build();
  }

  /** Row 243. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void rejection_withoutFallback_isAnError(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.rejected().build(), "a");

      assertThat(steps.names()).containsExactly("start", "error");
      assertThat(steps.only("error").what()).isInstanceOf(CommandRejectedException.class);
    }
  }

  /** Row 243. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void rejection_withFallback_isASuccess(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(scenario.rejected().fallback((argument, cause) -> "instead").build(), "a");

      assertThat(steps.names())
          .containsExactly("start", "fallback start", "fallback success", "success");
    }
  }

  /** Row 243. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void shortCircuit_steps_areThoseOfARefusal(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      CommandBuilder<String, String> open =
          scenario.command(argument -> argument).property("circuitBreaker.forceOpen", "true");
      scenario.call(open.build(), "a");

      assertThat(steps.names()).containsExactly("start", "error");
      assertThat(steps.only("error").what()).isInstanceOf(CircuitOpenException.class);
      steps.clear();

      scenario.call(withFailingFallback(open).build(), "a");
      assertThat(steps.names())
          .containsExactly("start", "fallback start", "fallback error", "error");
    }
  }

  /** Rows 247, 252: a fallback that is refused has not started, and the ending is reported. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_refused_isNotReported(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(
          failing(scenario).fallback((argument, cause) -> "x").fallbackLimit(0).build(), "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work error", "error"));
      assertThat(steps.only("error").call().events())
          .containsExactly(
              EventType.FAILURE, EventType.FALLBACK_REJECTION, EventType.EXCEPTION_THROWN);
    }
  }

  /** Row 247: a fallback that settings have switched off has not started either. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_disabled_isNotReported(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(
          failing(scenario)
              .fallback((argument, cause) -> "x")
              .property("fallback.enabled", "false")
              .build(),
          "a");

      assertThat(steps.names()).isEqualTo(worked(way, "work error", "error"));
      assertThat(steps.only("error").call().events())
          .containsExactly(
              EventType.FAILURE, EventType.FALLBACK_DISABLED, EventType.EXCEPTION_THROWN);
    }
  }

  /** Row 245. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void cancellation_steps_endWithIt(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      Caller caller =
          scenario.start(
              scenario
                  .held()
                  .fallback((argument, cause) -> "instead")
                  .property("execution.isolation.thread.interruptOnFutureCancel", "true")
                  .build(),
              "a");
      scenario.begun.await();
      if (door.callerWaits() && way != Way.SEMAPHORE) {
        caller.awaitWaiting();
      }
      caller.giveUp();
      Answer answer = caller.answer();

      assertGivenUp(way, "cancel");
      assertThat(steps.only("cancel").what())
          .isInstanceOfAny(CommandInterruptedException.class, CancellationException.class);
      assertThat(answer.error()).hasSameClassAs(steps.only("cancel").what());
      assertThat(caller.isFlagKept()).isEqualTo(caller.isInside());
    }
  }

  /** Row 246. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void cacheHit_isReportedAlone(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door);
        RequestContext request = scenario.tenrec.openRequest()) {
      Command<String, String> command =
          scenario.command(argument -> argument).cacheKey(argument -> argument).build();
      door.call(command, "a", cancel -> {});
      assertThat(steps.names()).isEqualTo(worked(way, "work success", "success"));
      steps.clear();

      assertThat(door.call(command, "a", cancel -> {}).value()).isEqualTo("a");
      assertThat(steps.names()).containsExactly("cache hit");
      assertThat(steps.only("cache hit").thread()).isSameAs(Thread.currentThread());
    }
  }

  /** Row 246: the run is reported once, and no call that shares it, however it ends. */
  @ParameterizedTest
  @MethodSource("away")
  void cacheHit_ofARunThatGoesOn_isReportedAlone(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door);
        RequestContext request = scenario.tenrec.openRequest()) {
      Command<String, String> command = scenario.held().cacheKey(argument -> argument).build();
      CompletableFuture<String> first = command.executeAsync("a");
      CompletableFuture<String> second = command.executeAsync("a");
      CompletableFuture<String> left = command.executeAsync("a");
      scenario.begun.await();
      assertThat(left.cancel(true)).isTrue();
      assertThat(first.cancel(true)).isTrue();
      scenario.release.complete("b");
      assertThat(second.join()).isEqualTo("b");

      assertThat(steps.names())
          .filteredOn(step -> !step.equals("cache hit"))
          .isEqualTo(worked(way, "work success", "success"));
      assertThat(steps.names()).filteredOn("cache hit"::equals).hasSize(2);
    }
  }

  /** Without a request: the caller's fault, found before the gates. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void cacheKey_withoutRequest_isAnError(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(
          scenario.command(argument -> argument).cacheKey(argument -> argument).build(), "a");

      assertThat(steps.names()).containsExactly("start", "error");
      assertThat(steps.only("error").what()).isInstanceOf(IllegalStateException.class);
    }
  }

  /** What a listener can ask of a call. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void call_atItsSteps_isOneAndDescribesItself(Way way, Door door) throws Exception {
    try (Scenario scenario = scenario(way, door)) {
      scenario.call(
          scenario
              .command(
                  argument -> {
                    scenario.time.advanceMillis(3);
                    throw DOWN;
                  })
              .group("Group")
              .fallback((argument, cause) -> "instead")
              .build(),
          "a");

      ListenedCall call = steps.only("success").call();
      assertThat(steps.notifications()).allMatch(one -> one.call() == call);
      assertThat(call.group()).isEqualTo("Group");
      assertThat(call.isolation())
          .isEqualTo(
              switch (way) {
                case POOL -> IsolationStrategy.THREAD;
                case VIRTUAL_THREAD -> IsolationStrategy.VIRTUAL_THREAD;
                case SEMAPHORE, STAGE -> IsolationStrategy.SEMAPHORE;
              });
      assertThat(call.events()).containsExactly(EventType.FAILURE, EventType.FALLBACK_SUCCESS);
      assertThat(call.elapsed()).isEqualTo(Duration.ofMillis(3));
      assertThat(call.executionLatency()).isEqualTo(Duration.ofMillis(3));
    }
  }
}
