// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.benchmarks.state.VirtualThreadFactory;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CollapserView;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * What is measured is all of it: each of a benchmark's own calls, in every configuration of Tenrec
 * that is measured, is in every metric afterwards.
 */
class MeasuredCallsTest {

  private static final int CALLS = 1_000;
  private static final String ANSWER = "question";
  private static final String FALLBACK = "fallback";

  @Test
  void semaphore_callsOfTheBenchmark_areInEveryMetric() throws Exception {
    SemaphoreExecution benchmark = new SemaphoreExecution();
    SemaphoreExecution.OnTenrec clean = new SemaphoreExecution.OnTenrec();
    SemaphoreExecution.OnTenrecPolluted polluted = new SemaphoreExecution.OnTenrecPolluted();
    clean.start();
    polluted.start();

    callAll(ANSWER, () -> benchmark.tenrec(clean));
    callAll(ANSWER, () -> benchmark.tenrecPolluted(polluted));

    assertSuccesses(clean.contender.command().view());
    assertSuccesses(polluted.contender.command().view());
    clean.end();
    polluted.end();
  }

  @Test
  void pool_callsOfTheBenchmark_areInEveryMetric() throws Exception {
    ThreadPoolExecution benchmark = new ThreadPoolExecution();
    ThreadPoolExecution.OnTenrec waited = new ThreadPoolExecution.OnTenrec();
    ThreadPoolExecution.OnTenrec async = new ThreadPoolExecution.OnTenrec();
    waited.queue = 10;
    async.queue = 10;
    waited.start();
    async.start();

    callAll(ANSWER, () -> benchmark.tenrec(waited));
    callAll(ANSWER, () -> benchmark.tenrecAsync(async));

    assertSuccesses(waited.contender.command().view());
    assertSuccesses(async.contender.command().view());
    waited.end();
    async.end();
  }

  @Test
  void virtualThreads_callsOfTheBenchmark_areInEveryMetric() throws Exception {
    assumeThat(VirtualThreadFactory.isThere()).isTrue();
    VirtualThreadExecution benchmark = new VirtualThreadExecution();
    VirtualThreadExecution.OnTenrec state = new VirtualThreadExecution.OnTenrec();
    state.start();

    callAll(ANSWER, () -> benchmark.tenrec(state));

    assertSuccesses(state.contender.command().view());
    state.end();
  }

  @Test
  void annotated_callsOfTheBenchmark_areInEveryMetric() throws Exception {
    AnnotatedCall benchmark = new AnnotatedCall();
    AnnotatedCall.OnTenrec bean = new AnnotatedCall.OnTenrec();
    AnnotatedCall.Direct direct = new AnnotatedCall.Direct();
    bean.start();
    direct.start();

    callAll(ANSWER, () -> benchmark.tenrec(bean));
    callAll(ANSWER, () -> benchmark.direct(direct));

    assertSuccesses(bean.contender.view());
    assertSuccesses(direct.contender.command().view());
    bean.end();
    direct.end();
  }

  @Test
  void whileRead_callsOfTheBenchmark_areInEveryMetric() throws Exception {
    MetricsReadWhileWriting benchmark = new MetricsReadWhileWriting();
    MetricsReadWhileWriting.OnTenrec state = new MetricsReadWhileWriting.OnTenrec();
    state.start();

    callAll(ANSWER, () -> benchmark.tenrecWrite(state));

    assertSuccesses(state.contender.command().view());
    state.end();
  }

  @Test
  void manyCommands_callsOfTheBenchmark_areInTheMetricsOfEach() throws Exception {
    ManyCommands benchmark = new ManyCommands();
    ManyCommands.OnTenrec state = new ManyCommands.OnTenrec();
    ManyCommands.Turn turn = new ManyCommands.Turn();
    state.keys = 3;
    state.start();

    for (int command = 0; command < state.keys; command++) {
      callAll(ANSWER, () -> benchmark.tenrec(state, turn));
    }

    assertThat(state.commands).hasSize(3);
    state.commands.forEach(command -> assertSuccesses(command.view()));
    state.end();
  }

  @Test
  void failing_callsOfTheBenchmark_areFailuresAndFallbacks() throws Exception {
    FailingCall benchmark = new FailingCall();
    FailingCall.OnTenrec served = new FailingCall.OnTenrec();
    FailingCall.OnTenrecWithValue value = new FailingCall.OnTenrecWithValue();
    served.start();
    value.start();

    callAll(FALLBACK, () -> benchmark.tenrec(served));
    callAll(FALLBACK, () -> benchmark.tenrecFallbackValue(value));

    assertFailures(served.contender.command().view());
    assertFailures(value.contender.command().view());
    served.end();
    value.end();
  }

