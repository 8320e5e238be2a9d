// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request, or a whole Tenrec, is closed at each of the last frames that a full stack has. All
 * that wait in a batch hear of their ending, and each of those that share a member of one.
 */
@Tag("race")
class DeepCloseTest {

  private static final long STACK_BYTES = 320 * 1_024;

  /** How often the stack is filled before it is known how many frames it has. */
  private static final int TRIES = 20;

  /** At so many depths a request is closed, all within the last tenth of the stack: 32 kB. */
  private static final int DEPTHS = 200;

  /** At so many a Tenrec is, all within the last fiftieth. */
  private static final int TENRECS = 40;

  private final ManualTime time = new ManualTime();

  /** Written by the deep thread, read by the test after it has ended. */
  private int deepest;

  private AutoCloseable quiet = () -> {};

  @BeforeEach
  void writeNoLines() { // each has a trace of a thousand frames
    SwitchedLogging.requireInstalled();
    quiet = SwitchedLogging.on(logger -> false);
  }

  @AfterEach
  void writeLines() throws Exception {
    quiet.close();
  }

  private int down(int left, Runnable end) {
    deepest++;
    if (left == 0) {
      end.run();
      return 0;
    }
    return down(left - 1, end) + 1;
  }

  private void deep(int frames, Runnable end) {
    deepest = 0;
    CompletableFuture<Boolean> full = new CompletableFuture<>();
    Runnable body =
        () -> {
          try {
            int unused = down(frames, end);
            full.complete(false);
          } catch (VirtualMachineError overflow) { // the JVM may have wrapped it
            full.complete(true);
          }
        };
    Thread deep = new Thread(null, body, "deep", STACK_BYTES);
    deep.setDaemon(true);
    deep.start();
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(1);
              return full.isDone();
            });
  }

  private int framesOfAFullStack() {
    int most = 0;
    for (int i = 0; i < TRIES; i++) {
      deep(Integer.MAX_VALUE, () -> {});
      most = Math.max(most, deepest);
    }
    return most;
  }

  /** Whose batches wait for longer than it takes to close. */
  private static Collapser<Integer, Integer> collapser(Tenrec tenrec, boolean shared) {
    CollapserBuilder<Integer, Integer> builder =
        tenrec
            .collapser(
                "Batch",
                (List<Integer> ids) -> ids.stream().collect(Collectors.toMap(i -> i, i -> i * 2)))
            .isolation(Isolation.semaphore(DEPTHS))
            .timerDelay(Duration.ofHours(1))
            .withoutTimeout();
    return shared ? builder.cacheKey(i -> i).build() : builder.build();
  }

  private static List<CompletableFuture<Boolean>> two(Collapser<Integer, Integer> collapser) {
    List<CompletableFuture<Boolean>> heard = new ArrayList<>();
    for (int call = 0; call < 2; call++) {
      heard.add(collapser.executeAsync(1).handle((answer, error) -> true));
    }
    return heard;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void membersOfARequest_closedWhereTheStackIsNearlyFull_hearOfTheirEnding(boolean shared) {
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    Collapser<Integer, Integer> collapser = collapser(tenrec, shared);
    int full = framesOfAFullStack();
    List<CompletableFuture<Boolean>> heard = new ArrayList<>();
    for (int depth = 0; depth < DEPTHS; depth++) {
      RequestContext request = tenrec.openRequest();
      heard.addAll(two(collapser));
      deep(full - depth * (full / 10) / DEPTHS, request::close);
      request.close(); // where there was no stack even to begin with that
    }

    time.advance(Duration.ofHours(1)); // what was not closed starts

    Scenario.await()
        .untilAsserted(
            () -> {
              time.advanceMillis(50);
              assertThat(heard).allMatch(CompletableFuture::isDone);
            });
    Elsewhere.close(tenrec, time);
  }

  /** Where there was no room for it, nothing has happened, and it is closed by a second call. */
  @Test
  void members_ofATenrecClosedWhereTheStackIsNearlyFull_hearOfTheirEnding() {
    int full = framesOfAFullStack();
    for (int depth = 0; depth < TENRECS; depth++) {
      Tenrec tenrec = Tenrec.builder().time(time, time).build();
      try (RequestContext request = tenrec.openRequest()) {
        List<CompletableFuture<Boolean>> heard = two(collapser(tenrec, true));
        int frames = full - depth * (full / 50) / TENRECS;

        deep(frames, () -> tenrec.close(Duration.ZERO));
        Elsewhere.close(tenrec, time);

        Scenario.await()
            .untilAsserted(
                () -> {
                  time.advanceMillis(50);
                  assertThat(heard).as("at frame %s", frames).allMatch(CompletableFuture::isDone);
                });
      }
    }
  }

  /** To end an execution takes more room than to end a member, and comes further in. */
  @Test
  void calls_ofATenrecClosedWhereTheStackIsNearlyFull_hearOfTheirEnding() {
    int full = framesOfAFullStack();
    for (int depth = 0; depth < TENRECS; depth++) {
      Tenrec tenrec = Tenrec.builder().time(time, time).build();
      CompletableFuture<String> call =
          tenrec
              .asyncCommand("Never", (String argument) -> new CompletableFuture<String>())
              .isolation(Isolation.semaphore(1))
              .withoutTimeout()
              .build()
              .executeAsync("x");
      int frames = full - depth * (full / 5) / TENRECS;

      deep(frames, () -> tenrec.close(Duration.ZERO));
      CompletableFuture<List<StillRunning>> closed =
          Elsewhere.call(() -> tenrec.close(Duration.ZERO));
      Scenario.await()
          .until(
              () -> {
                time.advanceMillis(1);
                return closed.isDone();
              });

      assertThat(call).as("at frame %s", frames).isDone();
    }
  }
}
