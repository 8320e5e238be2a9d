// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.stream.StreamFixture;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;

class StreamDoorTest extends StreamFixture {

  /** It has cancelled by that (2.13), and what it may still hold does not hold it (3.13). */
  @Test
  void subscriberThatThrowsAtItsSubscription_isLetGo() {
    AtomicReference<@Nullable Subscription> given = new AtomicReference<>();
    FlowableSubscriber<String> throwing =
        new FlowableSubscriber<>() {
          @Override
          public void onSubscribe(Subscription subscription) {
            given.set(subscription);
            throw new IllegalStateException("no subscription, please");
          }

          @Override
          public void onNext(String item) {}

          @Override
          public void onError(Throwable thrown) {}

          @Override
          public void onComplete() {}
        };
    StreamCommand<String, String> command = ticks().build();

    assertThatThrownBy(() -> command.toFlowable("x").subscribe(throwing))
        .hasRootCauseMessage("no subscription, please");

    assertThat(given.get()).isInstanceOf(Demand.class);
    StreamBridge<?> bridge = ((Demand) given.get()).bridge();
    synchronized (bridge) {
      assertThat(bridge.subscriber).isNull();
      assertThat(bridge.gone).isTrue();
    }
  }
}