  @Test
  void open_callsOfTheBenchmark_areShortCircuited() throws Exception {
    OpenCircuit benchmark = new OpenCircuit();
    OpenCircuit.OnTenrec served = new OpenCircuit.OnTenrec();
    OpenCircuit.OnTenrecWithValue value = new OpenCircuit.OnTenrecWithValue();
    OpenCircuit.OnTenrecThrown thrown = new OpenCircuit.OnTenrecThrown();
    OpenCircuit.OnTenrecThrown attempted = new OpenCircuit.OnTenrecThrown();
    served.start();
    value.start();
    thrown.start();
    attempted.start();

    CommandView ofServed = served.contender.command().view();
    Refusals before = new Refusals(ofServed, EventType.SHORT_CIRCUITED);
    callAll(FALLBACK, () -> benchmark.tenrec(served));
    before.assertMore(EventType.FALLBACK_SUCCESS);

    before = new Refusals(value.contender.command().view(), EventType.SHORT_CIRCUITED);
    callAll(FALLBACK, () -> benchmark.tenrecFallbackValue(value));
    before.assertMore(EventType.FALLBACK_SUCCESS);

    before = new Refusals(thrown.contender.command().view(), EventType.SHORT_CIRCUITED);
    for (int i = 0; i < CALLS; i++) {
      assertThat(benchmark.tenrecThrown(thrown)).isInstanceOf(CommandException.class);
    }
    before.assertMore(EventType.EXCEPTION_THROWN);

    before = new Refusals(attempted.contender.command().view(), EventType.SHORT_CIRCUITED);
    for (int i = 0; i < CALLS; i++) {
      assertThat(benchmark.tenrecAttempt(attempted).isSuccess()).isFalse();
    }
    before.assertMore(EventType.EXCEPTION_THROWN);

    assertThat(ofServed.circuitState()).isEqualTo(CircuitState.OPEN);
    served.end();
    value.end();
    thrown.end();
    attempted.end();
  }

  @Test
  void rejected_callsOfTheBenchmark_areRejectedByTheSemaphore() throws Exception {
    PermitRejected benchmark = new PermitRejected();
    PermitRejected.OnTenrec served = new PermitRejected.OnTenrec();
    PermitRejected.OnTenrecWithValue value = new PermitRejected.OnTenrecWithValue();
    PermitRejected.OnTenrecThrown thrown = new PermitRejected.OnTenrecThrown();
    PermitRejected.OnTenrecThrown attempted = new PermitRejected.OnTenrecThrown();
    served.start();
    value.start();
    thrown.start();
    attempted.start();

    CommandView ofServed = served.contender.command().view();
    Refusals before = new Refusals(ofServed, EventType.SEMAPHORE_REJECTED);
    callAll(FALLBACK, () -> benchmark.tenrec(served));
    before.assertMore(EventType.FALLBACK_SUCCESS);

    before = new Refusals(value.contender.command().view(), EventType.SEMAPHORE_REJECTED);
    callAll(FALLBACK, () -> benchmark.tenrecFallbackValue(value));
    before.assertMore(EventType.FALLBACK_SUCCESS);

    before = new Refusals(thrown.contender.command().view(), EventType.SEMAPHORE_REJECTED);
    for (int i = 0; i < CALLS; i++) {
      assertThat(benchmark.tenrecThrown(thrown)).isInstanceOf(CommandException.class);
    }
    before.assertMore(EventType.EXCEPTION_THROWN);

    before = new Refusals(attempted.contender.command().view(), EventType.SEMAPHORE_REJECTED);
    for (int i = 0; i < CALLS; i++) {
      assertThat(benchmark.tenrecAttempt(attempted).isSuccess()).isFalse();
    }
    before.assertMore(EventType.EXCEPTION_THROWN);

    assertThat(ofServed.health().errors()).isEqualTo(CALLS); // a refusal counts for the breaker
    assertThat(ofServed.rollingMaxConcurrency()).isEqualTo(1); // the call that holds the permit
    assertThat(ofServed.circuitState()).isEqualTo(CircuitState.CLOSED);
    served.end();
    value.end();
    thrown.end();
    attempted.end();
  }

  @Test
  void cached_callsOfTheBenchmark_areHits() {
    RequestCacheHit benchmark = new RequestCacheHit();
    RequestCacheHit.OnTenrec state = new RequestCacheHit.OnTenrec();
    state.start();

    for (int i = 0; i < CALLS; i++) {
      assertThat(benchmark.tenrec(state)).isEqualTo(ANSWER);
    }

    CommandView view = state.command.view();
    assertThat(view.cumulativeCount(EventType.RESPONSE_FROM_CACHE)).isEqualTo(CALLS);
    assertThat(view.cumulativeCount(EventType.SUCCESS)).isEqualTo(1); // the one that was kept
    assertThat(view.rollingCount(EventType.RESPONSE_FROM_CACHE)).isEqualTo(CALLS);
    assertBothLatencies(view, 1); // a hit has no execution of its own
    state.end();
  }

