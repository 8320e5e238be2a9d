// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import org.junit.jupiter.api.Test;

/** What is measured is all of it: each of a benchmark's own calls is in every metric afterwards. */
class MeasuredCallsTest {

  private static final int CALLS = 1_000;

  @Test
  void tenrecPolluted_callsOfTheBenchmark_areInEveryMetric() {
    SemaphoreExecution benchmark = new SemaphoreExecution();
    SemaphoreExecution.OnTenrecPolluted state = new SemaphoreExecution.OnTenrecPolluted();
    state.start();
    try {
      for (int i = 0; i < CALLS; i++) {
        assertThat(benchmark.tenrecPolluted(state)).isEqualTo("question");
      }
      assertInEveryMetric(state.contender.command().view());
    } finally {
      state.end();
    }
  }

  @Test
  void pool_callsOfTheBenchmark_areInEveryMetric() {
    ThreadPoolExecution benchmark = new ThreadPoolExecution();
    ThreadPoolExecution.OnTenrec state = new ThreadPoolExecution.OnTenrec();
    state.queue = 10;
    state.start();
    try {
      for (int i = 0; i < CALLS; i++) {
        assertThat(benchmark.tenrec(state)).isEqualTo("question");
      }
      assertInEveryMetric(state.contender.command().view());
    } finally {
      state.end();
    }
  }

  private static void assertInEveryMetric(CommandView view) {
    assertThat(view.cumulativeCount(EventType.SUCCESS)).isEqualTo(CALLS);
    assertThat(view.health().total()).isEqualTo(CALLS);
    assertThat(view.executionLatency().count()).isEqualTo(CALLS);
    assertThat(view.callerLatency().count()).isEqualTo(CALLS);
    assertThat(view.executionLatency().valueAtPercentile(50)).isPositive();
    assertThat(view.rollingMaxConcurrency()).isEqualTo(1);
    assertThat(view.circuitState()).isEqualTo(CircuitState.CLOSED); // and not switched off
  }

  @Test
  void failing_callsOfTheBenchmark_areFailuresAndFallbacks() {
    FailingCall benchmark = new FailingCall();
    FailingCall.OnTenrec state = new FailingCall.OnTenrec();
    state.start();
    try {
      for (int i = 0; i < CALLS; i++) {
        assertThat(benchmark.tenrec(state)).isEqualTo("fallback");
      }
      CommandView view = state.contender.command().view();
      assertThat(view.cumulativeCount(EventType.FAILURE)).isEqualTo(CALLS);
      assertThat(view.cumulativeCount(EventType.FALLBACK_SUCCESS)).isEqualTo(CALLS);
    } finally {
      state.end();
    }
  }

  @Test
  void open_callsOfTheBenchmark_areShortCircuited() {
    OpenCircuit benchmark = new OpenCircuit();
    OpenCircuit.OnTenrec state = new OpenCircuit.OnTenrec();
    state.start();
    try {
      CommandView view = state.contender.command().view();
      long before = view.cumulativeCount(EventType.SHORT_CIRCUITED);
      for (int i = 0; i < CALLS; i++) {
        assertThat(benchmark.tenrec(state)).isEqualTo("fallback");
      }
      assertThat(view.cumulativeCount(EventType.SHORT_CIRCUITED)).isEqualTo(before + CALLS);
    } finally {
      state.end();
    }
  }
}
