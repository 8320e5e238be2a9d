// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What counts against the dependency, and what is the caller's own fault. */
class BadRequestTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  private static CommandBuilder<String, String> throwing(Scenario scenario, Exception thrown) {
    return scenario.command(
        argument -> {
          throw thrown;
        });
  }

  private static void assertBadRequest(Command<?, ?> command, Answer answer, Throwable thrown) {
    assertThat(answer.error()).isSameAs(thrown);
    assertThat(command.view().health().total()).isZero();
    Scenario.assertCounted(command, EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequestWithACause_staysItself(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      BadRequestException mine = new BadRequestException("mine", new IOException("inner"));
      Command<String, String> command =
          throwing(scenario, mine).fallback((argument, cause) -> "no").build();

      assertBadRequest(command, scenario.call(command, "x"), mine);
    }
  }

  /** No fallback is asked, for which a pool's thread would keep it. */
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"POOL", "STAGE"})
  void badRequest_givesItsPermitBackBeforeItsAnswer(Way way) throws Exception {
    try (Scenario scenario = new Scenario(way, Door.EXECUTE_ASYNC)) {
      CompletableFuture<String> hold = new CompletableFuture<>();
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand("Stage", (String argument) -> hold)
              .isolation(way.isolation(1))
              .withoutTimeout()
              .build();
      if (way == Way.POOL) {
        command =
            scenario
                .tenrec
                .command("Pooled", (String argument) -> thrownOf(hold))
                .isolation(way.isolation(1))
                .withoutTimeout()
                .build();
      }
      CommandView view = command.view();
      CompletableFuture<Integer> inFlight =
          command.executeAsync("x").handle((value, error) -> view.concurrency());
      assertThat(hold.completeExceptionally(new BadRequestException("mine"))).isTrue();
      assertThat(inFlight.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isZero();
    }
  }

  private static String thrownOf(CompletableFuture<String> hold) throws Exception {
    try {
      return hold.get();
    } catch (ExecutionException e) {
      throw (BadRequestException) e.getCause();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void ignoredType_andItsSubtypes_areBadRequests(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      FileNotFoundException mine = new FileNotFoundException("mine");
      Command<String, String> command =
          throwing(scenario, mine)
              .ignore(IllegalStateException.class, IOException.class)
              .fallback((argument, cause) -> "no")
              .build();

      assertBadRequest(command, scenario.call(command, "x"), mine);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void ignoreIf_addsToWhatIsIgnored(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      UncheckedIOException mine = new UncheckedIOException(new IOException("404"));
      Command<String, String> command =
          throwing(scenario, mine)
              .ignore(IllegalStateException.class)
              .ignoreIf(thrown -> thrown.getMessage().contains("404"))
              .build();

      assertBadRequest(command, scenario.call(command, "x"), mine);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void otherException_isAFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          throwing(scenario, new IOException("mine"))
              .ignore(FileNotFoundException.class)
              .ignoreIf(thrown -> false)
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);
      assertThat(command.view().health().errors()).isOne();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void ignoreIfThatThrows_failsWithWhatItThrew(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IllegalStateException predicates = new IllegalStateException("from the predicate");
      Command<String, String> command =
          throwing(scenario, new IOException("mine"))
              .ignoreIf(
                  thrown -> {
                    throw predicates;
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(predicates);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResult_isAFailure_andTheFallbackGetsIt(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .failIf(result -> result == null || result.isEmpty())
              .fallback(
                  (argument, cause) -> "instead of " + ((FailedResultException) cause).result())
              .build();

      assertThat(scenario.call(command, "fine").value()).isEqualTo("fine");
      assertThat(scenario.call(command, "").value()).isEqualTo("instead of ");
      assertThat(scenario.call(command, null).value()).isEqualTo("instead of null");
      assertThat(command.view().health().errors()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedResult_withoutFallback_reachesTheCallerWithTheResult(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(argument -> argument).failIf("bad"::equals).build();

      assertThat(scenario.call(command, "bad").error())
          .isInstanceOfSatisfying(
              FailedResultException.class, failed -> assertThat(failed.result()).isEqualTo("bad"))
          .hasMessageContaining("Subject")
          .hasMessageContaining("java.lang.String of size 3");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failIfThatThrows_failsWithWhatItThrew(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IllegalStateException predicates = new IllegalStateException("from the predicate");
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .failIf(
                  result -> {
                    throw predicates;
                  })
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(predicates);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @EnumSource(Door.class)
  void stage_thrownOrFailed_isTheSameBadRequest(Door door) throws Exception {
    for (boolean thrown : new boolean[] {true, false}) {
      try (Scenario scenario = new Scenario(Way.STAGE, door)) {
        BadRequestException mine = new BadRequestException("mine");
        Command<String, String> command =
            scenario
                .tenrec
                .asyncCommand(
                    "Subject",
                    (String argument) -> {
                      if (thrown) {
                        throw mine;
                      }
                      return CompletableFuture.<String>failedFuture(mine).thenApply(value -> value);
                    })
                .build();

        assertBadRequest(command, scenario.call(command, "x"), mine);
      }
    }
  }

  @Test
  void badRequestInATrial_givesItsPlaceToTheNext() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      AtomicReference<Exception> next = new AtomicReference<>(new IOException("down"));
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (next.get() != null) {
                      throw next.get();
                    }
                    return argument;
                  })
              .errorThreshold(50, 1)
              .build();
      scenario.time.advanceMillis(500);
      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
      scenario.time.advanceMillis(5_000);

      next.set(new BadRequestException("mine"));
      assertThat(scenario.call(command, "x").error()).isInstanceOf(BadRequestException.class);
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);

      next.set(null);
      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    }
  }
}
