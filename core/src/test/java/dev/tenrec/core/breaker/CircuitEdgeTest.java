// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitEdgeTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  /** Also where the call is on its caller's own thread, which keeps it in locals. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void slowTrial_opensTheCircuitAgain(boolean executed) {
    Command<Integer, Integer> slow =
        tenrec
            .command(
                "Slow",
                (Integer millis) -> {
                  time.advanceMillis(millis);
                  return millis;
                })
            .isolation(Isolation.semaphore(1))
            .slowCall(Duration.ofMillis(10))
            .errorThreshold(50, 2)
            .sleepWindow(Duration.ofMillis(100))
            .build();
    IntConsumer call = millis -> call(slow, millis, executed);
    for (int i = 0; i < 2; i++) { // for so long that each looks at the health, and not the timer
      call.accept(600);
    }
    assertThat(slow.transitions()).extracting(Transition::to).containsExactly(CircuitState.OPEN);

    time.advanceMillis(100);
    call.accept(100);
    assertThat(slow.transitions())
        .extracting(Transition::to)
        .containsExactly(CircuitState.OPEN, CircuitState.HALF_OPEN, CircuitState.OPEN);

    time.advanceMillis(100);
    call.accept(1);
    assertThat(slow.transitions()).last().extracting(Transition::to).isEqualTo(CircuitState.CLOSED);
  }

  private static void call(Command<Integer, Integer> command, int millis, boolean executed) {
    Integer answer = executed ? command.execute(millis) : command.attempt(millis).value();
    assertThat(answer).isEqualTo(millis);
  }

  @Test
  void disabledBreaker_neitherTripsNorHoldsWhatHappenedAgainstTheCommand() {
    Command<Integer, Integer> failing =
        tenrec
            .<Integer, Integer>command(
                "Failing",
                (Integer i) -> {
                  time.advanceMillis(20);
                  throw new IllegalStateException("down");
                })
            .isolation(Isolation.semaphore(1))
            .errorThreshold(50, 2)
            .withoutCircuitBreaker()
            .build();
    for (int i = 0; i < 50; i++) {
      failing.attempt(i);
    }
    assertThat(failing.transitions()).isEmpty();

    tenrec.set("tenrec.command.Failing.circuitBreaker.enabled", "true");
    assertThat(failing.view().health().total()).isZero();
    failing.attempt(1);
    assertThat(failing.transitions()).isEmpty();
    for (int i = 0; i < 50; i++) {
      failing.attempt(i);
    }
    await()
        .until(
            () -> {
              if (failing.transitions().isEmpty()) { // the timer's thread was looking
                time.advanceMillis(100);
              }
              return !failing.transitions().isEmpty();
            });
  }
}
