// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The last call that shares a run leaves it, and the cache is asked to forget it by a key whose
 * methods fail or hang by now. The call has ended all the same, and its caller waits for nothing.
 */
@OwnThread
class LeftKeyTest {

  private enum Conduct {
    THROWS,
    BLOCKS
  }

  /** What its methods do from then on. */
  private final AtomicReference<@Nullable Conduct> conduct = new AtomicReference<>();

  private final CountDownLatch release = new CountDownLatch(1);
  private final Tenrec tenrec = Unhurried.tenrec();

  private final class Key {

    @Override
    public int hashCode() {
      Conduct now = conduct.get();
      if (now == Conduct.THROWS) {
        throw new IllegalStateException("of the test");
      }
      if (now == Conduct.BLOCKS) {
        Uninterruptibly.await(release);
      }
      return 1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }
  }

  @AfterEach
  void close() {
    conduct.set(null);
    release.countDown();
    tenrec.close(Duration.ofSeconds(1));
  }

  private Command<Key, Integer> command(CountDownLatch begun) {
    return tenrec
        .command(
            "Get",
            (Key key) -> {
              begun.countDown();
              release.await();
              return 1;
            })
        .isolation(Isolation.threadPool())
        .withoutTimeout()
        .cacheKey(key -> key)
        .build();
  }

  private Collapser<Key, Integer> collapser() {
    return tenrec
        .collapser("Batch", (List<Key> keys) -> Map.<Key, Integer>of())
        .timerDelay(Duration.ofDays(1))
        .withoutTimeout()
        .cacheKey(key -> key)
        .build();
  }

  private void assertCancels(
      Conduct what, Function<Key, CompletableFuture<Integer>> door, CountDownLatch begun)
      throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> future = door.apply(new Key());
      CompletableFuture<Throwable> dependent = future.handle((value, error) -> error);
      assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      conduct.set(what);

      CompletableFuture<Boolean> cancelled =
          Elsewhere.call(() -> future.cancel(true)); // which is not to wait for it
      assertThat(cancelled.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(future).isCancelled();
      assertThat(dependent.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(CancellationException.class);
      conduct.set(null);
      release.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource(Conduct.class)
  void cancel_ofTheLastCall_endsIt(Conduct what) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Command<Key, Integer> command = command(begun);

    assertCancels(what, command::executeAsync, begun);

    await().until(() -> command.view().concurrency() == 0);
  }

  @ParameterizedTest
  @EnumSource(Conduct.class)
  void cancel_ofTheLastMember_endsIt(Conduct what) throws Exception {
    assertCancels(what, collapser()::executeAsync, new CountDownLatch(0));
  }

  @ParameterizedTest
  @EnumSource(Conduct.class)
  void interrupt_ofTheLastCaller_endsItsCall(Conduct what) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Command<Key, Integer> command = command(begun);
    CompletableFuture<Throwable> ending = new CompletableFuture<>();
    try (RequestContext request = tenrec.openRequest()) {
      Thread caller =
          new Thread(
              request.wrap(
                  () -> {
                    Integer unused = command.execute(new Key());
                  }));
      caller.setUncaughtExceptionHandler((thread, thrown) -> ending.complete(thrown));
      caller.start();
      assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      conduct.set(what);

      caller.interrupt();

      assertThat(ending.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(CommandInterruptedException.class);
      conduct.set(null);
      release.countDown();
      caller.join();
    }
  }
}
