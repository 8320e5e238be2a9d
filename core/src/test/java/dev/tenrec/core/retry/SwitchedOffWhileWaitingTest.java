// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Retries are switched off while a call waits for its next attempt, by the manual clock. */
class SwitchedOffWhileWaitingTest {

  private static final Duration WAIT = Duration.ofMillis(10);

  private static final Retry RETRY =
      Retry.attempts(3).backoff(WAIT, WAIT).jitter(Jitter.NONE).budget(100, 100);

  /** How further attempts come. */
  enum Further {
    RETRIES,
    RETRIES_WITH_LIMIT,
    ROUNDS;

    private List<Way> ways() {
      return this == ROUNDS ? Way.leavingCaller() : Way.all();
    }

    private CommandBuilder<String, String> on(CommandBuilder<String, String> builder) {
      return switch (this) {
        case RETRIES -> builder.retry(RETRY);
        case RETRIES_WITH_LIMIT -> builder.retry(RETRY.attemptTimeout(Scenario.TIMEOUT));
        case ROUNDS -> builder.retry(RETRY).hedge(Hedge.after(Scenario.TIMEOUT));
      };
    }
  }

  /** Through a door whose caller waits, and through one whose caller does not. */
  static Stream<Arguments> everywhere() {
    return Stream.of(Further.values())
        .flatMap(
            further ->
                Scenario.combined(further.ways(), List.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC))
                    .map(both -> Arguments.of(further, both.get()[0], both.get()[1])));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void call_thatWaits_endsWithItsLastFailure(Further further, Way way, Door door) throws Exception {
    List<Integer> heard = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onAttempt(ListenedCall call, int attempt, Throwable failure) {
            heard.add(attempt);
          }
        };
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().listen(listener))) {
      List<Thread> workers = new CopyOnWriteArrayList<>();
      Command<String, String> command =
          further
              .on(
                  scenario.command(
                      argument -> {
                        workers.add(Thread.currentThread());
                        throw new IOException("attempt " + workers.size());
                      }))
              .build();
      CompletableFuture<?> switched =
          Elsewhere.call(
              () -> {
                Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
                if (way.isAway()) { // it is among those that wait before it has ended the attempt
                  scenario.awaitLeft(workers.get(0));
                }
                scenario.tenrec.set("tenrec.command.default.retry.enabled", "false");
                scenario.time.advance(WAIT);
                return true;
              });

      Answer answer = scenario.call(command, "x");

      switched.join();
      assertThat(answer.error()).isInstanceOf(IOException.class).hasMessage("attempt 1");
      assertThat(answer.outcome()).isNotNull();
      assertThat(answer.outcome().attempts()).isOne();
      assertThat(heard).isEmpty();
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      Scenario.await()
          .until(
              () ->
                  Inside.runtime(command.view()).retryBudget().spent(scenario.time.nanoTime())
                      == 0);
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 0);
    }
  }
}