  @Test
  void collapsed_callsOfTheBenchmark_areMembersOfFullBatches() throws Exception {
    Collapsing benchmark = new Collapsing();
    Collapsing.OnTenrec waited = new Collapsing.OnTenrec();
    Collapsing.OnTenrec pipelined = new Collapsing.OnTenrec();
    waited.batchSize = 10;
    pipelined.batchSize = 10;
    waited.start();
    pipelined.start();

    for (int i = 0; i < CALLS; i++) {
      assertThat(benchmark.tenrec(waited)).isNotNull();
      assertThat(benchmark.tenrecPipelined(pipelined)).isNotNull();
    }

    CommandView batches = waited.batched.batches();
    CollapserView members = waited.batched.members();
    CollapserView pipelinedMembers = pipelined.batched.members();
    // a pipelined caller does not wait for the last batch, and closing would cancel it
    await().until(() -> pipelinedMembers.cumulativeMembers() == CALLS);
    waited.end();
    pipelined.end();
    long ran = members.cumulativeBatches();
    assertThat(members.cumulativeMembers()).isEqualTo(CALLS);
    assertThat(ran).isGreaterThanOrEqualTo(CALLS / 10); // more where the timer was first
    assertThat(batches.cumulativeCount(EventType.SUCCESS)).isEqualTo(ran);
    assertThat(batches.cumulativeCount(EventType.COLLAPSED)).isEqualTo(CALLS);
    assertBothLatencies(batches, ran);
    assertThat(batches.rollingMaxConcurrency()).isPositive();
    assertThat(batches.circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(pipelinedMembers.cumulativeMembers()).isEqualTo(CALLS);
  }

  private static void callAll(String answer, Callable<String> call) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      assertThat(call.call()).isEqualTo(answer);
    }
  }

  private static void assertSuccesses(CommandView view) {
    assertOnly(view, CALLS, EventType.SUCCESS);
    assertThat(view.health().total()).isEqualTo(CALLS);
    assertThat(view.health().errors()).isZero();
    assertBothLatencies(view, CALLS);
    assertThat(view.rollingMaxConcurrency()).isEqualTo(1);
    assertThat(view.circuitState()).isEqualTo(CircuitState.CLOSED); // and not switched off
  }

  private static void assertFailures(CommandView view) {
    assertOnly(view, CALLS, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    assertThat(view.health().total()).isEqualTo(CALLS);
    assertThat(view.health().errors()).isEqualTo(CALLS);
    assertBothLatencies(view, CALLS);
    assertThat(view.rollingMaxConcurrency()).isEqualTo(1);
    assertThat(view.circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  private static void assertOnly(CommandView view, long times, EventType... events) {
    for (EventType type : EventType.values()) {
      boolean isOne = List.of(events).contains(type);
      assertThat(view.cumulativeCount(type)).as("%s", type).isEqualTo(isOne ? times : 0);
      assertThat(view.rollingCount(type)).as("rolling %s", type).isEqualTo(isOne ? times : 0);
    }
  }

  /** A caller waits for all of the execution, and for the fallback besides. */
  private static void assertBothLatencies(CommandView view, long calls) {
    assertThat(view.executionLatency().count()).isEqualTo(calls);
    assertThat(view.callerLatency().count()).isEqualTo(calls);
    assertThat(view.executionLatency().valueAtPercentile(50)).isPositive();
    assertThat(view.callerLatency().meanNanos())
        .isGreaterThanOrEqualTo(view.executionLatency().meanNanos());
  }

  /** What was counted before the benchmark's own calls: the set-up's. */
  private static final class Refusals {
    private final CommandView view;
    private final EventType refusal;
    private final long refused;
    private final long ran;

    Refusals(CommandView view, EventType refusal) {
      this.view = view;
      this.refusal = refusal;
      this.refused = view.cumulativeCount(refusal);
      this.ran = view.executionLatency().count();
    }

    /** Each call was refused, ended like this, and had no execution. */
    void assertMore(EventType end) {
      assertThat(view.cumulativeCount(refusal)).isEqualTo(refused + CALLS);
      assertThat(view.cumulativeCount(end)).isGreaterThanOrEqualTo(CALLS);
      assertThat(view.executionLatency().count()).isEqualTo(ran);
    }
  }
}
