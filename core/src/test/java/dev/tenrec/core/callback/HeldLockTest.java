// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Users may lock what they are given; the engine must not wait for such a lock. */
class HeldLockTest {

  private static final Duration TIMEOUT = Duration.ofMillis(50);

  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    release.countDown();
    Elsewhere.close(tenrec, time);
  }

  private Command<String, String> other() {
    return tenrec
        .asyncCommand("Other", (String s) -> new CompletableFuture<String>())
        .timeout(TIMEOUT)
        .build();
  }

  private void assertTimesOut(Command<String, String> other) {
    CompletableFuture<String> call = other.executeAsync("x");
    time.advance(TIMEOUT);
    assertThatThrownBy(() -> call.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertThat(release.getCount()).as("the lock is held still").isOne();
  }

  @Test
  void work_thatHoldsTheLockOfItsCall_holdsUpNoTimeOut() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Command<String, String> locking =
        tenrec
            .command(
                "Locking",
                (String s, Call call) -> {
                  call.onCancel(() -> {});
                  synchronized (call) {
                    both.countDown();
                    Uninterruptibly.await(release);
                  }
                  return s;
                })
            .timeout(TIMEOUT)
            .build();

    CompletableFuture<String> late = locking.executeAsync("x");
    CompletableFuture<String> waiting = Elsewhere.call(() -> locking.execute("x"));
    assertThat(both.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advance(TIMEOUT);

    assertThatThrownBy(() -> late.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertThatThrownBy(() -> waiting.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertTimesOut(other());
  }

  @Test
  void subscriber_thatHoldsTheLockOfItsSubscription_holdsUpNoTimeOut() throws Exception {
    StreamCommand<String, String> stream =
        tenrec
            .streamCommand(
                "Never", (String s) -> io.reactivex.rxjava3.core.Flowable.<String>never())
            .timeout(TIMEOUT)
            .build();
    Thread holder =
        new Thread(
            () ->
                stream
                    .toFlowable("x")
                    .subscribe(
                        new Subscriber<String>() {
                          @Override
                          public void onSubscribe(Subscription subscription) {
                            subscription.request(1);
                            new Thread(
                                    () -> {
                                      synchronized (subscription) {
                                        held.countDown();
                                        Uninterruptibly.await(release);
                                      }
                                    })
                                .start();
                            Uninterruptibly.await(held);
                          }

                          @Override
                          public void onNext(String item) {}

                          @Override
                          public void onError(Throwable error) {}

                          @Override
                          public void onComplete() {}
                        }));
    holder.start();
    assertThat(held.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

    assertTimesOut(other());
    release.countDown();
    holder.join();
  }
}
