// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Subscribing, leaving, beats, removal and closing, all at once: a subscriber that has not left
 * gets the end once, nobody gets an older value than it had, and nothing is left.
 */
@Tag("race")
@OwnThread
class MetricStreamsRaceTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 20;
  private static final int SUBSCRIPTIONS = 50;

  private final AtomicInteger valuesSeen = new AtomicInteger();

  @Test
  void subscribeLeaveBeatAndRemove_orClose_losesNoEndAndLeavesNothing() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      round(round % 2 == 0);
    }
    assertThat(valuesSeen).hasPositiveValue();
  }

  private void round(boolean closing) throws Exception {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    Command<Integer, Integer> command =
        tenrec.command("Same", (Integer n) -> n).isolation(Isolation.semaphore(100)).build();
    CommandView view = command.view();
    List<List<TestSubscriber<CountsSnapshot>>> stayed = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger subscribed = new AtomicInteger();
    for (int i = 0; i < THREADS; i++) {
      List<TestSubscriber<CountsSnapshot>> own = new ArrayList<>(); // its thread's until the join
      stayed.add(own);
      threads.add(Elsewhere.start(() -> subscribeAndLeave(command, own, subscribed)));
    }
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(10_000))
        .until(
            () -> {
              time.advanceMillis(10);
              return subscribed.get() > THREADS * SUBSCRIPTIONS / 2;
            });
    if (closing) {
      closeWhileOthersSubscribe(tenrec, time);
    } else {
      assertThat(tenrec.remove("Same")).isTrue();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (List<TestSubscriber<CountsSnapshot>> own : stayed) {
      for (TestSubscriber<CountsSnapshot> one : own) {
        assertThat(one.await(PatientWaits.seconds(), TimeUnit.SECONDS))
            .as("notified of the end")
            .isTrue();
        one.assertNoErrors().assertComplete();
        assertNeverGoesBack(one.values());
        valuesSeen.addAndGet(one.values().size());
      }
    }
    assertThat(Inside.samplers(view)).isZero();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .untilAsserted(
            () -> {
              time.advanceMillis(10);
              assertThat(Inside.pendingTimeouts(Inside.runtime(view))).isZero();
            });
    Elsewhere.close(tenrec, time);
    // each that came after the close had its end on a thread made for it
    await().untilAsserted(() -> assertThat(tenrec.liveThreads()).isZero());
  }

  /** One that comes when all is quiet may be at its end on its thread when closing looks again. */
  private static void closeWhileOthersSubscribe(Tenrec tenrec, ManualTime time) {
    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ofMinutes(5)));
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              time.advance(Duration.ofNanos(200_000));
              return closed.isDone();
            });
    assertThat(closed.join())
        .extracting(StillRunning::thread)
        .allMatch(name -> name.startsWith("tenrec-callback-"));
  }

  private static void subscribeAndLeave(
      Command<Integer, Integer> command,
      List<TestSubscriber<CountsSnapshot>> stayed,
      AtomicInteger subscribed) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      TestSubscriber<CountsSnapshot> one =
          command.metricStreams().counts(Duration.ofMillis(random.nextBoolean() ? 10 : 20)).test();
      boolean unused = command.attempt(i).isSuccess();
      if (random.nextInt(4) == 0) {
        stayed.add(one);
      } else {
        one.cancel();
      }
      subscribed.incrementAndGet();
    }
  }

  private static void assertNeverGoesBack(List<CountsSnapshot> values) {
    assertThat(values).extracting(counts -> counts.cumulative().get(EventType.SUCCESS)).isSorted();
  }
}
