// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.closing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The circuit of a command that was removed, or whose Tenrec was closed: nobody asks for it. */
class ClosedCircuitTest {

  private final ManualTime time = new ManualTime();
  private Runnable duringTheCall = () -> {};
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Command<String, String> command =
      tenrec
          .<String, String>command(
              "Subject",
              argument -> {
                time.advance(Duration.ofSeconds(1)); // a look at the health is due
                duringTheCall.run();
                throw new IllegalStateException("told to fail");
              })
          .isolation(Isolation.semaphore(5))
          .withoutTimeout()
          .errorThreshold(50, 2)
          .build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private void end(boolean removed) {
    if (removed) {
      assertThat(tenrec.remove("Subject")).isTrue();
    } else {
      Elsewhere.close(tenrec, time);
    }
  }

  private void assertRefusesAsClosed() {
    assertThat(command.attempt("x").error())
        .isInstanceOfSatisfying(
            CommandRejectedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.CLOSED));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusals_ofAClosedCommand_openNoCircuit(boolean removed) {
    end(removed);

    for (int i = 0; i < 10; i++) {
      assertRefusesAsClosed();
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(command.transitions()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void openCircuit_ofAClosedCommand_hidesNotThatItIsClosed(boolean removed) {
    for (int i = 0; i < 2; i++) {
      assertThat(command.attempt("x").error()).hasMessage("told to fail");
    }
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    end(removed);

    assertRefusesAsClosed();
    time.advance(Duration.ofMinutes(1)); // the sleep window is over
    assertRefusesAsClosed();

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
    assertThat(command.view().nextTrialAt()).isNull();
  }

  @Test
  void circuitThatIsForcedOpen_ofAClosedCommand_hidesNotThatItIsClosed() {
    tenrec.set("tenrec.command.Subject.circuitBreaker.forceOpen", "true");
    end(true);

    assertRefusesAsClosed();
  }

  /** They ended while closing waited for them, or after it. */
  @Test
  void failures_ofCallsThatWereAtTheirWork_openNoCircuit() {
    duringTheCall =
        () -> {
          duringTheCall = () -> end(true);
          assertThat(command.attempt("nested").error()).hasMessage("told to fail");
          time.advance(Duration.ofSeconds(1));
        };

    assertThat(command.attempt("x").error()).hasMessage("told to fail");

    assertThat(command.view().health().errors()).isEqualTo(2);
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }
}
