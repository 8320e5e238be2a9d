// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The circuit breaker as callers meet it. */
class CircuitTest {

  private static final long LOOK_MILLIS = 500;
  private static final long SLEEP_MILLIS = 5_000;

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  /** Fails when called with "fail", else echoes; a slow one can be held. */
  private static CommandBuilder<String, String> echo(Scenario scenario) {
    return scenario
        .command(
            argument -> {
              if ("fail".equals(argument)) {
                throw new IOException("down");
              }
              if ("late".equals(argument)) {
                scenario.time.advance(Scenario.TIMEOUT);
              }
              if ("hold".equals(argument)) {
                scenario.begun.countDown();
                return scenario.release.get();
              }
              return argument;
            })
        .errorThreshold(50, 4);
  }

  private static CircuitState state(Command<?, ?> command) {
    return command.view().circuitState();
  }

  /**
   * Opens a circuit of {@link #echo}'s just now. Each call looks at the health as it ends, so none
   * is left to the timer, which might open it a moment earlier, or later.
   */
  private static void open(Scenario scenario, Command<String, String> command) throws Exception {
    for (int i = 0; i < 4; i++) {
      scenario.time.advanceMillis(LOOK_MILLIS);
      assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
    }
    assertThat(state(command)).isEqualTo(CircuitState.OPEN);
  }

  private static void awaitOpen(Scenario scenario, Command<?, ?> command) {
    await()
        .until(
            () -> {
              if (state(command) != CircuitState.OPEN) { // the timer was looking just then
                scenario.time.advanceMillis(LOOK_MILLIS);
              }
              return state(command) == CircuitState.OPEN;
            });
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void life_closedOpenHalfOpenClosed(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).build();
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);
      open(scenario, command);

