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
 * Where there is no thread to report a value, it waits for one, for it may be long until the next
 * value. Thread-safe.
 */
final class Broadcast<T> {

  /** How many may wait for a subscriber that is busy, and how many for one that has not asked. */
  static final int BUFFER = 1_000;

  private final CallbackShare callbacks;
  private final List<SampleSubscriber<T>> subscribers = new CopyOnWriteArrayList<>();

  /**
   * Written by the closing thread before it looks at the subscribers, read by a subscribing thread
   * after it has added its subscriber, ordered by volatile access. At least one of the two threads
   * sees what the other did.
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
    SampleSubscriber<T> subscriber =
        new SampleSubscriber<>(
            new SampleFlowable.Listening<>(emitter), subscribers::remove, callbacks, BUFFER, true);
    subscribers.add(subscriber);
    emitter.setCancellable(() -> subscribers.remove(subscriber));
    if (closed) {
      subscribers.remove(subscriber);
      subscriber.end();
    }
  }

  /** Whether there is a subscriber to report a value to. */
  boolean areHeard() {
    return !subscribers.isEmpty();
  }

  void send(T value) {
    subscribers.forEach(subscriber -> subscriber.offer(value));
  }

  /** Takes none of them out, for which there may be no memory: each leaves when it has its end. */
  void close() {
    closed = true;
    subscribers.forEach(SampleSubscriber::end);
  }
}
