// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A fallback that is a value answers as one that runs would, and needs no permit for it. */
class FallbackValueTest {

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  private static CommandBuilder<String, String> failing(Scenario scenario, Exception thrown) {
    return scenario.command(
        argument -> {
          throw thrown;
        });
  }

  private static CommandBuilder<String, String> failingAfter(Scenario scenario, Duration time) {
    return scenario.command(
        argument -> {
          scenario.time.advance(time);
          throw new IOException();
        });
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_isAnsweredWithTheValue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, new IOException()).fallbackValue("value").build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.value()).isEqualTo("value");
      assertThat(answer.error()).isNull();
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void timeout_isAnsweredWithTheValue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.late().fallbackValue("value").build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("value");
      Scenario.assertCounted(command, EventType.TIMEOUT, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void rejection_isAnsweredWithTheValue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.rejected().fallbackValue("value").build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("value");
      Scenario.assertCounted(command, way.rejection(), EventType.FALLBACK_SUCCESS);
      scenario.release.complete("");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void openCircuit_isAnsweredWithTheValue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, new IOException()).fallbackValue("value").build();
      scenario.tenrec.set("tenrec.command.Subject.circuitBreaker.forceOpen", "true");

      assertThat(scenario.call(command, "x").value()).isEqualTo("value");
      Scenario.assertCounted(command, EventType.SHORT_CIRCUITED, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void noRoomForFallbacks_isNoneOfItsBusiness(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, new IOException()).fallbackLimit(0).fallbackValue("value").build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("value");
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallbacksSwitchedOff_leaveTheFirstCause(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IOException cause = new IOException();
      Command<String, String> command = failing(scenario, cause).fallbackValue("value").build();
      scenario.tenrec.set("tenrec.command.Subject.fallback.enabled", "false");

      assertThat(scenario.call(command, "x").error()).isSameAs(cause);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_DISABLED, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequest_isNotHidden(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      BadRequestException cause = new BadRequestException("who?");
      Command<String, String> command = failing(scenario, cause).fallbackValue("value").build();

      assertThat(scenario.call(command, "x").error()).isSameAs(cause);
      Scenario.assertCounted(command, EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
    }
  }

  @Test
  void errorOfTheJvm_isNotHidden() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw new LinkageError("gone");
                  })
              .fallbackValue("value")
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(LinkageError.class);
      Scenario.assertCounted(command, EventType.FAILURE, EventType.EXCEPTION_THROWN);
    }
  }

  @Test
  void failures_ofWhichEachWasAnswered_openTheCircuit() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          failingAfter(scenario, Duration.ofMillis(200))
              .errorThreshold(50, 4)
              .fallbackValue("value")
              .build();

      for (int i = 0; i < 5; i++) {
        assertThat(scenario.call(command, "x").value()).isEqualTo("value");
      }

      assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
      assertThat(command.view().health().errors()).isEqualTo(4);
      assertThat(command.view().cumulativeCount(EventType.FAILURE)).isEqualTo(4);
      assertThat(command.view().cumulativeCount(EventType.SHORT_CIRCUITED)).isOne();
      assertThat(command.view().cumulativeCount(EventType.FALLBACK_SUCCESS)).isEqualTo(5);
    }
  }

  @Test
  void failure_onItsCallersThread_hasBothLatencies() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          failingAfter(scenario, Duration.ofMillis(100)).fallbackValue("value").build();

      scenario.call(command, "x");

      assertThat(command.view().executionLatency().count()).isOne();
      assertThat(command.view().callerLatency().count()).isOne();
      assertThat(command.view().callerLatency().maxNanos())
          .isEqualTo(command.view().executionLatency().maxNanos())
          .isGreaterThanOrEqualTo(Duration.ofMillis(98).toNanos());
    }
  }

  @Test
  void trialThatFails_opensTheCircuitAgain() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      Command<String, String> command =
          failingAfter(scenario, Duration.ofMillis(200))
              .errorThreshold(50, 1)
              .fallbackValue("value")
              .build();
      scenario.call(command, "x");
      int before = command.transitions().size();
      scenario.time.advance(Duration.ofSeconds(6));

      scenario.call(command, "x");

      assertThat(command.transitions()).hasSize(before + 2);
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    }
  }

  @Test
  void null_isAnAnswer() throws Exception {
    try (Scenario scenario = new Scenario(Way.SEMAPHORE, Door.EXECUTE)) {
      @SuppressWarnings("NullAway") // the commands of a scenario are declared without
      Command<String, String> command =
          failing(scenario, new IOException()).fallbackValue(null).build();

      assertThat(scenario.call(command, "x").value()).isNull();
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }
}
