// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the armed look when there is no thread for the timer, or no timer any more. */
class ScheduledEvaluationTest {

  private static final int VOLUME = 20;

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicInteger attempts = new AtomicInteger();

  @AfterEach
  void close() {
    tenrec.close();
  }

  /** A command's runtime whose timer has these threads. */
  private CommandRuntime runtime(ThreadFactory threads) {
    CommandRuntime model =
        Inside.runtime(
            tenrec
                .command("Model", (String argument) -> argument)
                .isolation(Isolation.semaphore(10))
                .errorThreshold(50, VOLUME)
                .slowCall(Duration.ofMillis(1))
                .build()
                .view());
    return Inside.withTimer(model, new Timer(time, time, threads));
  }

  private void burst(CommandRuntime runtime) {
    Plan plan = runtime.plan();
    for (int i = 0; i < VOLUME; i++) {
      Permission permission = runtime.breakerGate.admit(plan, time.nanoTime());
      runtime.recorder.decided(plan, permission, EventType.FAILURE, 0, time.nanoTime());
    }
  }

  private Permission admit(CommandRuntime runtime) {
    return runtime.breakerGate.admit(runtime.plan(), time.nanoTime());
  }

  /** The timer may be at the look that is due: then its thread opens the circuit. */
  private void awaitRefusal(CommandRuntime runtime) {
    await().until(() -> admit(runtime) instanceof Refused);
  }

  @Test
  void noThreadForTheTimer_theCallGoesOn_andTheNextAdmissionLooks() {
    CommandRuntime runtime =
        runtime(
            task -> {
              attempts.incrementAndGet();
              throw new OutOfMemoryError("unable to create native thread");
            });

    burst(runtime);

    assertThat(attempts).as("one try, not one for each error").hasValue(1);
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
    time.advanceMillis(50);
    assertThat(admit(runtime)).isInstanceOf(Refused.class);
  }

  /** No call may come for long that would look. */
  @Test
  void failuresThatAValueAnswered_areLeftToTheTimer_once() {
    CommandRuntime runtime =
        runtime(
            task -> {
              attempts.incrementAndGet();
              throw new OutOfMemoryError("unable to create native thread");
            });

    for (int i = 0; i < VOLUME; i++) {
      runtime.recorder.failedHereAndServed(admit(runtime), 0, time.nanoTime());
    }

    assertThat(attempts).hasValue(1);
    time.advanceMillis(50);
    assertThat(admit(runtime)).isInstanceOf(Refused.class);
  }

