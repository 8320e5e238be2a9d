// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.sampling.HeldTasks;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.OwnThread;
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What is reported once and not again: it waits for a thread, for no later value may come to bring
 * it along.
 */
@OwnThread
class BroadcastTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  @Test
  void value_thatAFullExecutorRefuses_isReportedWithoutALaterOne() {
    HeldTasks tasks = new HeldTasks();
    Tenrec tenrec = leaks.watch(Tenrec.builder().callbackExecutor(tasks).build());
    TestSubscriber<FinishedRequest> heard = tenrec.finishedRequests().test();
    tasks.full(true);

    tenrec.openRequest().close();

    await().untilAsserted(() -> heard.assertValueCount(1));
  }

  @Test
  void value_forWhichNoThreadIsFree_isReportedWithoutALaterOne() {
    Tenrec tenrec = leaks.watch(Tenrec.builder().callbacks(1, 0).build());
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger heard = new AtomicInteger();
    CompositeDisposable subscribers = new CompositeDisposable();
    for (int i = 0; i < 5; i++) {
      subscribers.add(
          tenrec
              .finishedRequests()
              .subscribe(
                  finished -> {
                    Uninterruptibly.await(release);
                    heard.incrementAndGet();
                  }));
    }

    tenrec.openRequest().close();
    release.countDown();

    await().until(() -> heard.get() == 5);
    subscribers.dispose();
  }
}
