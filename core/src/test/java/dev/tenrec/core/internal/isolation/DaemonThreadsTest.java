// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

  private final ManualTime time = new ManualTime();
  private final DaemonThreads threads = new DaemonThreads("timer", time, time);

  @Test
  void newThread_isANamedDaemonThatInheritsNothing() throws Exception {
    InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
    String[] seen = {"unset"};
    ClassLoader mine = Thread.currentThread().getContextClassLoader();
    Thread thread;
    inheritable.set("from the caller");
    Thread.currentThread().setContextClassLoader(null);
    try {
      thread = threads.newThread(() -> seen[0] = inheritable.get());
    } finally {
      Thread.currentThread().setContextClassLoader(mine);
      inheritable.remove();
    }

    assertThat(thread.getName()).isEqualTo("tenrec-timer-1");
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
    assertThat(thread.getContextClassLoader()).isSameAs(mine);
    assertThat(threads.newThread(() -> {}).getName()).isEqualTo("tenrec-timer-2");
    thread.start();
    thread.join();
    assertThat(seen[0]).isNull();
  }

  /** The first caller's thread may have a low priority, which later callers' work must not get. */
  @Test
  void newThread_madeByAThreadOfLowPriority_hasTheUsualOne() {
    Thread mine = Thread.currentThread();
    int priority = mine.getPriority();
    mine.setPriority(Thread.MIN_PRIORITY);
    try {
      assertThat(threads.newThread(() -> {}).getPriority()).isEqualTo(Thread.NORM_PRIORITY);
    } finally {
      mine.setPriority(priority);
    }
  }

  @Test
  void live_countsFromStartToEnd() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Thread thread =
        threads.newThread(
            () -> {
              try {
                release.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(threads.live()).isZero();
    thread.start();
    assertThat(threads.live()).isEqualTo(1);
    assertThat(threads.awaitNone(time.nanoTime())).isFalse();
    assertThatThrownBy(thread::start).isInstanceOf(IllegalThreadStateException.class);
    assertThat(threads.live()).isEqualTo(1);

    release.countDown();
    assertThat(threads.awaitNone(Waiter.FOREVER)).isTrue();
    assertThat(threads.live()).isZero();
  }

  /** Else closing would keep a processor busy while it waits for work that goes on. */
  @Test
  void awaitNone_whileAThreadIsLive_sleepsUntilItsDeadline() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    threads.newThread(() -> Uninterruptibly.await(release)).start();
    AtomicBoolean none = new AtomicBoolean(true);
    long deadline = time.nanoTime() + 10_000_000;
    Thread waiting = Elsewhere.start(() -> none.set(threads.awaitNone(deadline)));

    await().until(() -> time.waiting().contains(waiting));
    time.advanceMillis(9);
    await().until(() -> time.waiting().contains(waiting));
    time.advanceMillis(1);
    waiting.join(PatientWaits.patience().toMillis());
    assertThat(waiting.isAlive()).isFalse();
    assertThat(none).isFalse();
    release.countDown();
    assertThat(threads.awaitNone(Waiter.FOREVER)).isTrue();
  }

  @Test
  void awaitNone_thatSleeps_endsWithTheLastThread() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    threads.newThread(() -> Uninterruptibly.await(release)).start();
    AtomicBoolean none = new AtomicBoolean();
    Thread waiting = Elsewhere.start(() -> none.set(threads.awaitNone(Waiter.FOREVER)));
    await().until(() -> time.waiting().contains(waiting));

    release.countDown();
    waiting.join(PatientWaits.patience().toMillis());

    assertThat(waiting.isAlive()).isFalse();
    assertThat(none).isTrue();
  }

  @Test
  void awaitNone_whenInterrupted_returnsWithTheFlag() {
    CountDownLatch never = new CountDownLatch(1);
    Thread thread =
        threads.newThread(
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    Thread.currentThread().interrupt();
    assertThat(threads.awaitNone(Waiter.FOREVER)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    thread.interrupt();
    assertThat(threads.awaitNone(Waiter.FOREVER)).isTrue();
  }

  @Test
  void live_ofAnExecutorsThreads_isZeroAgainAfterTheirEnd() throws Exception {
    AtomicInteger live = new AtomicInteger();
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    executor.execute(() -> live.set(threads.live()));
    executor.shutdown();
    assertThat(executor.awaitTermination(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(threads.awaitNone(Waiter.FOREVER)).isTrue();
    assertThat(live).hasValue(1);
    assertThat(threads.live()).isZero();
  }
}
