// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads bring tasks while threads fail to start: each task that was taken runs once. */
@Tag("race")
class CallbackShareRaceTest {

  private static final int BRINGERS = 4;
  private static final int TASKS = 20_000;

  private final Timer timer = new Timer(Ticker.system(), Waiter.system(), this::started);

  private Thread started(Runnable task) {
    Thread thread = new Thread(task, "race-callback");
    thread.setDaemon(true);
    return thread;
  }

  private Thread atRandom(Runnable task) {
    if (ThreadLocalRandom.current().nextInt(3) == 0) {
      throw new OutOfMemoryError("no thread, on purpose");
    }
    return started(task);
  }

  /** Ours; a user's that is up to no good: refuses, drops, runs here, keeps and throws. */
  private CallbackExecutor executor(boolean users) {
    Ticker ticker = Ticker.system();
    Waiter waiter = Waiter.system();
    if (!users) {
      return CallbackExecutor.bounded(3, 10, timer, ticker, waiter, this::atRandom);
    }
    return CallbackExecutor.of(
        task -> {
          switch (ThreadLocalRandom.current().nextInt(5)) {
            case 0 -> throw new IllegalStateException("refused, on purpose");
            case 1 -> task.run();
            case 2 -> {
              started(task).start();
              throw new IllegalStateException("kept and refused, on purpose");
            }
            case 3 -> {
              // dropped
            }
            default -> started(task).start();
          }
        },
        timer,
        ticker,
        waiter,
        this::atRandom);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tasks_broughtAtRandom_runOnce(boolean users) throws Exception {
    CallbackExecutor executor = executor(users);
    List<CallbackShare> shares =
        List.of(executor.newShare("a"), executor.newShare("b"), executor.newShare("c"));
    AtomicIntegerArray runs = new AtomicIntegerArray(BRINGERS * TASKS);
    AtomicIntegerArray taken = new AtomicIntegerArray(BRINGERS * TASKS);
    AtomicInteger wrongThread = new AtomicInteger();
    List<Thread> bringers = new ArrayList<>();
    for (int b = 0; b < BRINGERS; b++) {
      int from = b * TASKS;
      Thread bringer =
          new Thread(() -> bring(shares, from, runs, taken, wrongThread), "race-bringer");
      bringer.start();
      bringers.add(bringer);
    }
    for (Thread bringer : bringers) {
      bringer.join(PatientWaits.patience().toMillis());
      assertThat(bringer.isAlive()).isFalse();
    }
    await()
        .atMost(PatientWaits.patience())
        .until(() -> shares.stream().allMatch(share -> share.threads() + share.waiting() == 0));
    // it may wait for hours, and is back because there is nothing to wait for
    long hours = Ticker.system().nanoTime() + Duration.ofHours(2).toNanos();
    CompletableFuture<List<CallbackExecutor.Stuck>> closed =
        Elsewhere.call(() -> executor.close(hours, hours));
    assertThat(closed.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEmpty();
    // but for the next try for a share that another task has found a thread for meanwhile
    assertThat(timer.close()).noneMatch(Runner.class::isInstance);
    for (int i = 0; i < runs.length(); i++) {
      assertThat(runs.get(i)).as("runs of task %d", i).isEqualTo(taken.get(i));
    }
    assertThat(wrongThread).as("tasks on the thread that brought them").hasValue(0);
  }

  private static void bring(
      List<CallbackShare> shares,
      int from,
      AtomicIntegerArray runs,
      AtomicIntegerArray taken,
      AtomicInteger wrongThread) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Thread bringer = Thread.currentThread();
    long end = System.nanoTime() + 1_000_000_000;
    for (int i = from; i < from + TASKS && System.nanoTime() - end < 0; i++) {
      int number = i;
      CallbackTask task =
          CallbackTask.of(
              () -> {
                runs.incrementAndGet(number);
                if (Thread.currentThread() == bringer) {
                  wrongThread.incrementAndGet();
                }
                if ((number & 4_095) == 0) {
                  throw new IllegalStateException("on purpose");
                }
              });
      CallbackShare share = shares.get(random.nextInt(shares.size()));
      if (random.nextBoolean()) {
        share.execute(task);
        taken.set(number, 1);
      } else {
        taken.set(number, share.offer(task) ? 1 : 0);
      }
      for (int spins = random.nextInt(200); spins > 0; spins--) {
        Thread.onSpinWait();
      }
    }
  }
}