      scenario.time.advance(Duration.ofMillis(SLEEP_MILLIS).minusNanos(1));
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
      scenario.time.advance(Duration.ofNanos(1));
      assertThat(scenario.call(command, "x").value()).isEqualTo("x");

      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);
      assertThat(command.view().health().total())
          .as("the health begins anew, after the trial")
          .isZero();
      assertThat(command.view().rollingCount(EventType.FAILURE))
          .as("counts are of the command")
          .isEqualTo(4);
      assertThat(command.transitions())
          .extracting(Transition::to)
          .extracting(Enum::name)
          .containsExactly("OPEN", "HALF_OPEN", "CLOSED");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedTrial_opensAgain_fromItsFailureOn(Way way, Door door) throws Exception {
    for (String trial : List.of("fail", "late")) {
      try (Scenario scenario = new Scenario(way, door)) {
        Command<String, String> command = echo(scenario).build();
        open(scenario, command);
        scenario.time.advanceMillis(SLEEP_MILLIS);

        assertThat(scenario.call(command, trial).error())
            .isInstanceOfAny(IOException.class, CommandTimeoutException.class);
        assertThat(state(command)).isEqualTo(CircuitState.OPEN);
        scenario.time.advance(Duration.ofMillis(SLEEP_MILLIS).minusNanos(1));
        assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
        scenario.time.advance(Duration.ofNanos(1));
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void whileTheTrialIsOut_othersAreRefused_andItsSuccessCloses(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = holding(scenario);
      Caller trial = openAndTry(scenario, command);

      for (int i = 0; i < 3; i++) {
        assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
      }
      assertThat(state(command)).isEqualTo(CircuitState.HALF_OPEN);

      scenario.release.complete("well again");
      assertThat(trial.answer().value()).isEqualTo("well again");
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void trialGivenUp_leavesItsPlaceToTheNext(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = holding(scenario);
      Caller trial = openAndTry(scenario, command);

      assertThat(trial.giveUp().answer().error()).isNotNull();
      assertThat(state(command)).isEqualTo(CircuitState.HALF_OPEN);

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);
    }
  }

  /** As {@link #echo}, and its "hold" can be given up whichever way it runs. */
  private static Command<String, String> holding(Scenario scenario) {
    if (scenario.way != Way.STAGE) {
      return echo(scenario).build();
    }
    return scenario
        .tenrec
        .asyncCommand(
            "Subject",
            (String argument) -> {
              if ("hold".equals(argument)) {
                scenario.begun.countDown();
                return scenario.release.thenApply(value -> value);
              }
              return "fail".equals(argument)
                  ? CompletableFuture.<String>failedFuture(new IOException("down"))
                  : CompletableFuture.completedFuture(argument);
            })
        .errorThreshold(50, 4)
        .timeout(Scenario.TIMEOUT)
        .build();
  }

  private static Caller openAndTry(Scenario scenario, Command<String, String> command)
      throws Exception {
    open(scenario, command);
    scenario.time.advanceMillis(SLEEP_MILLIS);
    Caller trial = scenario.start(command, "hold");
    scenario.begun.await();
    return trial;
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void trialRefusedByTheBulkhead_leavesItsPlaceToTheNext(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command = echo(scenario).build();
      open(scenario, command);
      scenario.time.advanceMillis(SLEEP_MILLIS);
      String property =
          "tenrec.command.Subject.execution.isolation.semaphore.maxConcurrentRequests";

      scenario.tenrec.set(property, "0");
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandRejectedException.class);
      scenario.tenrec.clear(property);

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void callsFromBeforeTheTrip_changeNothing(Door door) throws Exception {
    for (String ending : List.of("fine", "throw")) {
      try (Scenario scenario = new Scenario(Way.POOL, door)) {
        CompletableFuture<String> old = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Command<String, String> command =
            scenario
                .command(
                    argument -> {
                      if ("old".equals(argument)) {
                        begun.countDown();
                        return old.get();
                      }
                      throw new IOException("down");
                    })
                .errorThreshold(50, 4)
                .withoutTimeout()
                .build();
        Caller caller = scenario.start(command, "old");
        begun.await();
        open(scenario, command);
        long seen = command.view().health().total();

        if (ending.equals("fine")) {
          old.complete("fine");
        } else {
          old.completeExceptionally(new IOException("old"));
        }
        assertThat(caller.answer()).isNotNull();

        assertThat(state(command)).isEqualTo(CircuitState.OPEN);
        assertThat(command.view().health().total()).isEqualTo(seen);
        assertThat(command.transitions()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void thresholds_areInclusive_andPercentagesTruncated(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).errorThreshold(67, 3).build();
      for (String argument : List.of("fine", "fail")) {
        var unused = scenario.call(command, argument);
      }
      scenario.time.advanceMillis(LOOK_MILLIS);
      assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
      assertThat(command.view().health().errorPercentage()).isEqualTo(66);
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);

      scenario.tenrec.set("tenrec.command.Subject.circuitBreaker.errorThresholdPercentage", "75");
      scenario.time.advanceMillis(LOOK_MILLIS);
      assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
      awaitOpen(scenario, command); // 3 of 4 are 75 %
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void belowTheVolume_staysClosed(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).build();
      for (int i = 0; i < 3; i++) {
        scenario.time.advanceMillis(LOOK_MILLIS);
        assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
      }
      assertThat(state(command)).isEqualTo(CircuitState.CLOSED);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void timeouts_countAsErrors(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).build();
      for (int i = 0; i < 4; i++) {
        assertThat(scenario.call(command, "late").error())
            .isInstanceOf(CommandTimeoutException.class);
      }
      awaitOpen(scenario, command);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void rejections_countAsErrors_shortCircuitsDoNot(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.rejected().errorThreshold(50, 4).build();
      for (int i = 0; i < 4; i++) {
        scenario.time.advanceMillis(LOOK_MILLIS);
        assertThat(scenario.call(command, "x").error())
            .isInstanceOf(CommandRejectedException.class);
      }
      assertThat(state(command)).isEqualTo(CircuitState.OPEN);

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
      assertThat(command.view().health().total()).isEqualTo(4);
      assertThat(command.view().health().errors()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void openCircuit_staysOpenWhenItsNumbersHaveLeftTheWindow(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command = echo(scenario).sleepWindow(Duration.ofMinutes(1)).build();
      open(scenario, command);
      scenario.time.advance(Duration.ofSeconds(30));

      assertThat(command.view().health().total()).isZero();
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void forcedOpen_refusesAll_andWinsOverForcedClosed(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).build();
      scenario.tenrec.set("tenrec.command.Subject.circuitBreaker.forceOpen", "true");
      scenario.tenrec.set("tenrec.command.Subject.circuitBreaker.forceClosed", "true");

      assertThat(scenario.call(command, "x").error())
          .isInstanceOf(CircuitOpenException.class)
          .hasMessageContaining("forceOpen");
      assertThat(state(command)).isEqualTo(CircuitState.FORCED_OPEN);

      scenario.tenrec.clear("tenrec.command.Subject.circuitBreaker.forceOpen");
      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void forcedClosed_letsAllThrough_andTheCircuitGoesOnUnderneath(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).build();
      String property = "tenrec.command.Subject.circuitBreaker.forceClosed";
      scenario.tenrec.set(property, "true");
      for (int i = 0; i < 6; i++) {
        scenario.time.advanceMillis(LOOK_MILLIS);
        assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
      }
      assertThat(state(command)).isEqualTo(CircuitState.FORCED_CLOSED);

      scenario.tenrec.clear(property);
      assertThat(state(command)).isEqualTo(CircuitState.OPEN);
      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void withoutBreaker_allGoThrough_andAreCounted(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = echo(scenario).withoutCircuitBreaker().build();
      for (int i = 0; i < 6; i++) {
        scenario.time.advanceMillis(LOOK_MILLIS);
        assertThat(scenario.call(command, "fail").error()).isInstanceOf(IOException.class);
      }
      assertThat(state(command)).isEqualTo(CircuitState.DISABLED);
      assertThat(command.view().health().errors()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void oneKey_isOneCircuit_anotherKeyAnother(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> one = echo(scenario).build();
      Command<String, String> same = echo(scenario).build();
      Command<String, String> other =
          scenario.tenrec.command("Other", (String argument) -> argument).build();
      open(scenario, one);

      assertThat(scenario.call(same, "x").error()).isInstanceOf(CircuitOpenException.class);
      assertThat(scenario.call(other, "x").value()).isEqualTo("x");
    }
  }

  @Test
  void refusal_hasCountsThresholdsAndTimes_andIsShared() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command = echo(scenario).build();
      open(scenario, command);

      @Nullable Throwable one = scenario.call(command, "x").error();

      assertThat(one)
          .isInstanceOfSatisfying(
              CircuitOpenException.class,
              open -> {
                assertThat(open.openSince()).isNotNull();
                assertThat(open.retryAfter()).isEqualTo(open.openSince().plusMillis(SLEEP_MILLIS));
                assertThat(open.getStackTrace()).isEmpty();
              })
          .hasMessageContaining("Subject")
          .hasMessageContaining("50")
          .isSameAs(scenario.call(command, "y").error());
    }
  }

  @Test
  void shortCircuited_isNoExecution_andHasNoLatency() throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.ATTEMPT)) {
      AtomicReference<String> ran = new AtomicReference<>("never");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    ran.set(argument);
                    return argument;
                  })
              .property("circuitBreaker.forceOpen", "true")
              .build();

      var outcome = scenario.call(command, "x").outcome();

      assertThat(outcome).isNotNull();
      assertThat(outcome.executionLatency()).isNull();
      assertThat(ran).hasValue("never");
      assertThat(command.view().executionLatency().count()).isZero();
      assertThat(command.view().callerLatency().count()).isZero();
    }
  }
}
