// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A call whose time is over between two of its attempts, by the manual clock: it ends with its last
 * failure, which is counted, and with no time-out, which no attempt had.
 */
class OutOfTimeBetweenAttemptsTest {

  private static final Duration WAIT = Duration.ofMillis(10);

  private static final Retry RETRY =
      Retry.attempts(3).backoff(WAIT, WAIT).jitter(Jitter.NONE).budget(100, 100);

  /** How further attempts come. */
  enum Further {
    RETRIES,
    ROUNDS;

    private List<Way> ways() {
      return this == RETRIES ? Way.all() : Way.leavingCaller();
    }

    private CommandBuilder<String, String> on(CommandBuilder<String, String> builder) {
      return this == RETRIES ? builder : builder.hedge(Hedge.after(Scenario.TIMEOUT));
    }
  }

  /** Whose deadline it is. */
  enum Limit {
    OWN,
    INHERITED;

    private Duration duration() {
      return this == OWN ? Scenario.TIMEOUT : Scenario.TIMEOUT.dividedBy(2);
    }
  }

  /** Through a door whose caller waits, and through one whose caller does not. */
  static Stream<Arguments> everywhere() {
    return Stream.of(Further.values())
        .flatMap(
            further ->
                Stream.of(Limit.values())
                    .flatMap(
                        limit ->
                            further.ways().stream()
                                .flatMap(
                                    way ->
                                        Stream.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC)
                                            .map(
                                                door -> Arguments.of(further, limit, way, door)))));
  }

  private static CommandBuilder<String, String> failing(Scenario scenario, Further further) {
    return further.on(
        scenario
            .command(
                argument -> {
                  throw new IOException("failed");
                })
            .withDeadline()
            .retry(RETRY));
  }

  /** Calls within that limit; while it waits for its second attempt, its time passes. */
  private static Answer outOfTime(Scenario scenario, Limit limit, Command<String, String> command)
      throws Exception {
    CompletableFuture<?> clock =
        clock(
            scenario,
            limit,
            () -> {
              Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
              scenario.time.advance(limit.duration());
            });
    Answer answer = call(scenario, limit, command);
    clock.join();
    return answer;
  }

  /** Moves time on another thread; if that fails, so far that the call ends all the same. */
  private static CompletableFuture<?> clock(Scenario scenario, Limit limit, Runnable moves) {
    return Elsewhere.call(
        () -> {
          boolean moved = false;
          try {
            moves.run();
            moved = true;
          } finally {
            if (!moved) {
              scenario.time.advance(limit.duration());
            }
          }
          return true;
        });
  }

  private static Answer call(Scenario scenario, Limit limit, Command<String, String> command)
      throws Exception {
    if (limit == Limit.OWN) {
      return scenario.call(command, "x");
    }
    try (Scope scope = Deadline.after(scenario.tenrec, limit.duration()).open()) {
      return scenario.call(command, "x");
    }
  }

  private static void assertFailed(Command<String, String> command, Answer answer) {
    assertThat(answer.error()).isInstanceOf(IOException.class).hasMessage("failed");
    assertThat(answer.outcome()).isNotNull();
    assertThat(answer.outcome().cause()).isSameAs(answer.error());
    assertThat(answer.outcome().attempts()).isOne();
    assertThat(answer.outcome().failedAttempts()).containsExactly(answer.outcome().cause());
    assertThat(answer.outcome().executionLatency()).isZero();
    assertThat(answer.outcome().events())
        .containsExactlyInAnyOrder(
            EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    Scenario.assertCounted(
        command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThat(command.view().health()).isEqualTo(new HealthSnapshot(1, 1, 0));
    // its owner may be held up there, and its caller end it meanwhile
    Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 0);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void call_thatWaits_endsWithItsLastFailure(Further further, Limit limit, Way way, Door door)
      throws Exception {
    List<Throwable> heard = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onError(ListenedCall call, Throwable error) {
            heard.add(error);
          }
        };
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().listen(listener))) {
      Command<String, String> command = failing(scenario, further).build();

      Answer answer = outOfTime(scenario, limit, command);

      assertFailed(command, answer);
      Scenario.await().untilAsserted(() -> assertThat(heard).hasSize(1));
      assertThat(heard).containsExactly(answer.error());
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_isAskedWithTheLastFailure(Further further, Limit limit, Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, further).fallback((argument, why) -> why.getMessage()).build();

      Answer answer = outOfTime(scenario, limit, command);

      assertThat(answer.value()).isEqualTo("failed");
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  /** A listener takes all of the time that the next attempt would have had. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void attempt_whoseListenerIsSlow_isNotBegun(Further further, Limit limit, Way way, Door door)
      throws Exception {
    AtomicReference<@Nullable Scenario> present = new AtomicReference<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onAttempt(ListenedCall call, int attempt, Throwable failure) {
            Scenario scenario = present.get();
            assertThat(scenario).isNotNull();
            scenario.time.advance(limit.duration());
          }
        };
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().listen(listener))) {
      present.set(scenario);
      Command<String, String> command = failing(scenario, further).build();
      CompletableFuture<?> clock =
          clock(
              scenario,
              limit,
              () -> {
                Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
                scenario.time.advance(WAIT);
              });

      Answer answer = call(scenario, limit, command);

      clock.join();
      assertFailed(command, answer);
    }
  }

  /** Where a predicate is not asked on the caller's thread. */
  static Stream<Arguments> apart() {
    return Scenario.combined(Way.away(), List.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC));
  }

  /** Nobody knows yet whether another round follows. */
  @ParameterizedTest
  @MethodSource("apart")
  void call_whosePredicateDoesNotReturn_endsWithItsLastFailure(Way way, Door door)
      throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch said = new CountDownLatch(1);
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          failing(scenario, Further.ROUNDS)
              .retry(
                  RETRY.onlyIf(
                      thrown -> {
                        asked.countDown();
                        Uninterruptibly.await(said);
                        return true;
                      }))
              .build();
      Caller caller = scenario.start(command, "x");
      asked.await();
      scenario.time.advance(Scenario.TIMEOUT);

      assertFailed(command, caller.answer());
      said.countDown();
    } finally {
      said.countDown();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void call_thatWaitsForItsThirdAttempt_endsWithTheSecondFailure(
      Further further, Limit limit, Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<Thread> workers = new CopyOnWriteArrayList<>();
      Command<String, String> command =
          further
              .on(
                  scenario
                      .command(
                          argument -> {
                            workers.add(Thread.currentThread());
                            throw new IOException("attempt " + workers.size());
                          })
                      .withDeadline()
                      .retry(RETRY))
              .build();
      CompletableFuture<?> clock =
          clock(
              scenario,
              limit,
              () -> {
                Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
                scenario.time.advance(WAIT);
                Scenario.await()
                    .until(
                        () -> workers.size() == 2 && Inside.waitingForRetry(command.view()) == 1);
                if (way.isAway()) { // it is among those that wait before it has ended the attempt
                  scenario.awaitLeft(workers.get(1));
                }
                scenario.time.advance(limit.duration());
              });

      Answer answer = call(scenario, limit, command);

      clock.join();
      assertThat(answer.error()).hasMessage("attempt 2");
      assertThat(answer.outcome().attempts()).isEqualTo(2);
      assertThat(answer.outcome().failedAttempts())
          .extracting(Throwable::getMessage)
          .containsExactly("attempt 1", "attempt 2");
      assertThat(answer.outcome().events())
          .containsExactlyInAnyOrder(
              EventType.FAILURE,
              EventType.RETRY,
              EventType.FALLBACK_MISSING,
              EventType.EXCEPTION_THROWN);
    }
  }
}
