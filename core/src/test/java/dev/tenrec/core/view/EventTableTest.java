// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_DISABLED;
import static dev.tenrec.metrics.event.EventType.FALLBACK_FAILURE;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.FALLBACK_REJECTION;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.RATE_LIMITED;
import static dev.tenrec.metrics.event.EventType.SHORT_CIRCUITED;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each kind of ending looks like from outside: the same through every door, whichever way the
 * work runs.
 */
class EventTableTest {

  private static final IOException CHECKED = new IOException("from the work");
  private static final IllegalStateException UNCHECKED = new IllegalStateException("from the work");
  private static final AssertionError ERROR = new AssertionError("from the work");
  private static final StackOverflowError JVM_ERROR = new StackOverflowError("from the work");
  private static final BadRequestException BAD =
      new BadRequestException("from the work", new IOException("inner"));
  private static final UnsupportedOperationException FALLBACK_ERROR =
      new UnsupportedOperationException("from the fallback");

  /** Why the work did not answer. */
  private enum Why {
    FAILED(FAILURE, scenario -> throwing(scenario, UNCHECKED)) {
      @Override
      void check(Throwable cause) {
        assertThat(cause).isSameAs(UNCHECKED);
      }
    },
    FAILED_CHECKED(FAILURE, scenario -> throwing(scenario, CHECKED)) {
      @Override
      void check(Throwable cause) {
        assertThat(cause).isSameAs(CHECKED);
      }
    },
    FAILED_WITH_ERROR(FAILURE, scenario -> throwing(scenario, ERROR)) {
      @Override
      void check(Throwable cause) {
        assertThat(cause).isSameAs(ERROR);
      }
    },
    TIMED_OUT(TIMEOUT, Scenario::late) {
      @Override
      void check(Throwable cause) {
        assertThat(cause)
            .isInstanceOf(CommandTimeoutException.class)
            .hasMessageContaining("Subject")
            .hasMessageContaining("1000 ms");
      }
    },
    CIRCUIT_OPEN(
        SHORT_CIRCUITED,
        scenario ->
            scenario.command(argument -> argument).property("circuitBreaker.forceOpen", "true")) {
      @Override
      void check(Throwable cause) {
        assertThat(cause).isInstanceOf(CircuitOpenException.class).hasMessageContaining("Subject");
      }
    },
    TOO_FAST(RATE_LIMITED, scenario -> tooFast(scenario)) {
      @Override
      void check(Throwable cause) {
        assertThat(cause)
            .isInstanceOf(CommandRejectedException.class)
            .hasMessageContaining("Subject");
      }
    },
    REJECTED(null, Scenario::rejected) {
      @Override
      void check(Throwable cause) {
        assertThat(cause)
            .isInstanceOf(CommandRejectedException.class)
            .hasMessageContaining("Subject");
      }
    };

    final @Nullable EventType event;
    final Function<Scenario, CommandBuilder<String, String>> builder;

    Why(@Nullable EventType event, Function<Scenario, CommandBuilder<String, String>> builder) {
      this.event = event;
      this.builder = builder;
    }

    abstract void check(Throwable cause);

    EventType event(Way way) {
      return event != null ? event : way.rejection();
    }
  }

