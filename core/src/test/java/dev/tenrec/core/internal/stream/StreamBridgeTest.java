// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StreamBridgeTest {

  private static final long FIRST = 10;

  /**
   * The thread of a pool that finds a stream late in its queue asks again before it ends it. If the
   * timer had shut the bridge in between, the stream was on time again: a success without an item.
   */
  @Test
  void expire_ofAStreamThatIsLate_leavesItLate() {
    AtomicLong now = new AtomicLong();
    StreamBridge<Integer> bridge =
        new StreamBridge<>(new TestSubscriber<>(), new StreamFaults("Quotes"), false);
    bridge.request(1);
    bridge.begin(null, new ItemTimeout(now::get, FIRST, ItemTimeout.NONE, FIRST), 0);
    assertThat(bridge.isLate()).isFalse();
    now.set(FIRST);
    assertThat(bridge.isLate()).isTrue();

    assertThat(bridge.expire(FIRST)).isTrue();

    assertThat(bridge.isLate()).isTrue();
  }
}
