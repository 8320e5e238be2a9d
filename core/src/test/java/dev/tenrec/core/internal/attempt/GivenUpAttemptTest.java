// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An attempt that is an execution of its own is given up from outside: closing finds it among the
 * running work, or no call waits any more for the run that it belongs to.
 */
class GivenUpAttemptTest {

  private static final Duration NEVER = Duration.ofDays(1);

  /** Of which kind the attempts are. */
  enum Kind {
    HEDGED {
      @Override
      CommandBuilder<String, String> of(CommandBuilder<String, String> builder) {
        return builder.hedge(Hedge.after(NEVER));
      }
    },
    RETRIED {
      @Override
      CommandBuilder<String, String> of(CommandBuilder<String, String> builder) {
        return builder.retry(Retry.attempts(2).attemptTimeout(NEVER).budget(0, 0));
      }
    };

    abstract CommandBuilder<String, String> of(CommandBuilder<String, String> builder);
  }

  private final ManualTime time = new ManualTime();
  private final AtomicReference<@Nullable Runnable> atItsResult = new AtomicReference<>();

  /** Says that its result is there, on the thread that has it, before the ending is claimed. */
  private final CommandListener listener =
      new CommandListener() {
        @Override
        public void onWorkSuccess(ListenedCall call, @Nullable Object value) {
          runOnce();
        }

        @Override
        public void onWorkError(ListenedCall call, Throwable error) {
          runOnce();
        }
      };

  private final Tenrec tenrec =
      Tenrec.builder().source(new NoSettings()).listen(listener).time(time, time).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
  private final CompletableFuture<String> answer = new CompletableFuture<>();
  private final CompletableFuture<String> gone = new CompletableFuture<>();
  private final CancellationException closed = new CancellationException("closed");

  @AfterEach
  void close() {
    answer.complete("closed");
    Elsewhere.close(tenrec, time);
  }

  private void runOnce() {
    Runnable action = atItsResult.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }

  private CommandBuilder<String, String> staged() {
    return tenrec
        .asyncCommand(
            "Subject",
            (String x, Call call) -> {
              seen.set(call);
              return answer;
            })
        .withoutTimeout();
  }

  private CommandBuilder<String, String> pooled() {
    return tenrec
        .command(
            "Subject",
            (String x, Call call) -> {
              seen.set(call);
              try {
                return answer.get();
              } catch (ExecutionException e) {
                throw (Exception) e.getCause();
              } catch (InterruptedException e) {
                gone.complete("interrupted");
                throw e;
              }
            })
        .isolation(Isolation.threadPool().coreSize(2))
        .withoutTimeout();
  }

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private Execution<String, String> onlyAttempt() {
    Scenario.await().until(() -> seen.get() != null);
    return (Execution<String, String>) Objects.requireNonNull(seen.get());
  }

  private static Outcome<String> outcome(CompletableFuture<Outcome<String>> call) throws Exception {
    return call.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void abort_ofAnAttemptUnderWay_endsItsCallOnce(Kind kind) throws Exception {
    CompletableFuture<Outcome<String>> call = kind.of(staged()).build().attemptAsync("x");

    assertThat(onlyAttempt().abort(closed)).isTrue();

    assertThat(onlyAttempt().abort(closed)).isFalse();
    assertThat(outcome(call).error()).isSameAs(closed);
    assertThat(outcome(call).events()).containsExactly(EventType.CANCELLED);
  }

  /** It has its result, and its thread is about to answer. */
  @ParameterizedTest
  @EnumSource
  void abort_ofAnAttemptWhoseWorkHasStopped_leavesItToItsThread(Kind kind) throws Exception {
    CompletableFuture<Outcome<String>> call = kind.of(staged()).build().attemptAsync("x");
    CompletableFuture<Boolean> aborted = new CompletableFuture<>();
    atItsResult.set(() -> aborted.complete(onlyAttempt().abort(closed)));

    answer.complete("done");

    assertThat(aborted).isCompletedWithValue(false);
    assertThat(outcome(call).value()).isEqualTo("done");
  }

  /** Its thread holds the permit for a fallback, and is this one. */
  @Test
  void hedgedCall_whoseAttemptIsAbortedAtItsResult_givesItsPermitBack() {
    Command<String, String> command = Kind.HEDGED.of(pooled()).build();
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    Execution<String, String> attempt = onlyAttempt();
    atItsResult.set(() -> attempt.abortUndecided(closed));

    answer.completeExceptionally(new IOException("failed"));

    assertThat(call).succeedsWithin(PatientWaits.patience());
    assertThat(call.join().error()).isSameAs(closed);
    assertThat(command.view().concurrency()).as("before the answer").isZero();
    Scenario.assertCounted(command, EventType.CANCELLED);
  }

  /** By the timer's thread, for the last call that shared it. */
  @Test
  void hedgedCall_thatIsDropped_isInterruptedAtItsWork() {
    Command<String, String> command = Kind.HEDGED.of(pooled()).build();
    CompletableFuture<String> call = command.executeAsync("x");
    Execution<String, String> whole = onlyAttempt().whole();

    whole.pipeline.abandonment.drop(whole, true, false);

    assertThat(gone).succeedsWithin(PatientWaits.patience()).isEqualTo("interrupted");
    assertThat(call).isNotDone(); // whose side has given up, so it is delivered to nobody
    Scenario.awaitCounted(command, EventType.CANCELLED);
  }

  /** Else the circuit would let no trial through until the place of this one is taken for lost. */
  @ParameterizedTest
  @EnumSource
  void trial_thatIsGivenUpWithItsCall_makesPlaceForTheNextOne(Kind kind) {
    Command<String, String> command =
        kind.of(
                tenrec
                    .asyncCommand(
                        "Subject",
                        (String x) ->
                            switch (x) {
                              case "fails" -> CompletableFuture.failedStage(new IOException(x));
                              case "waits" -> answer;
                              default -> CompletableFuture.completedStage(x);
                            })
                    .errorThreshold(1, 1)
                    .sleepWindow(Duration.ofSeconds(1))
                    .withoutTimeout())
            .build();
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(500);
              assertThat(command.attempt("fails").isAnswered()).isFalse();
              return command.view().circuitState() == CircuitState.OPEN;
            });
    time.advanceMillis(1_000);
    CompletableFuture<String> trial = command.executeAsync("waits");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    assertThat(command.attempt("x").has(EventType.SHORT_CIRCUITED)).isTrue();

    assertThat(trial.cancel(false)).isTrue();

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    assertThat(command.attempt("x").isSuccess()).isTrue();
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }
}
