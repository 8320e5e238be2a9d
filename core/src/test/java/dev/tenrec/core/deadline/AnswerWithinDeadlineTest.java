// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a call with a deadline answers and shows, whatever kept its work from the answer. */
class AnswerWithinDeadlineTest {

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration WORK = Duration.ofMillis(20);

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  /** Calls it within an outer deadline. */
  private static Door.Answer call(Scenario scenario, Command<String, String> command)
      throws Exception {
    try (Scope scope = Deadline.after(scenario.tenrec, SHORT).open()) {
      return scenario.call(command, "x");
    }
  }

  private static void assertFallsBack(
      Scenario scenario, CommandBuilder<String, String> builder, EventType cause) throws Exception {
    Command<String, String> command =
        builder.withDeadline().fallback((argument, why) -> argument + " instead").build();

    assertThat(call(scenario, command).value()).isEqualTo("x instead");
    Scenario.awaitCounted(command, cause, EventType.FALLBACK_SUCCESS);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_ofWorkThatFails_answers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      assertFallsBack(
          scenario,
          scenario.command(
              argument -> {
                throw new IOException("of the work");
              }),
          EventType.FAILURE);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_ofAResultThatIsAFailure_answers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      assertFallsBack(
          scenario,
          scenario.command(argument -> argument).failIf(result -> true),
          EventType.FAILURE);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_ofAFailureThatComesTooLate_answers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      assertFallsBack(
          scenario,
          scenario.command(
              argument -> {
                scenario.time.advance(SHORT);
                throw new IOException("too late");
              }),
          EventType.DEADLINE_EXCEEDED);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_ofACallWhoseCircuitIsOpen_answers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      assertFallsBack(
          scenario,
          scenario.command(argument -> argument).property("circuitBreaker.forceOpen", "true"),
          EventType.SHORT_CIRCUITED);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_ofACallWithoutRoom_answers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      assertFallsBack(scenario, scenario.rejected(), way.rejection());
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_ofACallThatIsMadeTooLate_answers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      try (Scope scope = Deadline.after(scenario.tenrec, SHORT).open()) {
        scenario.time.advance(SHORT);
        assertFallsBack(
            scenario, scenario.command(argument -> argument), EventType.DEADLINE_EXCEEDED);
      }
    }
  }

  private static void assertTook(LatencySnapshot latency, Duration expected) {
    assertThat(latency.count()).isOne();
    long millis = TimeUnit.NANOSECONDS.toMillis(latency.valueAtPercentile(50));
    assertThat(millis).isBetween(expected.toMillis() - 1, expected.toMillis() + 1);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void success_hasTakenAsLongAsItsWork(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(WORK);
                    return argument;
                  })
              .withDeadline()
              .build();

      assertThat(call(scenario, command).value()).isEqualTo("x");

      Scenario.awaitCounted(command, EventType.SUCCESS);
      assertTook(command.view().executionLatency(), WORK);
      assertTook(command.view().callerLatency(), WORK);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequest_hasTakenAsLongAsItsWork(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(WORK);
                    throw new BadRequestException("of the caller");
                  })
              .withDeadline()
              .build();

      assertThat(call(scenario, command).error()).isInstanceOf(BadRequestException.class);

      Scenario.awaitCounted(command, EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
      assertTook(command.view().executionLatency(), WORK);
      assertTook(command.view().callerLatency(), WORK);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void error_ofACallThatIsLate_saysHowLongItTook(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(SHORT.plus(WORK));
                    return argument;
                  })
              .withDeadline()
              .build();

      assertThat(call(scenario, command).error())
          .isInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("that had left it 300 ms, 320 ms had passed");
    }
  }
}
