// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.OwnThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cache does with the methods of its keys, which are users' code. */
@OwnThread
class RequestCacheKeysTest {

  private final RequestCache cache = new RequestCache();
  private final Object owner = new Object();

  /** All of them collide, and what comparing does is for the test to say. */
  private record Colliding(int number, Runnable comparing) {

    static Colliding of(int number) {
      return new Colliding(number, () -> {});
    }

    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      comparing.run();
      return other instanceof Colliding that && number == that.number;
    }
  }

  private static SharedRun<String> run() {
    return new SharedRun<>();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void runs_ofManyKeysAndOwners_areFoundUntilTheyAreTakenOut(boolean colliding) {
    Object other = new Object();
    List<SharedRun<String>> runs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Object key = colliding ? Colliding.of(i) : Integer.valueOf(i);
      SharedRun<String> run = run();
      assertThat(cache.find(owner, key)).isNull();
      assertThat(cache.putIfAbsent(owner, key, run)).isTrue();
      assertThat(cache.putIfAbsent(owner, key, run())).isFalse();
      assertThat(cache.find(other, key)).isNull();
      runs.add(run);
    }
    SharedRun<String> ofOther = run();
    assertThat(cache.putIfAbsent(other, colliding ? Colliding.of(5) : 5, ofOther)).isTrue();

    for (int i = 0; i < 200; i++) {
      Object key = colliding ? Colliding.of(i) : Integer.valueOf(i);
      assertThat(cache.find(owner, key)).isSameAs(runs.get(i));
      if (i % 3 == 0) {
        cache.remove(owner, key, run()); // of which there is another
        assertThat(cache.find(owner, key)).isSameAs(runs.get(i));
        cache.remove(owner, key, runs.get(i));
        cache.remove(owner, key, runs.get(i));
        assertThat(cache.find(owner, key)).isNull();
      } else if (i % 3 == 1) {
        cache.clear(owner, key);
        assertThat(cache.find(owner, key)).isNull();
        assertThat(cache.putIfAbsent(owner, key, run())).isTrue();
      }
    }
    for (int i = 2; i < 200; i += 3) {
      assertThat(cache.find(owner, colliding ? Colliding.of(i) : i)).isSameAs(runs.get(i));
    }
    assertThat(cache.find(other, colliding ? Colliding.of(5) : 5)).isSameAs(ofOther);
  }

  @Test
  void cache_thatIsEmpty_hasNothingToFindOrToTakeOut() {
    assertThat(cache.find(owner, "key")).isNull();
    cache.clear(owner, "key");
    cache.remove(owner, "key", run());
    assertThat(cache.find(owner, "key")).isNull();
  }

  /** Whatever it is compared for. */
  @ParameterizedTest
  @ValueSource(strings = {"find", "put", "clear"})
  void key_whoseEqualsBlocks_holdsUpNoOther(String step) throws Exception {
    CountDownLatch comparing = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Colliding blocking =
        new Colliding(
            2,
            () -> {
              comparing.countDown();
              Uninterruptibly.await(release);
            });
    assertThat(cache.putIfAbsent(owner, Colliding.of(1), run())).isTrue();
    SharedRun<String> blocked = run();
    Thread asks =
        new Thread(
            () -> {
              switch (step) {
                case "find" -> cache.find(owner, blocking);
                case "put" -> cache.putIfAbsent(owner, blocking, blocked);
                default -> cache.clear(owner, blocking);
              }
            });
    asks.start();
    comparing.await();

    SharedRun<String> third = run();
    assertThat(cache.putIfAbsent(owner, Colliding.of(3), third)).isTrue();
    assertThat(cache.find(owner, Colliding.of(3))).isSameAs(third);
    cache.clear(owner, Colliding.of(1));
    assertThat(cache.find(owner, Colliding.of(1))).isNull();
    for (int i = 10; i < 100; i++) { // the table grows meanwhile
      assertThat(cache.putIfAbsent(owner, i, run())).isTrue();
    }
    release.countDown();
    asks.join();

    assertThat(cache.find(owner, Colliding.of(3))).isSameAs(third);
    assertThat(cache.find(owner, Colliding.of(2))).isSameAs("put".equals(step) ? blocked : null);
  }

  /** It has compared itself with those that were there, and has to look at what came meanwhile. */
  @Test
  void put_ofAKeyThatCameMeanwhile_isRefused() {
    SharedRun<String> first = run();
    assertThat(cache.putIfAbsent(owner, Colliding.of(1), run())).isTrue();
    AtomicInteger comparisons = new AtomicInteger();
    Colliding late =
        new Colliding(
            2,
            () -> {
              if (comparisons.getAndIncrement() == 0) {
                assertThat(cache.putIfAbsent(owner, Colliding.of(2), first)).isTrue();
              }
            });

    assertThat(cache.putIfAbsent(owner, late, run())).isFalse();

    assertThat(cache.find(owner, Colliding.of(2))).isSameAs(first);
    assertThat(comparisons).as("with the first, and with the one that came").hasValue(2);
  }

  @Test
  void key_whoseEqualsThrows_leavesAllAsItWas() {
    SharedRun<String> first = run();
    assertThat(cache.putIfAbsent(owner, Colliding.of(1), first)).isTrue();
    Colliding broken =
        new Colliding(
            2,
            () -> {
              throw new IllegalStateException("of the test");
            });

    assertThatThrownBy(() -> cache.putIfAbsent(owner, broken, run()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.clear(owner, broken)).isInstanceOf(IllegalStateException.class);

    assertThat(cache.find(owner, Colliding.of(1))).isSameAs(first);
    assertThat(cache.find(owner, Colliding.of(2))).isNull();
  }

  @Test
  @Tag("race")
  void runs_broughtAndTakenOutByManyThreads_areThereOnce() throws Exception {
    int threads = 4;
    for (int round = 0; round < 50; round++) {
      RequestCache shared = new RequestCache();
      CyclicBarrier together = new CyclicBarrier(threads);
      AtomicInteger brought = new AtomicInteger();
      AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
      List<Thread> started = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int own = -1 - t;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    together.await();
                    for (int i = 0; i < 100; i++) {
                      if (shared.putIfAbsent(owner, i % 2 == 0 ? i : Colliding.of(i), run())) {
                        brought.incrementAndGet();
                      }
                      SharedRun<String> mine = run(); // one that comes and goes all the time
                      assertThat(shared.putIfAbsent(owner, Colliding.of(own), mine)).isTrue();
                      assertThat(shared.find(owner, Colliding.of(own))).isSameAs(mine);
                      shared.remove(owner, Colliding.of(own), mine);
                      assertThat(shared.find(owner, Colliding.of(own))).isNull();
                    }
                  } catch (Throwable thrown) {
                    failed.set(thrown);
                  }
                });
        started.add(thread);
        thread.start();
      }
      for (Thread thread : started) {
        thread.join();
      }
      assertThat(failed).hasValue(null);
      assertThat(brought).hasValue(100);
      for (int i = 0; i < 100; i++) {
        assertThat(shared.find(owner, i % 2 == 0 ? i : Colliding.of(i))).isNotNull();
      }
    }
  }
}
