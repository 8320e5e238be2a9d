// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A stream that its pool's thread finds late in the queue, and that its subscriber cancels. */
class QueuedStreamTest {

  private final ManualTime time = new ManualTime();
  private final AtomicReference<@Nullable StreamExecution<?, ?>> call = new AtomicReference<>();
  private final AtomicBoolean shut = new AtomicBoolean();

  /** Only the pool's thread is late. The subscriber cancels when that thread looks once more. */
  private long read() {
    boolean worker = Thread.currentThread().getName().startsWith("tenrec-Ticks");
    StreamExecution<?, ?> begun = call.get();
    if (worker && begun != null && begun.hasStopped() && shut.compareAndSet(false, true)) {
      synchronized (begun.bridge) {
        begun.bridge.shut(); // as by the subscriber's thread, before that ends the call
      }
    }
    return time.nanoTime() + (worker ? Duration.ofSeconds(1).toNanos() : 0);
  }

  @Test
  void streamThatWasFoundLateInItsQueue_isNoSuccess() {
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onStart(ListenedCall started) {
            call.set((StreamExecution<?, ?>) started);
          }
        };
    Tenrec tenrec = Tenrec.builder().time(this::read, time).listen(listener).build();
    StreamCommand<String, String> command =
        tenrec
            .streamCommand("Ticks", (String argument) -> Flowable.just("never"))
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofSeconds(1))
            .build();

    TestSubscriber<String> subscriber = command.toFlowable("x").test();

    Scenario.await()
        .until(
            () -> {
              StreamExecution<?, ?> begun = call.get();
              return begun != null && begun.isAnswered();
            });
    assertThat(shut).isTrue();
    subscriber.assertNoValues();
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isZero();
    Elsewhere.close(tenrec, time);
  }
}
