// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.callback.FailureLog;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an ending of a shared run does while some that share it are left. */
class SharedEndingTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CommandRuntime runtime =
      Inside.runtime(tenrec.command("Subject", (String argument) -> argument).build().view());
  private final AtomicBoolean noneLeft = new AtomicBoolean();
  private final SharedEnding ending = new SharedEnding(runtime, noneLeft::get);

  @AfterEach
  void close() {
    noneLeft.set(true);
    assertThat(Elsewhere.call(() -> tenrec.close(Duration.ZERO)))
        .succeedsWithin(PatientWaits.patience());
  }

  /** The timer's node is in one list at most. */
  @Test
  void end_whileTheTimerHasIt_isNotArmedAgain() {
    ending.end();
    ending.end();

    Scenario.await().until(() -> Inside.pendingTimeouts(runtime) == 1);
    noneLeft.set(true);
    ending.end();
    assertThat(ending.isEnded()).isTrue();
  }

  /** Time stands still, and is before zero. */
  @Test
  void end_thatLeavesSome_isTriedAgainAtOnce() {
    AtomicInteger tries = new AtomicInteger();
    SharedEnding shared = new SharedEnding(runtime, () -> tries.incrementAndGet() > 1);

    shared.end();

    Scenario.await().until(shared::isEnded);
    assertThat(tries).hasValue(2);
  }

  @Test
  void step_thatFails_isLogged_andTriedAgain() throws Exception {
    SwitchedLogging.requireInstalled();
    List<String> lines = new CopyOnWriteArrayList<>();
    AtomicInteger tries = new AtomicInteger();
    SharedEnding shared =
        new SharedEnding(
            runtime,
            () -> {
              if (tries.getAndIncrement() == 0) {
                throw new OutOfMemoryError("of the test");
              }
              return true;
            });
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      shared.end();

      Scenario.await().until(() -> lines.contains(FailureLog.class.getName()));
    }
    Scenario.await().until(shared::isEnded);
  }

  /** Or the timer would forget it, and closing would not find it. */
  @Test
  void expiry_afterTheTimerWasClosed_failsWhileSomeAreLeft() {
    close();
    noneLeft.set(false);

    assertThatThrownBy(ending::expired).isInstanceOf(IllegalStateException.class);
    assertThat(ending.isEnded()).isFalse();
  }

  /** Time stands still: it is the thread that closes that has to wake them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void end_whileTheThreadThatClosesNotifiesTheLast_isOverWithThat(int threads) {
    AtomicReference<Thread> closer = new AtomicReference<>();
    CountDownLatch notifying = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    SharedEnding shared =
        new SharedEnding(
            runtime,
            () -> {
              boolean closes = Thread.currentThread() == closer.get();
              if (closes) {
                notifying.countDown();
                Uninterruptibly.await(goOn);
              }
              return closes;
            });
    shared.end();
    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(
            () -> {
              closer.set(Thread.currentThread());
              return tenrec.close(Duration.ZERO);
            });
    Uninterruptibly.await(notifying);
    List<Thread> enders = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread next = Elsewhere.start(shared::end);
      enders.add(next);
      Scenario.await().until(() -> time.waiting().contains(next));
    }

    goOn.countDown();

    Scenario.await().until(() -> enders.stream().noneMatch(Thread::isAlive));
    assertThat(shared.isEnded()).isTrue();
    assertThat(closed).succeedsWithin(PatientWaits.patience());
  }

  /** The timer still notified some when closing found some left. */
  @Test
  void end_whileTheTimerNotifiesTheLast_isOverWithThat() {
    AtomicBoolean last = new AtomicBoolean();
    Thread timers = Thread.currentThread();
    SharedEnding shared =
        new SharedEnding(runtime, () -> last.get() && Thread.currentThread() == timers);
    shared.end();
    assertThatThrownBy(shared::closed).isInstanceOf(IllegalStateException.class);
    Thread ender = Elsewhere.start(shared::end);
    Scenario.await().until(() -> time.waiting().contains(ender));
    last.set(true);

    shared.expired();

    Scenario.await().until(() -> !ender.isAlive());
    assertThat(shared.isEnded()).isTrue();
  }
}
