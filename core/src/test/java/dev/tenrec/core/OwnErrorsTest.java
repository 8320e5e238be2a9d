// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.retry.Retry;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tenrec's own exceptions: what the fallback adds to each, and which have stack traces. */
class OwnErrorsTest {

  /** What keeps the answer from the caller, without the work's throwing it. */
  enum Own {
    CIRCUIT_OPEN(
        CircuitOpenException.class,
        scenario ->
            scenario.command(argument -> argument).property("circuitBreaker.forceOpen", "true")),
    LATE(CommandTimeoutException.class, Scenario::late),
    ATTEMPT_LATE(
        CommandTimeoutException.class,
        scenario ->
            scenario
                .late()
                .timeout(Scenario.TIMEOUT.multipliedBy(2))
                .retry(
                    Retry.attempts(2)
                        .attemptTimeout(Scenario.TIMEOUT)
                        .onlyIf(thrown -> false)
                        .howeverLittleTimeIsLeft())),
    REJECTED(CommandRejectedException.class, Scenario::rejected),
    FAILED_RESULT(
        FailedResultException.class,
        scenario -> scenario.command(argument -> argument).failIf(result -> true));

    private final Class<? extends Throwable> error;
    private final Function<Scenario, CommandBuilder<String, String>> command;

    Own(
        Class<? extends Throwable> error,
        Function<Scenario, CommandBuilder<String, String>> command) {
      this.error = error;
      this.command = command;
    }
  }

  static Stream<Arguments> everywhere() {
    return Stream.of(Own.values())
        .flatMap(
            own ->
                Scenario.combined(Way.all(), List.of(Door.values()))
                    .map(Arguments::get)
                    .map(at -> Arguments.of(own, at[0], at[1])));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void ownError_hasAStackTrace(Own own, Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = own.command.apply(scenario).stackTraces(true).build();

      Throwable error = scenario.call(command, "x").error();

      assertThat(error).isInstanceOf(own.error);
      assertThat(error.getStackTrace()).isNotEmpty();
    }
  }

  /** It is a copy then, which has the fallback's error, too. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void ownError_withTheErrorOfTheFallback_hasTheStackTraceOfTheFirst(Own own, Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IllegalStateException second = new IllegalStateException("of the fallback");
      Throwable[] first = new Throwable[1];
      Command<String, String> command =
          own.command
              .apply(scenario)
              .stackTraces(true)
              .fallback(
                  (argument, cause) -> {
                    first[0] = cause;
                    throw second;
                  })
              .build();

      Throwable error = scenario.call(command, "x").error();

      assertThat(error).isInstanceOf(own.error).hasSuppressedException(second);
      assertThat(error.getStackTrace()).isNotEmpty().isEqualTo(first[0].getStackTrace());
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void ownError_whoseFallbackFoundNoRoom_saysSo(Own own, Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          own.command
              .apply(scenario)
              .fallback((argument, cause) -> "unused")
              .fallbackLimit(0)
              .build();

      Throwable error = scenario.call(command, "x").error();

      assertThat(error).isInstanceOf(own.error);
      assertThat(error.getSuppressed())
          .singleElement()
          .isInstanceOfSatisfying(
              CommandRejectedException.class,
              full -> assertThat(full.reason()).isEqualTo(Reason.FALLBACK));
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void interruptedAtItsWork_hasAStackTrace(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, door)) {
      Command<String, String> command = scenario.held().stackTraces(true).build();
      Caller caller = scenario.start(command, "x");
      Uninterruptibly.await(scenario.begun);

      caller.thread.interrupt();

      Throwable error = caller.answer().error();
      assertThat(error).isInstanceOf(CommandInterruptedException.class);
      assertThat(error.getStackTrace()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Door.class,
      names = {"EXECUTE", "ATTEMPT"})
  void interruptedWhileItWaits_hasAStackTrace(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Command<String, String> command = scenario.held().stackTraces(true).build();
      Caller caller = scenario.start(command, "x").awaitWaiting();

      caller.thread.interrupt();

      Throwable error = caller.answer().error();
      assertThat(error).isInstanceOf(CommandInterruptedException.class);
      assertThat(error.getStackTrace()).isNotEmpty();
    }
  }
}
