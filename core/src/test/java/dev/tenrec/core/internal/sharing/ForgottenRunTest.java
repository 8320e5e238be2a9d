// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.cache.SharedRun;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.observers.TestObserver;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A run that has no answer to remember: the cache of the request keeps nothing of it, also if no
 * equal call comes; and if the cache could not be told so, an equal call finds out.
 */
class ForgottenRunTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);

  /** All are equal. Something happens when one is hashed for the nth time. */
  private static final class Key {

    private final Map<Integer, Runnable> atNth;
    private final AtomicInteger hashed = new AtomicInteger();

    private Key(Map<Integer, Runnable> atNth) {
      this.atNth = atNth;
    }

    private static Key plain() {
      return new Key(Map.of());
    }

    @Override
    public boolean equals(@Nullable Object object) {
      return object instanceof Key;
    }

    @Override
    public int hashCode() {
      Runnable then = atNth.get(hashed.incrementAndGet());
      if (then != null) {
        then.run();
      }
      return 1;
    }
  }

  private static void fail() {
    throw new IllegalStateException("of the test");
  }

  @AfterEach
  void close() {
    release.countDown();
    Elsewhere.close(tenrec, time);
  }

  /** Its first run goes on. */
  private Command<Key, Integer> command(Isolation isolation) {
    return tenrec
        .command(
            "Get",
            (Key key) -> {
              int run = runs.incrementAndGet();
              if (run == 1) {
                release.await();
              }
              return run;
            })
        .isolation(isolation)
        .withoutTimeout()
        .cacheKey(key -> key)
        .build();
  }

  /** What that request keeps for a key that is equal to all. */
  private @Nullable SharedRun<?> kept(RequestContext request, Command<?, ?> command) {
    Registry registry = InsideTenrec.registry(tenrec);
    return kept(request, Objects.requireNonNull(registry.find(command.key())).runtime());
  }

  private @Nullable SharedRun<?> kept(RequestContext request, Object owner) {
    Registry registry = InsideTenrec.registry(tenrec);
    return request
        .<@Nullable SharedRun<?>>wrapSupplier(
            () ->
                Objects.requireNonNull(registry.engine().requests().openParts())
                    .cache()
                    .find(owner, Key.plain()))
        .get();
  }

  @Test
  void run_thatAllHaveLeft_isForgottenThoughNoOtherCallComes() {
    Command<Key, Integer> command = command(Isolation.threadPool());
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = command.executeAsync(Key.plain());
      CompletableFuture<Integer> hit = command.executeAsync(Key.plain());
      assertThat(first.cancel(true)).isTrue();
      assertThat(kept(request, command)).isNotNull();

      assertThat(hit.cancel(true)).isTrue();

      Scenario.await().until(() -> kept(request, command) == null);
    }
  }

  /** Its caller was, on whose thread it ran. */
  @Test
  void run_thatWasCancelled_isForgottenThoughNoOtherCallComes() throws Exception {
    Command<Key, Integer> command = command(Isolation.semaphore(5));
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Throwable> ending = new CompletableFuture<>();
      Runnable call = () -> ending.complete(command.attempt(Key.plain()).error());
      Thread caller = Elsewhere.start(request.wrap(call));
      Scenario.await().until(() -> runs.get() == 1);
      assertThat(kept(request, command)).isNotNull();

      caller.interrupt();

      assertThat(ending.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(CommandInterruptedException.class);
      Scenario.await().until(() -> kept(request, command) == null);
    }
  }

  /** Who left forgot it in vain: it was not there by then, or its key failed, as it does here. */
  @Test
  void run_thatAllHaveLeftBeforeItIsPutThere_isForgottenByTheThreadThatPutIt() {
    Command<Key, Integer> command = command(Isolation.threadPool());
    TestObserver<Integer> observer = new TestObserver<>();
    // hashed for the look, for putting it there, and for forgetting it
    Key key = new Key(Map.of(2, observer::dispose, 3, ForgottenRunTest::fail));
    try (RequestContext request = tenrec.openRequest()) {
      command.toSingle(key).subscribe(observer);

      Scenario.await().until(() -> kept(request, command) == null);
    }
    assertThat(key.hashed).hasValue(4);
    assertThat(runs).hasValue(0);
    observer.assertNoValues().assertNoErrors();
  }

  /** The same of a member of a batch: no batch begins for it. */
  @Test
  void member_thatAllHaveLeftBeforeItIsPutThere_isForgottenByTheThreadThatPutIt() {
    Collapser<Key, Integer> collapser =
        tenrec
            .collapser("Batch", (List<Key> keys) -> Map.<Key, Integer>of())
            .cacheKey(key -> key)
            .build();
    Object owner = InsideTenrec.registry(tenrec).collapsers().iterator().next().runtime();
    TestObserver<Integer> observer = new TestObserver<>();
    Key key = new Key(Map.of(2, observer::dispose, 3, ForgottenRunTest::fail));
    try (RequestContext request = tenrec.openRequest()) {
      collapser.toSingle(key).subscribe(observer);

      Scenario.await().until(() -> kept(request, owner) == null);
    }
    assertThat(key.hashed).hasValue(4);
    assertThat(collapser.view().cumulativeMembers()).isZero();
    observer.assertNoValues().assertNoErrors();
  }

  @Test
  void run_thatAllHaveLeftAndWhoseKeyFailedThen_isForgottenByTheNextCall() throws Exception {
    Command<Key, Integer> command = command(Isolation.threadPool());
    Key key = new Key(Map.of(3, ForgottenRunTest::fail));
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = command.executeAsync(key);
      Scenario.await().until(() -> runs.get() == 1);
      assertThat(first.cancel(true)).isTrue();
      Scenario.await().until(() -> key.hashed.get() == 3);
      assertThat(kept(request, command)).isNotNull();

      CompletableFuture<Integer> next =
          Elsewhere.call(request.wrapSupplier(() -> command.execute(Key.plain()))::get);

      assertThat(next.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo(2);
      assertThat(command.execute(Key.plain())).isEqualTo(2);
    }
  }
}