  /** Another command has taken the one permit there is. */
  private static CommandBuilder<String, String> tooFast(Scenario scenario) {
    RateLimit daily = RateLimit.of(1, Duration.ofDays(1)).shared("Daily");
    Command<String, String> first =
        scenario
            .tenrec
            .command("First", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .rateLimit(daily)
            .build();
    assertThat(first.execute("x")).isEqualTo("x");
    return scenario.command(argument -> argument).rateLimit(daily);
  }

  private static CommandBuilder<String, String> throwing(Scenario scenario, Throwable thrown) {
    return scenario.command(
        argument -> {
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (Exception) thrown;
        });
  }

  static Stream<Arguments> whysEverywhere() {
    return Stream.of(Why.values())
        .flatMap(
            why ->
                Scenario.everywhere()
                    .map(place -> Arguments.of(why, place.get()[0], place.get()[1])));
  }

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void success_answersWithTheValue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(argument -> argument + "!").fallback((argument, cause) -> "no").build();

      Answer answer = scenario.call(command, "hello");

      assertThat(answer.value()).isEqualTo("hello!");
      assertCounted(command, answer, SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("whysEverywhere")
  void noAnswer_fallbackAnswers_itsValueIsTheAnswer(Why why, Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<Throwable> causes = new java.util.concurrent.CopyOnWriteArrayList<>();
      Command<String, String> command =
          why.builder
              .apply(scenario)
              .fallback(
                  (argument, cause) -> {
                    causes.add(cause);
                    return "instead of " + argument;
                  })
              .build();

      Answer answer = scenario.call(command, "hello");

      assertThat(answer.error()).isNull();
      assertThat(answer.value()).isEqualTo("instead of hello");
      assertThat(causes).hasSize(1);
      why.check(causes.get(0));
      assertCounted(command, answer, why.event(way), FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("whysEverywhere")
  void noAnswer_fallbackThrows_firstCauseIsTheAnswer(Why why, Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          why.builder
              .apply(scenario)
              .fallback(
                  (argument, cause) -> {
                    throw FALLBACK_ERROR;
                  })
              .build();

      Answer answer = scenario.call(command, "hello");

      assertFirstCause(why, answer, FALLBACK_ERROR);
      assertCounted(command, answer, why.event(way), FALLBACK_FAILURE, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("whysEverywhere")
  void noAnswer_noFallback_firstCauseIsTheAnswer(Why why, Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = why.builder.apply(scenario).build();

      Answer answer = scenario.call(command, "hello");

      assertFirstCause(why, answer, null);
      assertCounted(command, answer, why.event(way), FALLBACK_MISSING, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("whysEverywhere")
  void noAnswer_fallbackDisabled_firstCauseIsTheAnswer(Why why, Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          why.builder
              .apply(scenario)
              .fallback((argument, cause) -> "no")
              .property("fallback.enabled", "false")
              .build();

      Answer answer = scenario.call(command, "hello");

      assertFirstCause(why, answer, null);
      assertCounted(command, answer, why.event(way), FALLBACK_DISABLED, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("whysEverywhere")
  void noAnswer_fallbackHasNoPermit_firstCauseIsTheAnswer(Why why, Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          why.builder.apply(scenario).fallback((argument, cause) -> "no").fallbackLimit(0).build();

      Answer answer = scenario.call(command, "hello");

      why.check(Objects.requireNonNull(answer.error()));
      if (answer.outcome() != null) {
        assertThat(answer.outcome().fallbackError())
            .isInstanceOfSatisfying(
                CommandRejectedException.class,
                refused ->
                    assertThat(refused.reason())
                        .isEqualTo(CommandRejectedException.Reason.FALLBACK));
      }
      assertCounted(command, answer, why.event(way), FALLBACK_REJECTION, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void jvmError_skipsTheFallback(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          throwing(scenario, JVM_ERROR).fallback((argument, cause) -> "no").build();

      Answer answer = scenario.call(command, "hello");

      assertThat(answer.error()).isSameAs(JVM_ERROR);
      assertCounted(command, answer, FAILURE, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequest_reachesTheCallerAsItIs(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          throwing(scenario, BAD).fallback((argument, cause) -> "no").build();

      Answer answer = scenario.call(command, "hello");

      assertThat(answer.error()).isSameAs(BAD);
      assertThat(command.view().health().total()).isZero();
      assertCounted(command, answer, BAD_REQUEST, EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void givenUpDuringTheWork_isCancelled(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.held().fallback((argument, cause) -> "no").build();
      Caller caller = scenario.start(command, "hello");
      scenario.begun.await();

      Answer answer = caller.giveUp().answer();

      assertThat(answer.error())
          .isInstanceOf(
              caller.isInside() ? CommandInterruptedException.class : CancellationException.class);
      assertThat(caller.isFlagKept()).isEqualTo(caller.isInside());
      assertThat(command.view().health().total()).isZero();
      assertCounted(command, answer, CANCELLED);
    }
  }

  static Stream<Arguments> fallbackElsewhere() {
    return Scenario.combined(Way.away(), Door.notWaiting());
  }

  @ParameterizedTest
  @MethodSource("fallbackElsewhere")
  void givenUpDuringTheFallback_isCancelledAfterItsCause(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CountDownLatch falling = new CountDownLatch(1);
      Command<String, String> command =
          throwing(scenario, UNCHECKED)
              .fallback(
                  (argument, cause) -> {
                    falling.countDown();
                    return scenario.release.get();
                  })
              .build();
      Caller caller = scenario.start(command, "hello");
      falling.await();

      Answer answer = caller.giveUp().answer();

      assertThat(answer.error()).isInstanceOf(CancellationException.class);
      assertCounted(command, answer, FAILURE, CANCELLED);
    }
  }

  private static void assertFirstCause(Why why, Answer answer, @Nullable Throwable fallbackError) {
    assertThat(answer.value()).isNull();
    Throwable error = Objects.requireNonNull(answer.error());
    why.check(error);
    if (fallbackError != null && error instanceof CommandException) {
      assertThat(error.getSuppressed()).containsExactly(fallbackError);
    } else {
      assertThat(error.getSuppressed()).isEmpty();
    }
    if (answer.outcome() != null) {
      assertThat(answer.outcome().fallbackError()).isSameAs(fallbackError);
    }
  }

  /** Counted everywhere, listed in their order by the door that lists them. */
  private static void assertCounted(Command<?, ?> command, Answer answer, EventType... events) {
    Scenario.assertCounted(command, events);
    Outcome<String> outcome = answer.outcome();
    if (outcome == null) {
      return;
    }
    assertThat(outcome.events()).containsExactly(events);
    assertThat(outcome.isAnswered()).isEqualTo(answer.error() == null);
    assertThat(outcome.isSuccess()).isEqualTo(events[0] == SUCCESS);
    assertThat(outcome.isFromFallback()).isEqualTo(List.of(events).contains(FALLBACK_SUCCESS));
    if (events[0] == SUCCESS) {
      assertThat(outcome.cause()).isNull();
    } else {
      assertThat(outcome.cause()).isNotNull();
      assertThat(outcome.explain()).doesNotContain("Subject: answered");
    }
  }
}