  @Test
  void attemptThatIsOutrun_whenALookIsDue_looks() {
    CommandRuntime runtime =
        runtime(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    Permission permission = admit(runtime);
    burst(runtime);
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
    time.advanceMillis(500);

    runtime.recorder.outrun(runtime.plan(), permission, 0, 1, time.nanoTime());

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  /** A stream may be the only call there is, and last for long. */
  @Test
  void itemOfAStream_whenALookIsDue_looks() {
    CommandRuntime runtime =
        runtime(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    burst(runtime);
    time.advanceMillis(500);

    runtime.recorder.emitted(EventType.EMIT, time.nanoTime());

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void trialThatItsCallerCutShort_closesTheCircuit() {
    CommandRuntime runtime = runtime(Thread::new);
    burst(runtime);
    time.advanceMillis(50);
    assertThat(admit(runtime)).isInstanceOf(Refused.class);
    time.advanceMillis(5_000);
    Permission trial = admit(runtime);

    runtime.recorder.cutShort(trial, time.nanoTime());

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void attemptThatIsOutrun_afterASilence_countsWhenItHappens() {
    CommandRuntime runtime = runtime(Thread::new);
    Permission permission = admit(runtime);
    time.advanceMillis(60_000);

    runtime.recorder.outrun(runtime.plan(), permission, 0, 1, time.nanoTime());

    assertThat(runtime.metrics.rollingCount(EventType.ATTEMPT_OUTRUN, time.nanoTime())).isOne();
  }

  private CommandView withSlowCalls() {
    return tenrec
        .command("Slow", (String argument) -> argument)
        .isolation(Isolation.semaphore(10))
        .errorThreshold(50, VOLUME)
        .slowCall(Duration.ofMillis(1))
        .build()
        .view();
  }

  /** The call of an attempt that is outrun, whose other attempt is fast. */
  private void answersAtOnce(CommandRuntime runtime) {
    runtime.recorder.decided(runtime.plan(), admit(runtime), EventType.SUCCESS, 0, time.nanoTime());
  }

  @Test
  void attemptThatIsOutrun_asLateAsASlowCall_isOne() {
    CommandView view = withSlowCalls();
    CommandRuntime runtime = Inside.runtime(view);
    answersAtOnce(runtime);

    runtime.recorder.outrun(runtime.plan(), admit(runtime), 999_999, 0, time.nanoTime());
    assertThat(view.health().slow()).isZero();
    runtime.recorder.outrun(runtime.plan(), admit(runtime), 1_000_000, 0, time.nanoTime());

    assertThat(view.health().slow()).isOne();
  }

  /** It says nothing of how the dependency does since then. */
  @Test
  void attemptThatIsOutrun_fromBeforeTheLastTransition_isNoSlowCall() {
    CommandView view = withSlowCalls();
    CommandRuntime runtime = Inside.runtime(view);
    Permission permission = admit(runtime);
    answersAtOnce(runtime);
    time.advanceMillis(500);
    burst(runtime);
    time.advanceMillis(500);
    awaitRefusal(runtime);

    runtime.recorder.outrun(runtime.plan(), permission, 1_000_000, 0, time.nanoTime());

    assertThat(view.health().slow()).isZero();
  }

  /** No other call may come for long that would look. */
  @Test
  void attemptThatIsOutrun_asLateAsASlowCall_isLeftToTheTimer() {
    CommandRuntime runtime =
        runtime(
            task -> {
              attempts.incrementAndGet();
              throw new OutOfMemoryError("unable to create native thread");
            });

    runtime.recorder.outrun(runtime.plan(), admit(runtime), 1_000_000, 0, time.nanoTime());

    assertThat(attempts).hasValue(1);
  }

  /** It is a failure already. */
  @Test
  void failure_asLateAsASlowCall_isNone() {
    CommandRuntime runtime = runtime(Thread::new);
    answersAtOnce(runtime);

    runtime.recorder.decided(
        runtime.plan(), admit(runtime), EventType.FAILURE, 1_000_000, time.nanoTime());

    assertThat(runtime.metrics.health(time.nanoTime())).isEqualTo(new HealthSnapshot(2, 1, 0));
  }

  /** A tenth of the interval after the last look: as after a failure without such an answer. */
  @Test
  void failureThatAValueAnswered_soonAfterTheLastLook_looks() {
    CommandRuntime runtime =
        runtime(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    burst(runtime);
    Permission permission = runtime.breaker.unrefused();
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
    time.advanceMillis(50);

    runtime.recorder.failedHereAndServed(permission, 0, time.nanoTime());

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  /** The run that it shared shows how the dependency does. */
  @Test
  void sharerThatTimedOut_changesNothingOfTheHealth() {
    CommandRuntime runtime = runtime(Thread::new);
    runtime.recorder.decided(
        runtime.plan(), admit(runtime), EventType.SUCCESS, 1_000_000, time.nanoTime());
    HealthSnapshot slow = new HealthSnapshot(1, 0, 1);
    assertThat(runtime.metrics.health(time.nanoTime())).isEqualTo(slow);

    runtime.recorder.sharerEnded(EventType.TIMEOUT, time.nanoTime());

    assertThat(runtime.metrics.health(time.nanoTime())).isEqualTo(slow);
    assertThat(runtime.metrics.cumulativeCount(EventType.TIMEOUT)).isOne();
  }

  @Test
  void slowCall_fromBeforeTheLastTransition_changesNothingOfTheHealth() {
    CommandRuntime runtime = runtime(Thread::new);
    Permission permission = admit(runtime);
    answersAtOnce(runtime);
    time.advanceMillis(500);
    burst(runtime);
    time.advanceMillis(500);
    awaitRefusal(runtime);
    HealthSnapshot before = runtime.metrics.health(time.nanoTime());

    runtime.recorder.decided(
        runtime.plan(), permission, EventType.SUCCESS, 1_000_000, time.nanoTime());

    assertThat(runtime.metrics.health(time.nanoTime())).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failure_afterASilence_countsWhenItHappens(boolean served) {
    CommandRuntime runtime = runtime(Thread::new);
    Permission permission = admit(runtime);
    time.advanceMillis(60_000);

    if (served) {
      runtime.recorder.failedHereAndServed(permission, 0, time.nanoTime());
    } else {
      runtime.recorder.decided(runtime.plan(), permission, EventType.FAILURE, 0, time.nanoTime());
    }

    assertThat(runtime.metrics.rollingCount(EventType.FAILURE, time.nanoTime())).isOne();
  }

  @Test
  void trialThatIsGivenUpWithItsCall_makesRoomForTheNext() {
    CommandRuntime runtime = runtime(Thread::new);
    burst(runtime);
    time.advanceMillis(50);
    assertThat(admit(runtime)).isInstanceOf(Refused.class);
    time.advanceMillis(5_000);
    Permission trial = admit(runtime);
    assertThat(trial).isNotInstanceOf(Refused.class);
    assertThat(admit(runtime)).as("one at a time").isInstanceOf(Refused.class);

    runtime.recorder.givenUp(trial, time.nanoTime());

    assertThat(admit(runtime)).isNotInstanceOf(Refused.class);
  }

  @Test
  void noThreadForTheTimer_manySilencesLater_theNextTroubleTriesAgain() {
    CommandRuntime runtime =
        runtime(
            task -> {
              attempts.incrementAndGet();
              throw new OutOfMemoryError("unable to create native thread");
            });
    Plan plan = runtime.plan();
    for (int i = 0; i < 5; i++) {
      time.advanceMillis(60);
      for (int j = 0; j < 2; j++) { // the first looks, the second is left to the timer
        runtime.recorder.decided(plan, admit(runtime), EventType.FAILURE, 0, time.nanoTime());
      }
    }
    assertThat(attempts).hasValue(5);
  }

  private CommandRuntime withoutThreads() {
    return runtime(
        task -> {
          attempts.incrementAndGet();
          throw new OutOfMemoryError("unable to create native thread");
        });
  }

  /** The timer need not come for nothing. */
  @Test
  void healthInterval_thatBecomesShorterWithoutTrouble_armsNothing() {
    CommandRuntime runtime = withoutThreads();

    runtime.recorder.hastenLook(time.nanoTime());

    assertThat(attempts).hasValue(0);
    assertThat(runtime.metrics.isLookComing()).isFalse();
  }

  @Test
  void look_thatIsArmed_isNamedAfterItsCommand() {
    assertThat(new ScheduledEvaluation(runtime(Thread::new), 0)).asString().contains("Subject");
  }

  /** On the caller's own thread, as anywhere else. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void success_thatTookAsLongAsASlowCall_isOne(boolean here) {
    CommandView view = withSlowCalls();
    CommandRuntime runtime = Inside.runtime(view);
    answersAtOnce(runtime);

    succeeds(runtime, here, 999_999);
    assertThat(view.health().slow()).isZero();
    succeeds(runtime, here, 1_000_000);

    assertThat(view.health().slow()).isOne();
  }

  private void succeeds(CommandRuntime runtime, boolean here, long nanos) {
    Plan plan = runtime.plan();
    if (here) {
      runtime.recorder.succeededHere(plan, admit(runtime), nanos, time.nanoTime());
    } else {
      runtime.recorder.decided(plan, admit(runtime), EventType.SUCCESS, nanos, time.nanoTime());
    }
  }

  /** No other call may come for long that would look. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void slowCall_whenNoLookIsDue_isLeftToTheTimer(boolean here) {
    CommandRuntime runtime = withoutThreads();

    succeeds(runtime, here, 999_999);
    assertThat(attempts).hasValue(0);
    succeeds(runtime, here, 1_000_000);

    assertThat(attempts).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void success_whenALookIsDue_looks(boolean here) {
    CommandRuntime runtime = withoutThreads();
    Permission permission = admit(runtime);
    burst(runtime);
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
    time.advanceMillis(500);

    if (here) {
      runtime.recorder.succeededHere(runtime.plan(), permission, 0, time.nanoTime());
    } else {
      runtime.recorder.decided(runtime.plan(), permission, EventType.SUCCESS, 0, time.nanoTime());
    }

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void failure_fromBeforeTheLastTransition_changesNothingOfTheHealth() {
    CommandRuntime runtime = runtime(Thread::new);
    Permission permission = admit(runtime);
    answersAtOnce(runtime);
    time.advanceMillis(500);
    burst(runtime);
    time.advanceMillis(500);
    awaitRefusal(runtime);
    HealthSnapshot before = runtime.metrics.health(time.nanoTime());

    runtime.recorder.decided(runtime.plan(), permission, EventType.FAILURE, 0, time.nanoTime());

    assertThat(runtime.metrics.health(time.nanoTime())).isEqualTo(before);
  }

  /** The timer would come back every millisecond. */
  @Test
  void armedLook_thatFoundNoReasonToOpen_isNotArmedAgain() {
    CommandRuntime runtime = runtime(Thread::new);
    assertThat(runtime.metrics.claimLook()).isTrue();

    runtime.recorder.armedLook();

    assertThat(runtime.metrics.isLookComing()).isFalse();
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
  }

  /** As one that was armed before the circuit was switched off. */
  @Test
  void armedLook_ofACommandWithoutACircuit_isNotArmedAgain() {
    CommandRuntime runtime =
        Inside.runtime(
            tenrec
                .command("Without", (String argument) -> argument)
                .withoutCircuitBreaker()
                .build()
                .view());
    assertThat(runtime.metrics.claimLook()).isTrue();

    runtime.recorder.armedLook();

    assertThat(runtime.metrics.isLookComing()).isFalse();
  }

  /** It was armed before, and nobody asks for the circuit any more. */
  @Test
  void armedLook_ofAClosedCommand_leavesItsCircuit() {
    CommandRuntime runtime = runtime(Thread::new);
    burst(runtime);
    time.advanceMillis(40); // none is due
    runtime.close();

    runtime.recorder.armedLook();

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void closedTimer_theCallGoesOn_andTheNextAdmissionLooks() {
    CommandRuntime runtime = runtime(Thread::new);
    assertThat(runtime.engine.timer().close()).isEmpty();

    burst(runtime);

    time.advanceMillis(50);
    assertThat(admit(runtime)).isInstanceOf(Refused.class);
  }

  @Test
  void silenceOfTheWholeWindow_withoutATimer_isNotHeldAgainstTheNextCall() {
    CommandRuntime runtime = runtime(Thread::new);
    assertThat(runtime.engine.timer().close()).isEmpty();
    burst(runtime);

    time.advanceMillis(60_000);
    assertThat(admit(runtime)).isNotInstanceOf(Refused.class);
  }

  @Test
  void closedCommand_armsNothing() {
    CommandRuntime runtime =
        runtime(
            task -> {
              attempts.incrementAndGet();
              return new Thread(task);
            });
    runtime.close();

    burst(runtime);

    assertThat(attempts).hasValue(0);
    assertThat(runtime.engine.timer().pending()).isZero();
  }
}
