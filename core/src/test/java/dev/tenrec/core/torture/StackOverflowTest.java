// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Call;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands within commands until the stack is full, wherever that is: no permit is lost. */
@Tag("race")
class StackOverflowTest {

  /** Rounds, each with another padding; the first are interpreted, the last compiled. */
  private static final int ROUNDS = 20;

  private static final long STACK_BYTES = 320 * 1_024;
  private static final int LIMIT = 100_000;
  private static final int FEW = 5;

  /** By which door a command calls the next one. */
  private enum Door {
    EXECUTE,
    ATTEMPT,
    EXECUTE_ASYNC
  }

  private enum Whose {
    OWN,
    SHARED
  }

  private enum Kind {
    PLAIN,
    WITH_FALLBACK,
    WITH_CALL
  }

  private final Tenrec tenrec = Unhurried.tenrec();
  private final AtomicReference<@Nullable Command<Integer, Integer>> nested =
      new AtomicReference<>();

  /** How deep to go; at the end the work just returns. */
  private int depth = Integer.MAX_VALUE;

  @AfterEach
  void close() {
    tenrec.close();
  }

  static Stream<Arguments> all() {
    return Stream.of(Door.values())
        .flatMap(
            door ->
                Stream.of(Whose.values())
                    .flatMap(
                        permits ->
                            Stream.of(Kind.values())
                                .map(kind -> Arguments.of(door, permits, kind))));
  }

  private Command<Integer, Integer> command(Door door, Whose permits, Kind kind) {
    CommandBuilder<Integer, Integer> builder =
        kind == Kind.WITH_CALL
            ? tenrec.command("Nested", (Integer i, Call call) -> next(door, i))
            : tenrec.command("Nested", (Integer i) -> next(door, i));
    builder
        .isolation(
            permits == Whose.OWN
                ? Isolation.semaphore(LIMIT)
                : Isolation.semaphore(LIMIT).shared("Shared"))
        .withoutCircuitBreaker()
        .withoutTimeout();
    if (kind == Kind.WITH_FALLBACK) {
      builder.fallback((i, cause) -> -1);
    }
    return builder.build();
  }

  private Integer next(Door door, int i) {
    if (i + 1 >= depth) {
      return i;
    }
    Command<Integer, Integer> command = nested.get();
    switch (door) {
      case EXECUTE:
        return command.execute(i + 1);
      case ATTEMPT:
        Outcome<Integer> outcome = command.attempt(i + 1);
        if (outcome.error() instanceof Error error) {
          throw error;
        }
        if (outcome.error() instanceof RuntimeException refused) {
          throw refused;
        }
        return outcome.value();
      default:
        try {
          return command.executeAsync(i + 1).join();
        } catch (CompletionException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw e;
        }
    }
  }

  /** Moves the place where the stack is full by some frames of ours. */
  private static void padded(int frames, Runnable what) {
    if (frames == 0) {
      what.run();
    } else {
      padded(frames - 1, what);
    }
  }

  private static @Nullable Throwable thrownBy(int padding, Runnable what) throws Exception {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                padded(padding, what);
              } catch (Throwable t) {
                thrown.set(t);
              }
            },
            "deep",
            STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    thread.join();
    return thrown.get();
  }

  @ParameterizedTest
  @MethodSource("all")
  void stackFullInNestedCommands_losesNoPermit(Door door, Whose permits, Kind kind)
      throws Exception {
    Command<Integer, Integer> command = command(door, permits, kind);
    nested.set(command);
    AtomicInteger overflows = new AtomicInteger();
    for (int round = 0; round < ROUNDS; round++) {
      Throwable thrown = thrownBy(round, () -> command.execute(0));
      if (thrown instanceof StackOverflowError) {
        overflows.incrementAndGet();
      }
      assertThat(command.view().concurrency()).as("round %s", round).isZero();
    }
    assertThat(overflows).hasValueGreaterThan(ROUNDS / 2);

    // whatever lock an overflow met, it is free: this would wait for ever
    assertThat(command.view().counts()).isNotNull();

    Permits bounds = Inside.permits(Inside.runtime(command.view()));
    assertThat(bounds.inUse()).isZero();
    bounds.resize(FEW);
    for (int full : List.of(1, FEW)) {
      depth = full;
      assertThat(command.execute(0)).isEqualTo(full - 1);
    }
    if (kind != Kind.WITH_FALLBACK) {
      depth = FEW + 1;
      assertThatThrownBy(() -> command.execute(0))
          .satisfiesAnyOf(
              thrown -> assertThat(thrown).isInstanceOf(CommandRejectedException.class),
              thrown -> assertThat(thrown).hasCauseInstanceOf(CommandRejectedException.class));
    }
    assertThat(command.view().concurrency()).isZero();
  }
}
