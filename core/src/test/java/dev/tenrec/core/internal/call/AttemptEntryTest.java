// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attempt that comes in beside another one, or may not, and one that goes again. */
class AttemptEntryTest {

  private static final OutOfMemoryError NO_MEMORY = new OutOfMemoryError("of the test");
  private static final Duration SLEEP = Duration.ofSeconds(5);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).callbacks(2, 10).build();
  private final CommandView view =
      tenrec
          .command("Subject", (String argument) -> argument)
          .isolation(Isolation.semaphore(1))
          .errorThreshold(1, 1)
          .sleepWindow(SLEEP)
          .build()
          .view();
  private final CommandRuntime runtime = Inside.runtime(view);
  private final Pipeline<String, String> pipeline =
      new Pipeline<>(
          runtime, new WorkBody.Plain<>(argument -> argument), null, Classification.DEFAULT, null);
  private final AttemptEntry<String, String> entry = new AttemptEntry<>(pipeline);

  /** What the attempts ended with. */
  private final List<Object> received = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private class Subject extends Execution<String, String> {

    Subject() {
      super(
          AttemptEntryTest.this.pipeline,
          runtime.plan(),
          "argument",
          receiver(),
          false,
          time.nanoTime());
    }
  }

  private Receiver<String> receiver() {
    return new Receiver<>() {
      @Override
      public void onValue(String value) {
        received.add(value);
      }

      @Override
      public void onError(Throwable error) {
        received.add(error);
      }
    };
  }

  private void trip() {
    time.advanceMillis(500);
    runtime.recorder.decided(
        runtime.plan(), Permission.UNGUARDED, EventType.FAILURE, 0, time.nanoTime());
    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  /** The circuit has opened since it was looked at, and its sleep is over: that is for a call. */
  @Test
  void attemptBeside_thatWouldBeATrial_doesNotBegin_andLeavesItsPlaces() {
    long afterTheSleep = time.nanoTime() + SLEEP.multipliedBy(2).toNanos();
    Subject attempt =
        new Subject() {
          @Override
          public String argument() { // read for the gates, after the look at the circuit
            trip();
            return super.argument();
          }
        };

    assertThat(entry.passesBeside(attempt, afterTheSleep)).isFalse();

    assertThat(view.concurrency()).isZero();
    assertThat(runtime.breakerGate.admit(runtime.plan(), afterTheSleep))
        .as("the next trial")
        .isNotInstanceOf(Refused.class);
    assertThat(received).isEmpty();
  }

  /** To ask the circuit would make it half-open. */
  @Test
  void attemptBeside_whoseCircuitIsOpen_doesNotBegin_andLeavesThatAsItIs() {
    trip();
    time.advance(SLEEP);

    assertThat(entry.passesBeside(new Subject(), time.nanoTime())).isFalse();

    assertThat(runtime.breaker.state()).isEqualTo(CircuitState.OPEN);
    assertThat(view.concurrency()).isZero();
  }

  @Test
  void attemptBeside_withoutRoom_doesNotBegin() {
    Subject first = new Subject();
    assertThat(entry.passesBeside(first, time.nanoTime())).isTrue();
    Subject second = new Subject();

    assertThat(entry.passesBeside(second, time.nanoTime())).isFalse();

    assertThat(second.holdsPermit).isFalse();
    assertThat(view.concurrency()).isOne();
    entry.leavesBeside(first, time.nanoTime());
    assertThat(view.concurrency()).isZero();
  }

  /** A stage on which nothing hangs runs no user code when it is cancelled, and waits for none. */
  @Test
  void attempt_thatIsGivenUp_hasItsStageCancelled_whileUserCodeBlocksTheThreads() {
    CountDownLatch release = new CountDownLatch(1);
    try {
      Scenario.await() // one at a time: a thread takes its while to come to its task
          .until(
              () -> {
                runtime.callbacks().execute(CallbackTask.of(() -> Uninterruptibly.await(release)));
                return runtime.callbacks().isBlocked();
              });
      CompletableFuture<String> stage = new CompletableFuture<>();
      Subject attempt = new Subject();
      attempt.onCancel(new Cancellers.OfStage(stage));

      assertThat(
              pipeline.abandonment.giveUp(
                  attempt, EventType.CANCELLED, new CancellationException("of the test"), false))
          .isTrue();

      assertThat(stage)
          .failsWithin(PatientWaits.patience())
          .withThrowableOfType(CancellationException.class);
    } finally {
      release.countDown();
    }
  }

  @Test
  void attemptBeside_whoseStepAfterTheGatesFails_ends_andGivesItsPermitBack() {
    Subject attempt =
        new Subject() {
          private boolean failed;

          @Override
          public boolean hasDeadline() { // asked where that is armed
            throw NO_MEMORY;
          }

          @Override
          public Execution<String, String> whole() { // asked before the ending is claimed
            if (!failed) {
              failed = true;
              throw NO_MEMORY;
            }
            return super.whole();
          }
        };
    assertThat(entry.passesBeside(attempt, time.nanoTime())).isTrue();
    assertThat(view.concurrency()).isOne();

    entry.beginsBeside(attempt);

    assertThat(received).containsExactly(NO_MEMORY);
    assertThat(view.concurrency()).isZero();
  }
}
