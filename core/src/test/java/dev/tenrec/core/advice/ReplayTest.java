// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tenrec.metrics.latency.LatencyTotals;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the formulas of queues whose answer is known; a share is that of 54,000 calls. */
class ReplayTest {

  private static final Duration MEAN = Duration.ofMillis(50);
  private static final LatencyTotals EXPONENTIAL = Latencies.exponential(1_000_000, MEAN);

  /** A. K. Erlang's loss formula of 1917: the share refused of so many Erlangs by n places. */
  static double erlangB(double erlangs, int places) {
    double share = 1;
    for (int n = 1; n <= places; n++) {
      share = erlangs * share / (n + erlangs * share);
    }
    return share;
  }

  @ParameterizedTest
  @CsvSource({"100, 5", "100, 10", "200, 10", "400, 30", "20, 1"})
  void permits_refuseWhatErlangsLossFormulaSays(double perSecond, int permits) {
    Risk risk = Replay.of(EXPONENTIAL, perSecond, Limits.ofPermits(null, permits));

    assertThat(risk.refused()).isCloseTo(erlangB(perSecond * 0.05, permits), within(0.008));
    assertThat(risk.timedOut()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"16, 4", "18, 9", "30, 3"})
  void oneThreadWithAQueue_refusesWhatTheFormulaOfAFiniteQueueSays(double perSecond, int queue) {
    double load = perSecond * 0.05;
    int places = queue + 1;
    double full = (1 - load) * Math.pow(load, places) / (1 - Math.pow(load, places + 1));

    Risk risk = Replay.of(EXPONENTIAL, perSecond, new Limits(null, 1, queue, 1));

    assertThat(risk.refused()).isCloseTo(full, within(0.012));
  }

  @Test
  void timeout_withoutAQueue_isTheShareOfLongerLatencies() {
    Risk risk = Replay.of(EXPONENTIAL, 10, Limits.ofPermits(Duration.ofMillis(150), 1_000));

    assertThat(risk.timedOut()).isCloseTo(Math.exp(-3), within(0.005));
    assertThat(risk.refused()).isZero();
  }

  @Test
  void timeout_inALongQueue_comesToTheCallsThatWait() {
    // twice what one thread can do: half of the calls cannot have an answer
    Risk risk = Replay.of(EXPONENTIAL, 40, new Limits(Duration.ofSeconds(1), 1, 100, 1));

    // calls leave the queue after a second at most, so that no more than some 40 ever wait
    assertThat(risk.refused()).isZero();
    // and of those that begin, some end too late
    assertThat(risk.timedOut()).isBetween(0.5, 0.9);
  }

  @Test
  void maximum_helpsOnceTheQueueIsFull() {
    Limits core = new Limits(null, 2, 2, 2);
    Limits more = new Limits(null, 2, 2, 20);

    assertThat(Replay.of(EXPONENTIAL, 100, core).refused()).isGreaterThan(0.3);
    assertThat(Replay.of(EXPONENTIAL, 100, more).refused()).isLessThan(0.001);
  }

  @Test
  void equalFigures_getEqualAnswers() {
    Limits limits = Limits.ofPermits(Duration.ofMillis(100), 5);

    assertThat(Replay.of(EXPONENTIAL, 100, limits)).isEqualTo(Replay.of(EXPONENTIAL, 100, limits));
  }
}
