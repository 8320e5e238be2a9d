// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.internal.subscriptions.BooleanSubscription;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;

class StreamBridgeTest {

  private static final long FIRST = 10;

  /**
   * The thread of a pool that finds a stream late in its queue asks again before it ends it. If the
   * timer had shut the bridge in between, the stream was on time again: a success without an item.
   */
  @Test
  void expire_ofAStreamThatIsLate_leavesItLate() {
    AtomicLong now = new AtomicLong();
    StreamBridge<Integer> bridge = waiting(now);
    assertThat(bridge.isLate()).isFalse();
    now.set(FIRST);
    assertThat(bridge.isLate()).isTrue();

    assertThat(bridge.expire(FIRST)).isTrue();

    assertThat(bridge.isLate()).isTrue();
  }

  /** The timer that found no memory to end it calls again. */
  @Test
  void expire_ofAStreamThatIsLate_saysSoAgain() {
    AtomicLong now = new AtomicLong();
    StreamBridge<Integer> bridge = waiting(now);
    now.set(FIRST);

    assertThat(bridge.expire(FIRST)).isTrue();
    assertThat(bridge.expire(FIRST)).isTrue();
  }

  @Test
  void expire_ofAStreamThatALateItemHasEnded_leavesItToThat() {
    AtomicLong now = new AtomicLong();
    StreamBridge<Integer> bridge = waiting(now);
    now.set(FIRST);
    synchronized (bridge) {
      bridge.shutLate();
    }

    assertThat(bridge.expire(FIRST)).isFalse();
    assertThat(bridge.expire(FIRST)).isFalse();
    assertThat(bridge.watchAgain()).isEqualTo(ItemTimeout.NONE);
  }

  @Test
  void expire_ofAStreamThatBeganToWaitLater_isFollowedByAnotherWatch() {
    AtomicLong now = new AtomicLong();
    StreamBridge<Integer> bridge = bridge();
    bridge.begin(null, new ItemTimeout(now::get, FIRST, ItemTimeout.NONE, FIRST), 0);
    now.set(4);
    bridge.request(1);
    now.set(FIRST);

    assertThat(bridge.expire(FIRST)).isFalse();
    assertThat(bridge.watchAgain()).isEqualTo(FIRST + 4);
    assertThat(bridge.watchAgain()).as("one will look in time").isEqualTo(ItemTimeout.NONE);
    now.set(FIRST + 4);
    assertThat(bridge.expire(FIRST + 4)).isTrue();
  }

  @Test
  void turn_thatFails_keepsItsFirstEndBesideTheStage() {
    AtomicLong now = new AtomicLong();
    StreamBridge<Integer> bridge = waiting(now);
    UpstreamSubscriber<Integer> turn = bridge.openSource("Quotes");
    Exception failure = new Exception("of the source");

    turn.onError(failure);

    assertThat(turn.isDone()).isTrue();
    assertThat(turn.failure()).isSameAs(failure);
    assertThat(turn.cancel(true)).isFalse();
    assertThat(turn.failure()).isSameAs(failure);
  }

  @Test
  void turn_thatIsCancelled_fails() {
    StreamBridge<Integer> bridge = waiting(new AtomicLong());
    UpstreamSubscriber<Integer> turn = bridge.openSource("Quotes");

    assertThat(turn.failure()).isNull();
    assertThat(turn.cancel(true)).isTrue();

    assertThat(turn.isDone()).isTrue();
    assertThat(turn.failure()).isInstanceOf(CancellationException.class);
  }

  /**
   * Closing shuts the bridge later, when the end is delivered: what comes in between is refused.
   */
  @Test
  void turn_thatIsGivenUp_takesNoSubscription() {
    StreamBridge<Integer> bridge = waiting(new AtomicLong());
    UpstreamSubscriber<Integer> turn = bridge.openSource("Quotes");
    turn.giveUp();
    BooleanSubscription late = new BooleanSubscription();

    turn.onSubscribe(late);

    assertThat(late.isCancelled()).isTrue();
  }

  /** Also while its own is being cancelled, which is decided before. */
  @Test
  void turn_thatIsGivenUp_hasItsEndBeforeItsSubscriptionIsCancelled() {
    StreamBridge<Integer> bridge = waiting(new AtomicLong());
    UpstreamSubscriber<Integer> turn = bridge.openSource("Quotes");
    List<@Nullable Throwable> ends = new ArrayList<>();
    turn.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {
            ends.add(turn.failure());
          }
        });

    turn.giveUp();

    assertThat(ends).singleElement().isInstanceOf(CancellationException.class);
    assertThat(turn.isDone()).isTrue();
  }

  private static StreamBridge<Integer> bridge() {
    return new StreamBridge<>(new TestSubscriber<>(), new StreamFaults("Quotes"), false);
  }

  /** It waits for its first item since 0. */
  private static StreamBridge<Integer> waiting(AtomicLong now) {
    StreamBridge<Integer> bridge = bridge();
    bridge.request(1);
    bridge.begin(null, new ItemTimeout(now::get, FIRST, ItemTimeout.NONE, FIRST), 0);
    return bridge;
  }
}
