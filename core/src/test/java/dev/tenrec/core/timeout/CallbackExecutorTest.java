// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbackExecutorTest {

  private final ManualTime time = new ManualTime();
  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch release = new CountDownLatch(1);
  private final CallbackExecutor callbacks = bounded(2, 1);

  @AfterEach
  void close() {
    release.countDown();
    List<Runnable> unused = callbacks.close(time.nanoTime() + 60_000_000_000L);
    await().until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void tryExecute_runsOnANamedDaemonThread() {
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    assertThat(callbacks.tryExecute(() -> ranOn.set(Thread.currentThread()))).isTrue();
    await().until(() -> ranOn.get() != null);
    assertThat(ranOn.get().getName()).isEqualTo("tenrec-callback-1");
    assertThat(ranOn.get().isDaemon()).isTrue();
  }

  @Test
  void tryExecute_whenFull_refusesAndCounts() {
    fill();
    assertThat(callbacks.tryExecute(() -> {})).isFalse();
    assertThat(callbacks.refused()).isEqualTo(1);
  }

  @Test
  void tryExecute_withoutAQueue_refusesWhenAllThreadsAreBusy() {
    CallbackExecutor narrow = bounded(1, 0);
    assertThat(narrow.tryExecute(this::block)).isTrue();
    assertThat(narrow.tryExecute(() -> {})).isFalse();
    release.countDown();
    assertThat(narrow.close(time.nanoTime() + 60_000_000_000L)).isEmpty();
  }

  @Test
  void tryExecute_taskThatThrows_leavesTheThreadInUse() {
    CallbackExecutor one = bounded(1, 10);
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    one.tryExecute(
        () -> {
          throw new AssertionError("a callback that fails on purpose");
        });
    one.tryExecute(() -> ranOn.set(Thread.currentThread()));
    await().until(() -> ranOn.get() != null);
    assertThat(threads).hasSize(1);
    assertThat(one.close(time.nanoTime() + 60_000_000_000L)).isEmpty();
  }

  @Test
  void overflow_whenFull_deliversInOrderOnOneThread() throws Exception {
    fill();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Thread> ranOn = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      int number = i;
      callbacks.overflow(
          () -> {
            order.add(number);
            ranOn.add(Thread.currentThread());
            done.countDown();
          });
    }
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(order).isSorted();
    assertThat(ranOn).containsOnly(ranOn.get(0)).doesNotContain(Thread.currentThread());
  }

  @Test
  void overflow_afterClose_deliversOnTheCallingThread() {
    CallbackExecutor closed = bounded(1, 1);
    assertThat(closed.close(time.nanoTime())).isEmpty();
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    closed.overflow(() -> ranOn.set(Thread.currentThread()));
    assertThat(ranOn).hasValue(Thread.currentThread());
    assertThat(closed.tryExecute(() -> {})).isFalse();
  }

  @Test
  void overflow_whenNoThreadCanBeStarted_deliversWithTheNextOne() {
    boolean[] failing = {true};
    CallbackExecutor poor =
        CallbackExecutor.of(
            Runnable::run,
            time,
            time,
            task -> {
              if (failing[0]) {
                throw new OutOfMemoryError("no thread, on purpose");
              }
              return new PlainDaemonThreads("late").newThread(task);
            });
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    poor.overflow(() -> order.add(1));
    assertThat(order).isEmpty();
    failing[0] = false;
    poor.overflow(() -> order.add(2));
    await().until(() -> order.size() == 2);
    assertThat(order).containsExactly(1, 2);
    assertThat(poor.close(time.nanoTime() + 60_000_000_000L)).isEmpty();
  }

  @Test
  void of_executorThatRunsOnTheCaller_countsAsFull() {
    CallbackExecutor direct = of(Runnable::run);
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    assertThat(direct.tryExecute(() -> ranOn.set(Thread.currentThread()))).isFalse();
    assertThat(ranOn).hasValue(null);
    assertThat(direct.refused()).isEqualTo(1);
  }

  @Test
  void of_executorThatThrows_countsAsFull() {
    CallbackExecutor broken =
        of(
            task -> {
              throw new IllegalStateException("an executor that fails on purpose");
            });
    assertThat(broken.tryExecute(() -> {})).isFalse();
    assertThat(broken.refused()).isEqualTo(1);
  }

  @Test
  void of_executorThatKeepsATaskAndThrows_doesNotRunItAfterTheRefusal() {
    List<Runnable> kept = new ArrayList<>();
    List<String> ran = new ArrayList<>();
    CallbackExecutor odd =
        of(
            task -> {
              kept.add(task);
              throw new IllegalStateException("an executor that fails on purpose");
            });
    assertThat(odd.tryExecute(() -> ran.add("task"))).isFalse();
    kept.forEach(Runnable::run);
    assertThat(ran).isEmpty();
  }

  @Test
  void of_taskThatTheBringingThreadRunsLater_runs() {
    List<Runnable> kept = new ArrayList<>();
    List<String> ran = new ArrayList<>();
    assertThat(of(kept::add).tryExecute(() -> ran.add("task"))).isTrue();
    kept.forEach(Runnable::run);
    assertThat(ran).containsExactly("task");
  }

  @Test
  void blockedCallbacks_doNotDelayTheTimer() {
    fill();
    Timer timer = new Timer(time, time, new PlainDaemonThreads("test-timer"));
    List<String> answered = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 5; i++) {
      TestTimeout timeout =
          new TestTimeout(time.nanoTime()) {
            @Override
            protected void expired() {
              super.expired();
              if (!callbacks.tryExecute(() -> answered.add("with fallback"))) {
                callbacks.overflow(() -> answered.add("bare"));
              }
            }
          };
      assertThat(timer.arm(timeout)).isTrue();
    }
    await().until(() -> answered.size() == 5);
    assertThat(answered).containsOnly("bare");
    assertThat(callbacks.refused()).isEqualTo(5);
    assertThat(timer.close()).isEmpty();
  }

  @Test
  void close_waitsForTasksThenInterruptsAndReturnsThoseThatNeverStarted() throws Exception {
    CallbackExecutor closing = bounded(1, 10);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    closing.tryExecute(
        () -> {
          started.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
        });
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    Runnable neverStarted = () -> {};
    assertThat(closing.tryExecute(neverStarted)).isTrue();
    AtomicReference<List<Runnable>> left = new AtomicReference<>();
    Thread closer = new Thread(() -> left.set(closing.close(time.nanoTime() + 1_000_000)));
    closer.start();
    await().until(() -> time.waiting().contains(closer));
    assertThat(interrupted.getCount()).isEqualTo(1);
    time.advanceMillis(1);
    closer.join(10_000);
    assertThat(left.get()).containsExactly(neverStarted);
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void close_whenTasksEnd_returnsWithoutTimeMoving() {
    CallbackExecutor closing = bounded(1, 10);
    closing.tryExecute(this::block);
    AtomicReference<List<Runnable>> left = new AtomicReference<>();
    Thread closer = new Thread(() -> left.set(closing.close(time.nanoTime() + 1_000_000)));
    closer.start();
    await().until(() -> time.waiting().contains(closer));
    release.countDown();
    await().atMost(Duration.ofSeconds(10)).until(() -> left.get() != null);
    assertThat(left.get()).isEmpty();
  }

  @Test
  void bounded_withImpossibleSizes_saysWhatWasExpected() {
    assertThatThrownBy(() -> bounded(0, 1)).hasMessage("callback threads: 0, expected 1 or more");
    assertThatThrownBy(() -> bounded(1, -1))
        .hasMessage("callback queue size: -1, expected 0 or more");
  }

  private void fill() {
    for (int i = 0; i < 3; i++) {
      assertThat(callbacks.tryExecute(this::block)).isTrue();
    }
  }

  private void block() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CallbackExecutor of(Executor executor) {
    return CallbackExecutor.of(executor, time, time, new PlainDaemonThreads("unused"));
  }

  private CallbackExecutor bounded(int threadCount, int queueSize) {
    PlainDaemonThreads factory = new PlainDaemonThreads("tenrec-callback");
    return CallbackExecutor.bounded(
        threadCount,
        queueSize,
        time,
        time,
        task -> {
          Thread thread = factory.newThread(task);
          threads.add(thread);
          return thread;
        });
  }
}
