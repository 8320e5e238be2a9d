// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a call does beside its answer fails for want of memory. The call goes on, and the operator
 * reads of it.
 */
class StepWithoutMemoryTest {

  private static final OutOfMemoryError NO_MEMORY = new OutOfMemoryError("of the test");

  private final ManualTime time = new ManualTime();
  private final Thread tested = Thread.currentThread();

  /** How many looks at the clock fail, on the test's thread, which alone writes and reads it. */
  private int failing;

  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final List<String> loggers = new CopyOnWriteArrayList<>();
  private final Pipeline<String, String> pipeline = pipeline();

  @BeforeEach
  void requireLogging() {
    SwitchedLogging.requireInstalled();
  }

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private long now() {
    if (Thread.currentThread() == tested && failing > 0) {
      failing--;
      throw NO_MEMORY;
    }
    return time.nanoTime();
  }

  /**
   * Of a command that nobody has looked at so far, so that it has the least there is of one. Its
   * clock is the engine's own, which a user's that fails would not break.
   */
  private Pipeline<String, String> pipeline() {
    var command =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .build();
    CommandRuntime made = Inside.runtime(command.view());
    Engine whole = made.engine;
    Engine engine =
        new Engine(
            this::now,
            whole.waiter(),
            whole.timer(),
            whole.callbacks(),
            whole.stageCancels(),
            whole.failures(),
            whole.stages(),
            whole.closing(),
            whole.requests(),
            whole.listeners(),
            whole.journal(),
            whole.propagators());
    CommandRuntime runtime =
        new CommandRuntime(
            made.commandKey,
            made.group,
            engine,
            made.bulkheads,
            made.settings(),
            made.effective,
            made.stackTraces);
    return new Pipeline<>(
        runtime,
        new WorkBody.Plain<>(argument -> argument),
        (argument, cause) -> "fallback",
        Classification.DEFAULT,
        null);
  }

  /** A call that no caller waits for, and whose interrupts and cancellers may fail. */
  private static final class Subject extends Execution<String, String> {

    /** Written and read by the test's thread. */
    private boolean breaks;

    Subject(Pipeline<String, String> pipeline) {
      super(pipeline, pipeline.runtime.plan(), "argument", null, false, pipeline.now());
    }

    private void breakIfMeant() {
      if (breaks) {
        throw NO_MEMORY;
      }
    }

    @Override
    boolean hasThreadToInterrupt() {
      breakIfMeant();
      return super.hasThreadToInterrupt();
    }

    @Override
    boolean cancelsStageOnly() {
      breakIfMeant();
      return super.cancelsStageOnly();
    }
  }

  /** What is done for a command, with a clock that fails. */
  private enum Note {
    REFUSAL((runtime, call) -> runtime.refused(Reason.THREAD_POOL, "Pool", 1, 1, 0)),
    TIMEOUT((runtime, call) -> runtime.timedOut(runtime.plan(), null, 0, 0)),
    DEADLINE((runtime, call) -> runtime.beyondDeadline(runtime.plan(), 0, 0)),
    WORK_THAT_OUTLASTED_ITS_ANSWER(CommandRuntime::abandonedStopped),
    CIRCUIT_THAT_CLOSES((runtime, call) -> runtime.closing()),
    TRANSITION((runtime, call) -> runtime.changed(TRIPPED));

    private final BiConsumer<CommandRuntime, Execution<?, ?>> step;

    Note(BiConsumer<CommandRuntime, Execution<?, ?>> step) {
      this.step = step;
    }
  }

  private static final Transition TRIPPED =
      new Transition(
          1,
          CircuitState.CLOSED,
          CircuitState.OPEN,
          0,
          Instant.EPOCH,
          TransitionReason.THRESHOLD_REACHED,
          new HealthSnapshot(1, 1, 0),
          new BreakerRules(1, 1, 1, 1, 1));

  private void assertLogs(Runnable step) throws Exception {
    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      step.run();
      await().until(() -> loggers.contains(FailureLog.class.getName()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void note_thatCannotBeMade_isLogged(Note note) throws Exception {
    Subject call = new Subject(pipeline);

    assertLogs(
        () -> {
          failing = 1;
          note.step.accept(pipeline.runtime, call);
        });

    assertThat(failing).isZero();
  }

  private Subject begun() {
    Subject call = new Subject(pipeline);
    assertThat(call.launch() && call.begin(tested)).isTrue();
    return call;
  }

  /** There is no share of threads for the interrupt so far. */
  @Test
  void interrupt_thatCannotBeHandedOver_isMadeHere() {
    Subject call = begun();
    failing = 1;

    pipeline.abandonment.interrupt(call);

    assertThat(failing).isZero();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void interruptOfAll_thatCannotBeHandedOver_isMadeHere() {
    Subject call = begun();
    failing = 1;

    pipeline.abandonment.interruptAllApart(call);

    assertThat(failing).isZero();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void timeout_whoseCancellersCannotBeHandedOver_isTheAnswer_andIsLogged() throws Exception {
    Subject call = begun();
    call.breaks = true;

    assertLogs(() -> pipeline.abandonment.timedOut(call));

    assertThat(call.has(EventType.TIMEOUT)).isTrue();
    await().until(call::isAnswered);
    assertThat(call.value()).isEqualTo("fallback");
  }

  @Test
  void cancel_thatCannotStopTheWork_isTheAnswer_andIsLogged() throws Exception {
    Subject call = begun();
    call.breaks = true;

    assertLogs(() -> assertThat(pipeline.abandonment.cancel(call, true, null)).isTrue());

    assertThat(call.isAnswered()).isTrue();
    assertThat(call.error()).isInstanceOf(CancellationException.class);
  }

  @Test
  void sharedRun_thatCannotBeStopped_isCancelled_andIsLogged() throws Exception {
    Subject call = begun();
    call.breaks = true;

    assertLogs(() -> pipeline.abandonment.drop(call, true, true));

    assertThat(call.isAnswered()).isTrue();
    assertThat(call.error()).isInstanceOf(CancellationException.class);
  }

  @Test
  void attempt_whoseCancellersCannotBeHandedOver_isGivenUp_andIsLogged() throws Exception {
    Subject call = begun();
    call.breaks = true;
    CancellationException why = new CancellationException("of the test");

    assertLogs(
        () ->
            assertThat(pipeline.abandonment.giveUp(call, EventType.CANCELLED, why, false))
                .isTrue());

    assertThat(call.isAnswered()).isTrue();
    assertThat(call.error()).isSameAs(why);
  }

  @Test
  void ending_thatCannotBeLeftToItsOwner_isPublished_andIsLogged() throws Exception {
    Subject call = new Subject(pipeline);
    BadRequestException why = new BadRequestException("of the owner");
    assertThat(pipeline.completion.claimed(call, EventType.BAD_REQUEST, null, why)).isTrue();

    assertLogs(
        () -> {
          failing = 1;
          pipeline.abandonment.leaveToOwner(call);
        });

    assertThat(failing).isZero();
    assertThat(call.isAnswered()).isTrue();
    assertThat(call.error()).isSameAs(why);
  }
}
