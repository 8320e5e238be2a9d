// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.MetricStreams;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.health.HealthSnapshot;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Bad subscribers of metric streams, on real threads and in real time. */
class MetricSubscribersTest {

  private static final Duration OFTEN = MetricStreams.SHORTEST_INTERVAL;

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();

  private static Command<Integer, Integer> command(Tenrec tenrec) {
    return tenrec.command("Same", (Integer n) -> n).isolation(Isolation.semaphore(1)).build();
  }

  /** That of a subscriber itself gives up after five seconds, and says nothing. */
  private static void awaitCount(TestSubscriber<?> subscriber, int atLeast) {
    await().until(() -> subscriber.values().size() >= atLeast);
  }

  @Test
  void blockedSubscriber_holdsUpNobody_andIsCompletedWhenItComesBack() {
    Tenrec tenrec = leaks.watch(Tenrec.create());
    MetricStreams streams = command(tenrec).metricStreams();
    CountDownLatch release = new CountDownLatch(1);
    TestSubscriber<HealthSnapshot> blocked =
        streams
            .health(OFTEN)
            .doOnNext(
                health -> {
                  threads.add(Thread.currentThread().getName());
                  Uninterruptibly.await(release);
                })
            .test();
    await().until(() -> !threads.isEmpty());
    TestSubscriber<HealthSnapshot> other = streams.health(OFTEN).test();
    awaitCount(other, 5);
    other.assertNotComplete();
    blocked.assertNoValues();

    assertThat(tenrec.remove("Same")).isTrue();
    await().untilAsserted(other::assertComplete);
    blocked.assertNotComplete();
    release.countDown();
    await().untilAsserted(blocked::assertComplete);
    assertThat(blocked.values()).hasSizeLessThanOrEqualTo(2); // the one it had, and the latest
    assertThat(threads).allMatch(name -> name.startsWith("tenrec-callback-"));
  }

  @Test
  void blockedSubscriber_whenTheTenrecCloses_isInterrupted_andTheOthersAreCompleted() {
    Tenrec tenrec = leaks.watch(Unhurried.builder().callbacks(1, 10).build());
    MetricStreams streams = command(tenrec).metricStreams();
    TestSubscriber<HealthSnapshot> blocked =
        streams
            .health(OFTEN)
            .doOnNext(
                health -> {
                  threads.add(Thread.currentThread().getName());
                  Uninterruptibly.sleepOrInterrupt();
                })
            .test();
    await().until(() -> !threads.isEmpty());
    TestSubscriber<HealthSnapshot> waiting =
        streams.health(OFTEN).test(); // behind it, in the queue
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    waiting.assertComplete();
    await().untilAsserted(() -> blocked.assertError(InterruptedException.class));
  }

  @Test
  void throwingSubscriber_hasLeft_andTheOthersGoOn() {
    Tenrec tenrec = leaks.watch(Tenrec.create());
    MetricStreams streams = command(tenrec).metricStreams();
    CountDownLatch thrown = new CountDownLatch(1);
    streams
        .health(OFTEN)
        .subscribe(
            new Subscriber<HealthSnapshot>() {
              @Override
              public void onSubscribe(Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
              }

              @Override
              public void onNext(HealthSnapshot health) {
                threads.add(Thread.currentThread().getName());
                thrown.countDown();
                throw new IllegalStateException("on purpose");
              }

              @Override
              public void onError(Throwable error) {
                threads.add("error");
              }

              @Override
              public void onComplete() {
                threads.add("complete");
              }
            });
    TestSubscriber<HealthSnapshot> other = streams.health(OFTEN).test();
    awaitCount(other, 3);
    Uninterruptibly.await(thrown);
    int have = other.values().size();
    awaitCount(other, have + 3);
    other.cancel();
    assertThat(threads).singleElement().asString().startsWith("tenrec-callback-");
  }
}
