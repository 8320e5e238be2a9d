// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EMIT;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FALLBACK_EMIT;
import static dev.tenrec.metrics.event.EventType.FALLBACK_MISSING;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.StillRunning;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.core.stream.StreamFixture;
import dev.tenrec.core.stream.StreamSource;
import dev.tenrec.metrics.PatientWaits;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A listener blocks at an item that the subscriber has not got yet: the limit goes on, and no end
 * waits for the listener.
 */
class ListenerAtItemTest extends StreamFixture {

  private static final String BLOCKS = "blocks";

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @Override
  public TenrecBuilder builder() {
    return Unhurried.builder()
        .listen(
            new CommandListener() {
              @Override
              public void onEmit(ListenedCall call, @Nullable Object item) {
                at(item);
              }

              @Override
              public void onFallbackEmit(ListenedCall call, @Nullable Object item) {
                at(item);
              }
            });
  }

  private void at(@Nullable Object item) {
    if (BLOCKS.equals(item)) {
      reached.countDown();
      Uninterruptibly.await(released);
    }
  }

  @AfterEach
  void release() {
    released.countDown();
  }

  /** Sends the item at which the listener blocks; done when the publisher's thread is back. */
  private CompletableFuture<Boolean> block(StreamSource source) throws InterruptedException {
    CompletableFuture<Boolean> sent =
        Elsewhere.call(
            () -> {
              source.emit(BLOCKS);
              return true;
            });
    assertThat(reached.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    return sent;
  }

  private void release(CompletableFuture<Boolean> sent) throws Exception {
    released.countDown();
    assertThat(sent.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void assertTimedOut(TestSubscriber<String> subscriber, Limit limit)
      throws InterruptedException {
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .as("has its end")
        .isTrue();
    subscriber.assertError(
        thrown -> thrown instanceof CommandTimeoutException timeout && timeout.limit() == limit);
  }

  @Test
  void firstItem_thatAListenerHoldsUp_timesOut() throws Exception {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    CompletableFuture<Boolean> sent = block(source);
    time.advance(FIRST);
    assertTimedOut(subscriber, Limit.FIRST_ITEM);
    assertThat(sent).as("the listener still blocks").isNotDone();
    release(sent);
    subscriber.assertNoValues();
    assertCounted(command, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void nextItem_thatAListenerHoldsUp_timesOut() throws Exception {
    StreamCommand<String, String> command = ticks().betweenItemsTimeout(BETWEEN).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.emit("a");
    CompletableFuture<Boolean> sent = block(source);
    time.advance(BETWEEN);
    assertTimedOut(subscriber, Limit.NEXT_ITEM);
    assertThat(sent).as("the listener still blocks").isNotDone();
    release(sent);
    subscriber.assertValues("a");
    assertCounted(command, EMIT, TIMEOUT, FALLBACK_MISSING, EXCEPTION_THROWN);
  }

  @Test
  void item_thatAListenerHoldsUp_getsTheSubscriberAfterwardsIfInTime() throws Exception {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    CompletableFuture<Boolean> sent = block(source);
    time.advance(FIRST.minusMillis(1));
    subscriber.assertEmpty();
    release(sent);
    source.complete();
    subscriber.assertResult(BLOCKS);
    assertCounted(command, EMIT, SUCCESS);
  }

  @Test
  void fallback_whileAListenerHoldsUpTheSource_goesOnWithAllTheDemand() throws Exception {
    StreamCommand<String, String> command =
        ticks().fallback((symbol, cause) -> Flowable.just("f", "g")).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test(2);
    CompletableFuture<Boolean> sent = block(source);
    time.advance(FIRST);
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .as("has its end")
        .isTrue();
    assertThat(sent).as("the listener still blocks").isNotDone();
    release(sent);
    subscriber.assertResult("f", "g");
    assertCounted(command, TIMEOUT, FALLBACK_EMIT, FALLBACK_EMIT, FALLBACK_SUCCESS);
  }

  @Test
  void subscriberThatLeaves_whileAListenerHoldsUpItsItem_doesNotWait() throws Exception {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    CompletableFuture<Boolean> sent = block(source);
    subscriber.cancel();
    assertCancelled(source);
    release(sent);
    subscriber.assertNoValues();
    assertCounted(command, CANCELLED);
  }

  @Test
  void close_whileAListenerHoldsUpAnItem_endsTheStream() throws Exception {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test();
    CompletableFuture<Boolean> sent = block(source);
    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ZERO));
    assertThat(subscriber.await(PatientWaits.seconds(), TimeUnit.SECONDS))
        .as("has its end")
        .isTrue();
    subscriber.assertError(CancellationException.class);
    assertThat(sent).as("the listener still blocks").isNotDone();
    release(sent);
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(2);
              return closed.isDone();
            });
    subscriber.assertNoValues();
  }

  @Test
  void fallbacksItem_thatAListenerHoldsUp_doesNotHoldUpTheSubscriberThatLeaves() throws Exception {
    StreamCommand<String, String> command = ticks().fallback((symbol, cause) -> second).build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    source.fail(new IllegalStateException("cut"));
    CompletableFuture<Boolean> sent = block(second);
    subscriber.cancel();
    assertCancelled(second);
    release(sent);
    subscriber.assertNoValues();
  }

  /** Against the rules, and yet nothing is lost. */
  @Test
  void endOfAnotherThread_whileAListenerHoldsUpAnItem_comesAfterTheItem() throws Exception {
    StreamCommand<String, String> command = ticks().build();
    TestSubscriber<String> subscriber = command.toFlowable("x").test();
    CompletableFuture<Boolean> sent = block(source);
    source.complete();
    subscriber.assertEmpty();
    release(sent);
    subscriber.assertResult(BLOCKS);
    assertCounted(command, EMIT, SUCCESS);
  }

  @Test
  void itemOfAnotherThread_whileAListenerHoldsUpAnItem_isAFailure() throws Exception {
    TestSubscriber<String> subscriber = ticks().build().toFlowable("x").test();
    CompletableFuture<Boolean> sent = block(source);
    source.emit("b");
    subscriber.assertFailure(IllegalStateException.class);
    release(sent);
    subscriber.assertNoValues();
  }
}
