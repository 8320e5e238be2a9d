// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.collapser.Batch;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.internal.door.MemberFuture;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A batch is ended while a user's function divides it into shards, and the thread that ends it
 * comes to its members only when the function has returned: here because the test has the batch's
 * lock, for which the dividing thread has no more use.
 */
class DivisionRaceTest {

  private final CountDownLatch divides = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();

  private Integer shardOf(Integer id) {
    divides.countDown();
    Uninterruptibly.await(goOn);
    return id;
  }

  private Map<Integer, Integer> answers(List<Integer> ids) {
    runs.incrementAndGet();
    Map<Integer, Integer> answers = new HashMap<>();
    ids.forEach(id -> answers.put(id, id));
    return answers;
  }

  private static Object valueOf(Object owner, Class<?> declaring, String name) throws Exception {
    Field field = declaring.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  private static Batch<?, ?> batchOf(CompletableFuture<?> future) throws Exception {
    Object place = valueOf(((MemberFuture<?, ?>) future).member(), Member.class, "place");
    return (Batch<?, ?>) valueOf(place, place.getClass(), "batch");
  }

  /** It has said that it ends them, and waits for the lock to look for them. */
  private static boolean isAtTheLock(Thread closer) {
    StackTraceElement[] frames = closer.getStackTrace();
    return frames.length > 0
        && frames[0].getClassName().equals(Batch.class.getName())
        && Arrays.stream(frames)
            .anyMatch(frame -> frame.getClassName().equals(DivisionWatch.class.getName()))
        && closer.getState() == Thread.State.BLOCKED;
  }

  private static @Nullable Throwable error(CompletableFuture<?> future) throws Exception {
    return future
        .<@Nullable Throwable>handle((value, error) -> error)
        .get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void members_dividedBeforeTheThreadThatEndsThemCameToThem_areEndedByTheDividingThread()
      throws Exception {
    Tenrec tenrec = Tenrec.create();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Batch", this::answers)
            .globalScope()
            .shards(this::shardOf)
            .maxRequestsInBatch(2)
            .timerDelay(Duration.ofMinutes(30)) // so that both are of one batch
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    Batch<?, ?> batch = batchOf(first);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Uninterruptibly.await(divides);
    Thread closer = new Thread(() -> tenrec.close(Duration.ofMillis(1)), "closer");

    synchronized (batch) {
      closer.start();
      await().until(() -> isAtTheLock(closer));
      goOn.countDown();

      assertThat(error(first)).isInstanceOf(CancellationException.class);
      assertThat(error(second)).isInstanceOf(CancellationException.class);
    }
    closer.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(closer.isAlive()).isFalse();
    assertThat(runs).as("works for members that wait").hasValue(0);
  }
}
