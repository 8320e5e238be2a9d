// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.sampling.SampleSubscriber;
import io.reactivex.rxjava3.core.BackpressureOverflowStrategy;
import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableEmitter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Reports each value to each subscriber at its own pace: the thread that sends it waits for none.
 * Thread-safe.
 */
final class Broadcast<T> {

  /** How many may wait for a subscriber that is busy, and how many for one that has not asked. */
  static final int BUFFER = 1_000;

  private final CallbackShare callbacks;
  private final List<SampleSubscriber<T>> taps = new CopyOnWriteArrayList<>();

  /**
   * Written by the closing thread before it looks at the taps, read by a subscribing thread after
   * it has added its tap, ordered by volatile access. At least one of the two threads sees what the
   * other did.
   */
  private volatile boolean closed;

  Broadcast(CallbackShare callbacks) {
    this.callbacks = callbacks;
  }

  Flowable<T> stream() {
    return Flowable.<T>create(this::listen, BackpressureStrategy.MISSING)
        .onBackpressureBuffer(BUFFER, () -> {}, BackpressureOverflowStrategy.DROP_OLDEST);
  }

  private void listen(FlowableEmitter<T> emitter) {
    SampleSubscriber<T> tap =
        new SampleSubscriber<>(
            new SampleFlowable.Listening<>(emitter), taps::remove, callbacks, BUFFER);
    taps.add(tap);
    emitter.setCancellable(() -> taps.remove(tap));
    if (closed) {
      taps.remove(tap);
      tap.end();
    }
  }

  /** Whether there is a subscriber to report a value to. */
  boolean areHeard() {
    return !taps.isEmpty();
  }

  void send(T value) {
    taps.forEach(tap -> tap.offer(value));
  }

  void close() {
    closed = true;
    taps.forEach(
        tap -> {
          if (taps.remove(tap)) {
            tap.end();
          }
        });
  }
}
