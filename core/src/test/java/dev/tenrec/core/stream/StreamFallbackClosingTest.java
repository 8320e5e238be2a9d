// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** Closing over streams at their fallback, whose sources came to their end after that had begun. */
class StreamFallbackClosingTest extends StreamFixture {

  private void awaitFallback() {
    Scenario.await().until(() -> second.subscribed.get() == 1);
  }

  /** The source's part is over: nothing but the fallback is left. */
  private void assertCancelledAtClose(
      StreamCommand<String, String> command, TestSubscriber<String> subscriber) throws Exception {
    awaitFallback();
    Scenario.await().until(() -> command.view().concurrency() == 0);
    subscriber.assertNotComplete().assertNoErrors();
    CompletableFuture<Boolean> closed = Elsewhere.call(() -> tenrec.close(Duration.ZERO).isEmpty());
    Scenario.await().until(() -> closed.isDone() || time.advanceMillis(1) == null);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    subscriber.assertFailure(CancellationException.class);
    Scenario.await().until(second::isCancelled);
  }

  @Test
  void workSlowerThanItsLimit_isCancelledAtClose() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol) -> {
                  begun.countDown();
                  Uninterruptibly.await(release);
                  return source;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(FIRST)
            .fallback((symbol, cause) -> second)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advance(FIRST);
    awaitFallback();
    release.countDown();
    assertCancelledAtClose(command, subscriber);
  }

  @Test
  void subscribeSlowerThanTheLimit_isCancelledAtClose() throws Exception {
    Publisher<String> slow =
        subscriber -> {
          source.subscribe(subscriber);
          time.advance(FIRST);
          awaitFallback();
        };
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String symbol) -> slow)
            .timeout(FIRST)
            .fallback((symbol, cause) -> second)
            .build();
    assertCancelledAtClose(command, command.toFlowable("x").test());
  }

  @Test
  void sourceCancelledAfterItsFallbackBegan_isCancelledAtClose() throws Exception {
    CompletableFuture<Call> shown = new CompletableFuture<>();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand(
                "Ticks",
                (String symbol, Call call) -> {
                  shown.complete(call);
                  return source;
                })
            .timeout(FIRST)
            .fallback((symbol, cause) -> second)
            .build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    shown.join().onCancel(this::awaitFallback); // the last that is registered runs first
    time.advance(FIRST);
    Scenario.await().until(source::isCancelled);
    assertCancelledAtClose(command, subscriber);
  }
}
