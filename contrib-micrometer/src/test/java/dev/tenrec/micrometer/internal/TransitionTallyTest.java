// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transitions are counted exactly in number, whatever their readings miss. */
class TransitionTallyTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Command<Integer, Integer> command =
      tenrec
          .command(
              "Flapping",
              (Integer i) -> {
                if (i >= 0) {
                  throw new IllegalStateException("down");
                }
                return i;
              })
          .isolation(Isolation.semaphore(1))
          .errorThreshold(50, 1)
          .sleepWindow(Duration.ofSeconds(1))
          .build();
  private final TransitionTally tally = new TransitionTally(command.view()::transitions);

  @AfterEach
  void close() {
    tenrec.close();
  }

  private boolean isOpen() {
    return command.view().circuitState() == CircuitState.OPEN;
  }

  /** While the timer's thread looks, no call does; and it may be held up. */
  private void awaitOpen() {
    await()
        .until(
            () -> {
              if (!isOpen()) {
                time.advanceMillis(100);
              }
              return isOpen();
            });
  }

  /** Two transitions a round. */
  private void flap(int rounds) {
    for (int i = 0; i < rounds; i++) {
      for (int call = 0; call < 20 && !isOpen(); call++) {
        command.attempt(0);
        time.advanceMillis(100);
      }
      awaitOpen();
      assertThat(command.closeCircuit("test")).isTrue();
    }
  }

  @Test
  void counts_readOftenEnough_areByReason() {
    for (int i = 0; i < 10; i++) {
      flap(2);
      assertThat(tally.read().of(TransitionReason.THRESHOLD_REACHED)).isEqualTo(2 * (i + 1));
    }
    assertThat(tally.read().of(TransitionReason.CLOSED_BY_HAND)).isEqualTo(20);
    assertThat(tally.read().missed()).isZero();
  }

  @Test
  void counts_readTooLate_keepTheNumberOfThoseWhoseReasonIsGone() {
    flap(1);
    assertThat(tally.read().of(TransitionReason.CLOSED_BY_HAND)).isEqualTo(1);
    flap(20);
    assertThat(tally.read().missed()).isEqualTo(40 - 16);
    assertThat(tally.read().of(TransitionReason.THRESHOLD_REACHED)).isEqualTo(1 + 8);
    assertThat(tally.read().of(TransitionReason.CLOSED_BY_HAND)).isEqualTo(1 + 8);
  }
}
