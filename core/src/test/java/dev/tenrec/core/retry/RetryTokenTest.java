// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What was drawn on the budget for a retry that does not begin is there for another one. */
class RetryTokenTest {

  private static final int TOKENS = 10;

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  private static Command<String, String> failing(Scenario scenario) {
    return failing(scenario, new CopyOnWriteArrayList<>());
  }

  /** Notes which thread each attempt is made on: one after the other. */
  private static Command<String, String> failing(Scenario scenario, List<Thread> workers) {
    return scenario
        .command(
            argument -> {
              workers.add(Thread.currentThread());
              throw new IOException("down");
            })
        .withoutCircuitBreaker()
        .retry(
            Retry.attempts(2)
                .backoff(Duration.ofMillis(10), Duration.ofMillis(10))
                .jitter(Jitter.NONE)
                .budget(0, 1))
        .build();
  }

  private static Caller untilItWaits(Scenario scenario, Command<String, String> command) {
    Caller caller = scenario.start(command, "x");
    Scenario.await()
        .until(() -> Inside.waitingForRetry(command.view()) == 1 || caller.isAnswered());
    return caller;
  }

  private static void assertNotExhausted(Command<String, String> command) {
    assertThat(command.view().cumulativeCount(EventType.RETRY_BUDGET_EXHAUSTED)).isZero();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void callGivenUp_whileItWaits_leavesItsTokenToAnother(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<Thread> workers = new CopyOnWriteArrayList<>();
      Command<String, String> command = failing(scenario, workers);

      for (int i = 0; i < TOKENS + 1; i++) {
        Caller caller = untilItWaits(scenario, command);
        if (way.isAway()) { // it is among those that wait just before another attempt may follow
          scenario.awaitLeft(workers.get(i));
        }
        caller.giveUp();
        assertThat(caller.answer().error()).isNotNull();
        assertNotExhausted(command);
      }
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void deadline_ofACallThatWaits_leavesItsTokenToAnother(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = failing(scenario);

      // so that all is within the ten seconds that the budget looks back on
      scenario.tenrec.set(
          "tenrec.command.Subject.execution.isolation.thread.timeoutInMilliseconds", "50");
      for (int i = 0; i < TOKENS + 1; i++) {
        Caller caller = untilItWaits(scenario, command);
        scenario.time.advanceMillis(50); // its next attempt is due, and so is its end
        assertThat(caller.answer().error()).hasMessage("down");
        assertNotExhausted(command);
      }
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void retry_thatBegins_spendsItsToken(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = failing(scenario);

      for (int i = 0; i < TOKENS; i++) {
        Caller caller = untilItWaits(scenario, command);
        scenario.time.advanceMillis(10);
        assertThat(caller.answer().error()).hasMessage("down");
        assertNotExhausted(command);
      }
      assertThat(scenario.call(command, "x").error()).hasMessage("down");
      assertThat(command.view().cumulativeCount(EventType.RETRY_BUDGET_EXHAUSTED)).isOne();
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isEqualTo(TOKENS);
    }
  }
}
