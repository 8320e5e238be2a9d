// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.retry.Jitter;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How deadlines travel from call to call, by the manual clock: in each isolation, through each
 * door. That every call is counted for one cause is checked when each scenario ends.
 */
class DeadlineTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  /** Where the door makes no difference: one whose caller waits, and one whose caller does not. */
  static Stream<Arguments> twoDoors() {
    return Scenario.combined(Way.all(), List.of(Door.EXECUTE, Door.ATTEMPT_ASYNC));
  }

  private static Scope open(Scenario scenario, Duration left) {
    return Deadline.after(scenario.tenrec, left).open();
  }

  private static Duration left(Scenario scenario) {
    return Deadline.current(scenario.tenrec).map(Deadline::remaining).orElse(Duration.ZERO);
  }

  private static void assertBeyondDeadline(Answer answer, boolean begun) {
    assertThat(answer.error())
        .isInstanceOfSatisfying(
            CommandTimeoutException.class,
            late -> {
              assertThat(late.limit()).isEqualTo(Limit.DEADLINE);
              assertThat(late.workBegan()).isEqualTo(begun);
              assertThat(late).hasMessageContaining("deadline of the call it was made in");
            });
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void work_withoutAnOuterDeadline_hasThatOfItsCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Duration> seen = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    seen.set(left(scenario));
                    return argument;
                  })
              .withDeadline()
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");

      assertThat(seen).hasValue(Scenario.TIMEOUT);
      assertThat(Deadline.current(scenario.tenrec)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void work_withinAnEarlierDeadline_hasThatOne(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Duration> seen = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    seen.set(left(scenario));
                    return argument;
                  })
              .withDeadline()
              .build();

      try (Scope scope = open(scenario, SHORT)) {
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");
        assertThat(left(scenario)).isEqualTo(SHORT);
      }

      assertThat(seen).hasValue(SHORT);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void work_thatFailsAtItsOuterDeadline_hasEndedByThat(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(SHORT);
                    throw new IOException("too late");
                  })
              .withDeadline()
              .build();

      assertEndsByTheOuterDeadline(scenario, command);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void result_thatIsJudgedPastItsOuterDeadline_isTooLate(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .failIf(
                  result -> {
                    scenario.time.advance(SHORT);
                    return true;
                  })
              .withDeadline()
              .build();

      assertEndsByTheOuterDeadline(scenario, command);
    }
  }

  private static void assertEndsByTheOuterDeadline(
      Scenario scenario, Command<String, String> command) throws Exception {
    Answer answer;
    try (Scope scope = open(scenario, SHORT)) {
      answer = scenario.call(command, "x");
    }

    assertBeyondDeadline(answer, true);
    Scenario.awaitCounted(
        command,
        EventType.DEADLINE_EXCEEDED,
        EventType.FALLBACK_MISSING,
        EventType.EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void result_thatIsAFailure_isOneWithinADeadlineToo(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IllegalStateException ofTheFallback = new IllegalStateException("of the fallback");
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .failIf(result -> true)
              .fallback(
                  (argument, cause) -> {
                    throw ofTheFallback;
                  })
              .withDeadline()
              .build();

      Throwable error = scenario.call(command, "x").error();

      assertThat(error)
          .isInstanceOf(FailedResultException.class)
          .hasSuppressedException(ofTheFallback);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_FAILURE, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void call_atItsOuterDeadline_endsByItAndCountsForNoHealth(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.late().withDeadline().build();

      Answer answer;
      try (Scope scope = open(scenario, SHORT)) {
        answer = scenario.call(command, "x");
      }

      assertBeyondDeadline(answer, true);
      Scenario.assertCounted(
          command,
          EventType.DEADLINE_EXCEEDED,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
      assertThat(command.view().health()).isEqualTo(HealthSnapshot.EMPTY);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().has(EventType.DEADLINE_EXCEEDED)).isTrue();
        assertThat(answer.outcome().has(EventType.TIMEOUT)).isFalse();
      }
      assertThat(command.view().explain())
          .contains("deadline of the calls they were made in")
          .contains("does not count for the circuit; deadline.enabled = true (set in code).");
      assertThat(command.view().lastTrouble())
          .singleElement()
          .isInstanceOfSatisfying(
              JournalEntry.CallBeyondDeadline.class,
              entry -> {
                assertThat(entry.begun()).isTrue();
                assertThat(entry.key()).isEqualTo(command.key());
                assertThat(entry.text()).startsWith("call ended: the deadline of the call");
              });
      assertThat(scenario.tenrec.journal()).containsAll(command.view().lastTrouble());
    }
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void call_withALaterOuterDeadline_timesOutByItsOwn(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.late().withDeadline().build();

      Answer answer;
      try (Scope scope = open(scenario, Scenario.TIMEOUT.multipliedBy(2))) {
        answer = scenario.call(command, "x");
      }

      assertThat(answer.error()).hasMessageContaining("timed out");
      assertThat(command.view().cumulativeCount(EventType.TIMEOUT)).isOne();
      assertThat(command.view().cumulativeCount(EventType.DEADLINE_EXCEEDED)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void call_afterItsOuterDeadline_isNotBegunAndAsksNoGate(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger runs = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(argument -> argument + runs.incrementAndGet())
              .property("circuitBreaker.forceOpen", "true")
              .withDeadline()
              .build();

      Answer answer;
      try (Scope scope = open(scenario, SHORT)) {
        scenario.time.advance(SHORT);
        answer = scenario.call(command, "x");
      }

      assertBeyondDeadline(answer, false);
      assertThat(runs).hasValue(0);
      Scenario.assertCounted(
          command,
          EventType.DEADLINE_EXCEEDED,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
      assertThat(command.view().executionLatency().count()).isZero();
      assertThat(command.view().lastTrouble())
          .extracting(JournalEntry::text)
          .containsExactly("call not begun: the deadline of the call it was made in has passed");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_beyondADeadline_answersAsForATimeOut(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Throwable> cause = new AtomicReference<>();
      AtomicReference<Optional<Deadline>> within = new AtomicReference<>();
      Command<String, String> command =
          scenario
              .late()
              .withDeadline()
              .fallback(
                  (argument, why) -> {
                    cause.set(why);
                    within.set(Deadline.current(scenario.tenrec));
                    return "instead";
                  })
              .build();

      Answer answer;
      try (Scope scope = open(scenario, SHORT)) {
        answer = scenario.call(command, "x");
      }

      assertThat(answer.value()).isEqualTo("instead");
      assertThat(cause.get()).isInstanceOf(CommandTimeoutException.class);
      assertThat(within.get()).hasValueSatisfying(outer -> assertThat(outer.hasPassed()).isTrue());
      Scenario.assertCounted(command, EventType.DEADLINE_EXCEEDED, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void calls_nestedThreeDeep_endByTheEarliest(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Duration> innermost = new AtomicReference<>();
      AtomicReference<Duration> after = new AtomicReference<>();
      Command<String, String> third =
          scenario
              .tenrec
              .command(
                  "Third",
                  (String argument) -> {
                    innermost.set(left(scenario));
                    return argument + "3";
                  })
              .isolation(way.isolation())
              .timeout(Scenario.TIMEOUT)
              .withDeadline()
              .build();
      Command<String, String> second =
          scenario
              .tenrec
              .command(
                  "Second",
                  (String argument) -> {
                    scenario.time.advanceMillis(50);
                    String answer = third.execute(argument + "2");
                    after.set(left(scenario));
                    return answer;
                  })
              .isolation(way.isolation())
              .timeout(SHORT)
              .withDeadline()
              .build();
      Command<String, String> first =
          scenario.command(argument -> second.execute(argument + "1")).withDeadline().build();

      assertThat(scenario.call(first, "x").value()).isEqualTo("x123");

      Duration rest = SHORT.minusMillis(50);
      assertThat(innermost).as("the second's, not the third's own").hasValue(rest);
      assertThat(after).hasValue(rest);
    }
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void trial_beyondADeadline_handsItsPlaceBack(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<String> mode = new AtomicReference<>("fail");
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    switch (mode.get()) {
                      case "fail" -> throw new IOException("down");
                      case "late" -> scenario.time.advance(SHORT);
                      default -> {}
                    }
                    return argument;
                  })
              .withDeadline()
              .errorThreshold(1, 1)
              .sleepWindow(Duration.ofSeconds(5))
              .build();
      assertThat(scenario.call(command, "x").error()).isInstanceOf(IOException.class);
      scenario.time.advanceMillis(600);
      assertThat(scenario.call(command, "x").error()).isNotNull();
      // the timer's look may be under way, and then the call's own is left out
      Scenario.await().until(() -> command.view().circuitState() == CircuitState.OPEN);
      scenario.time.advance(Duration.ofSeconds(6));

      mode.set("late");
      try (Scope scope = open(scenario, SHORT)) {
        assertBeyondDeadline(scenario.call(command, "trial"), true);
      }
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
      mode.set("well");

      assertThat(scenario.call(command, "next").value()).isEqualTo("next");
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    }
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void deadline_ofACommandSwitchedOff_isNotHeeded(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(SHORT);
                    return argument;
                  })
              .build();

      try (Scope scope = open(scenario, SHORT)) {
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");
        scenario.tenrec.set("tenrec.command.default.deadline.enabled", "true");
        assertBeyondDeadline(scenario.call(command, "x"), false);
        scenario.tenrec.set("tenrec.command.Subject.deadline.enabled", "false");
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void deadline_throughACommandSwitchedOff_reachesWhatThatCalls(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicReference<Duration> seen = new AtomicReference<>();
      Command<String, String> inner =
          scenario
              .tenrec
              .command(
                  "Inner",
                  (String argument) -> {
                    seen.set(left(scenario));
                    return argument;
                  })
              .isolation(way.isolation())
              .withDeadline()
              .build();
      Command<String, String> off = scenario.command(inner::execute).build();

      try (Scope scope = open(scenario, SHORT)) {
        assertThat(scenario.call(off, "x").value()).isEqualTo("x");
      }

      assertThat(seen).hasValue(SHORT);
    }
  }

  @ParameterizedTest
  @MethodSource("twoDoors")
  void retry_withoutTimeLeft_isNotBegun(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    attempts.incrementAndGet();
                    throw new IOException("down");
                  })
              .withDeadline()
              .retry(Retry.attempts(3).backoff(SHORT, SHORT).jitter(Jitter.NONE))
              .build();

      Answer answer;
      try (Scope scope = open(scenario, SHORT)) {
        answer = scenario.call(command, "x");
      }

      assertThat(answer.error()).isInstanceOf(IOException.class);
      assertThat(attempts).as("the delay alone takes as long as is left").hasValue(1);
    }
  }
}
