// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cache whose keys fail where they are compared: when a call looks for a run, or when it brings
 * one. That call fails, and no later call may wait for a run that never begins.
 */
class BrokenKeyTest {

  /** How many comparisons go well, before one fails. */
  private static final AtomicInteger GOOD = new AtomicInteger(Integer.MAX_VALUE);

  /** All of them collide. */
  private record Key(int number) {

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (GOOD.getAndDecrement() == 0) {
        throw new OutOfMemoryError("of the test");
      }
      return other instanceof Key key && key.number == number;
    }
  }

  /** No call has to end by it. */
  private static final Duration NEVER = Duration.ofHours(1);

  private final Tenrec tenrec = Tenrec.create();

  @AfterEach
  void close() {
    GOOD.set(Integer.MAX_VALUE);
    assertThat(tenrec.close(PatientWaits.patience())).isEmpty();
  }

  static List<Isolation> isolations() {
    return RequestContextTest.isolations().toList();
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void call_afterTheCacheFailedWithItsKey_runsAnew(Isolation isolation) throws Exception {
    Command<Key, Integer> command =
        tenrec
            .command("Get", (Key key) -> key.number)
            .isolation(isolation)
            .timeout(NEVER)
            .cacheKey(key -> key)
            .build();

    assertRunsAnew(command::executeAsync);
    assertThat(command.view().concurrency()).isZero();
  }

  @Test
  void member_afterTheCacheFailedWithItsKey_isAskedForAnew() throws Exception {
    Collapser<Key, Integer> collapser =
        tenrec
            .collapser(
                "Batch",
                (List<Key> keys) -> {
                  Map<Key, Integer> answers = new HashMap<>();
                  keys.forEach(key -> answers.put(key, key.number));
                  return answers;
                })
            .timeout(NEVER)
            .cacheKey(key -> key)
            .build();

    assertRunsAnew(collapser::executeAsync);
  }

  private void assertRunsAnew(Function<Key, CompletableFuture<Integer>> door) throws Exception {
    for (int keys = 1; keys <= 5; keys++) {
      int failed = 0;
      // it is compared with each key twice: to look for a run, and to bring one
      for (int good = 0; good < 2 * keys; good++) {
        failed += runsAnew(door, keys, good) ? 1 : 0;
      }
      assertThat(failed).as("with %s keys", keys).isEqualTo(2 * keys);
    }
  }

  /** Whether the call failed whose key was compared once more than goes well. */
  private boolean runsAnew(Function<Key, CompletableFuture<Integer>> door, int keys, int good)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      for (int number = 0; number < keys; number++) {
        assertThat(door.apply(new Key(number)).get(PatientWaits.seconds(), TimeUnit.SECONDS))
            .isEqualTo(number);
      }
      GOOD.set(good);
      CompletableFuture<Integer> call = door.apply(new Key(keys));
      GOOD.set(Integer.MAX_VALUE);
      boolean failed = call.isCompletedExceptionally(); // before the call has returned
      if (failed) {
        assertThatThrownBy(call::join)
            .isInstanceOf(CompletionException.class)
            .hasRootCauseMessage("of the test");
      }

      assertThat(door.apply(new Key(keys)).get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isEqualTo(keys);
      assertThat(door.apply(new Key(keys)).get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isEqualTo(keys);
      return failed;
    }
  }
}
