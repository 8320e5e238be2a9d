// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls that share an answer or a batch, made at each of the last frames that a full stack had:
 * they throw, or their futures are completed. None is lost half-way.
 */
@Tag("race")
@OwnThread
class DeepSharingTest {

  /** Rounds that count, each with another padding; the first are interpreted, the last compiled. */
  private static final int ROUNDS = 4;

  /**
   * At how many rounds it gives up. Sometimes HotSpot unwinds so far before a full stack is caught,
   * or the compiled frame that catches it is so large, that the calls have room enough; that shows
   * nothing, and is played again with more padding.
   */
  private static final int MOST_ROUNDS = 40;

  /** At so many frames a call is made. They are small: a call needs more stack than all of them. */
  private static final int FRAMES = 3_000;

  private static final long STACK_BYTES = 320 * 1_024;
  private static final int KNOWN = 0;

  private enum What {
    CACHED_CALL,
    CACHED_MEMBER,
    MEMBER
  }

  private enum Door {
    EXECUTE,
    ATTEMPT,
    EXECUTE_ASYNC,
    ATTEMPT_ASYNC
  }

  private enum Key {
    KNOWN,
    NEW
  }

  /**
   * The JIT compiler keeps two receivers of a call in its profile, the first ones. It would make
   * one frame of the test's own, a door's and all that is below, and no call that had begun would
   * find the stack full.
   */
  private static final List<IntFunction<CompletableFuture<?>>> SEEN_FIRST =
      List.of(i -> CompletableFuture.completedFuture(i), i -> new CompletableFuture<>());

  /** So often each is called: that is when HotSpot has a profile, and has compiled by it. */
  private static final int CALLS_SEEN = 20_000;

  private final Tenrec tenrec = Unhurried.builder().callbacks(32, 4 * FRAMES).build();

  // Written and read by the deep thread; read by the test after it has ended.
  private final List<CompletableFuture<?>> futures = new ArrayList<>();
  private int calls;
  private int overflows;
  private boolean calling;

  /** Calls that threw for want of stack. */
  private int thrown;

  @BeforeEach
  void keepTheDoorsOutOfTheTestsFrames() {
    for (int i = 0; i < CALLS_SEEN; i++) {
      for (IntFunction<CompletableFuture<?>> other : SEEN_FIRST) {
        call(other, i, 1);
      }
    }
  }

  @AfterEach
  void close() {
    tenrec.close();
  }

  static Stream<Arguments> all() {
    return Stream.of(What.values())
        .flatMap(what -> Stream.of(Door.values()).flatMap(door -> all(what, door)));
  }

  private static Stream<Arguments> all(What what, Door door) {
    return Stream.of(Key.values())
        .filter(key -> key == Key.NEW || what != What.MEMBER) // without a cache none is known
        .map(key -> Arguments.of(what, door, key));
  }

  private IntFunction<CompletableFuture<?>> door(What what, Door door) {
    if (what != What.CACHED_CALL) {
      Collapser<Integer, Integer> collapser = collapser(what);
      return switch (door) {
        case EXECUTE -> i -> CompletableFuture.completedFuture(collapser.execute(i));
        case ATTEMPT -> i -> CompletableFuture.completedFuture(collapser.attempt(i));
        case EXECUTE_ASYNC -> collapser::executeAsync;
        case ATTEMPT_ASYNC -> collapser::attemptAsync;
      };
    }
    Command<Integer, Integer> command =
        tenrec
            .command("Cached", (Integer i) -> i * 2)
            .isolation(Isolation.semaphore(FRAMES))
            .withoutCircuitBreaker()
            .withoutTimeout()
            .cacheKey(i -> i)
            .build();
    return switch (door) {
      case EXECUTE -> i -> CompletableFuture.completedFuture(command.execute(i));
      case ATTEMPT -> i -> CompletableFuture.completedFuture(command.attempt(i));
      case EXECUTE_ASYNC -> command::executeAsync;
      case ATTEMPT_ASYNC -> command::attemptAsync;
    };
  }

  private Collapser<Integer, Integer> collapser(What what) {
    var builder =
        tenrec
            .collapser(
                "Batch",
                (List<Integer> ids) ->
                    ids.stream()
                        .distinct()
                        .collect(Collectors.toMap(Function.identity(), i -> i * 2)))
            .isolation(Isolation.semaphore(FRAMES))
            .withoutCircuitBreaker()
            .withoutTimeout()
            .maxRequestsInBatch(1);
    return what == What.CACHED_MEMBER ? builder.cacheKey(i -> i).build() : builder.build();
  }

  /** Fills the stack, and makes the calls on the way back. */
  @SuppressWarnings("InfiniteRecursion") // until the stack is full
  private void deeper(IntFunction<CompletableFuture<?>> door, Key key, int padding) {
    try {
      deeper(door, key, padding);
    } catch (StackOverflowError e) {
      overflows++;
      thrown += calling ? 1 : 0;
      calling = false;
    }
    if (calls < FRAMES) {
      calls++;
      call(door, key == Key.NEW ? calls : KNOWN, padding); // or throws, to the next frame
    }
  }

  /** From so many frames further down: they take some of what is left of the stack. */
  private void call(IntFunction<CompletableFuture<?>> door, int of, int padding) {
    if (padding > 0) {
      call(door, of, padding - 1);
      return;
    }
    calling = true;
    CompletableFuture<?> future = door.apply(of);
    calling = false;
    futures.add(future);
  }

  @ParameterizedTest
  @MethodSource("all")
  void calls_whereTheStackIsNearlyFull_throwOrEnd(What what, Door through, Key key)
      throws Exception {
    IntFunction<CompletableFuture<?>> door = door(what, through);
    int full = 0;
    for (int round = 0; full < ROUNDS; round++) {
      assertThat(round)
          .as("rounds, of which %s had calls without stack enough", full)
          .isLessThan(MOST_ROUNDS);
      futures.clear();
      calls = 0;
      overflows = 0;
      thrown = 0;
      calling = false;
      int padding = round * round; // frames: few at first, and more than is unwound in the end
      try (RequestContext request = tenrec.openRequest()) {
        assertThat(door.apply(KNOWN).get()).isNotNull();
        Thread deep =
            new Thread(null, request.wrap(() -> deeper(door, key, padding)), "deep", STACK_BYTES);
        deep.start();
        deep.join();

        assertThat(overflows).as("the full stack").isPositive();
        assertThat(futures).as("those that did not throw, in round %s", round).isNotEmpty();
        int stopped = thrown; // and those below, whose answer is the error
        for (CompletableFuture<?> future : futures) {
          Object error = errorOf(future);
          assertThat(error).isInstanceOfAny(NoError.class, StackOverflowError.class);
          stopped += error instanceof StackOverflowError ? 1 : 0;
        }
        boolean known = what == What.CACHED_CALL && key == Key.KNOWN; // takes next to no stack
        if (known || stopped > 0) {
          full++;
        }
      }
    }
  }

  private static final class NoError {}

  private static Object errorOf(CompletableFuture<?> future) throws Exception {
    Object ended;
    try {
      ended = future.get();
    } catch (ExecutionException e) {
      return e.getCause();
    }
    if (ended instanceof Outcome<?> outcome) {
      return outcome.error() == null ? new NoError() : outcome.error();
    }
    assertThat(ended).isInstanceOf(Integer.class);
    return new NoError();
  }
}
