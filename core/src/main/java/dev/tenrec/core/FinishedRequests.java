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
 * Reports the requests that close to each subscriber at its own pace: closing a request waits for
 * no subscriber. Thread-safe.
 */
final class FinishedRequests {

  /** How many may wait for a subscriber that is busy, and how many for one that has not asked. */
  static final int BUFFER = 1_000;

  private final CallbackShare callbacks;
  private final List<SampleSubscriber<FinishedRequest>> taps = new CopyOnWriteArrayList<>();

  /**
   * Written by the closing thread before it looks at the taps, read by a subscribing thread after
   * it has added its tap, ordered by volatile access. At least one of the two threads sees what the
   * other did.
   */
  private volatile boolean closed;

  FinishedRequests(CallbackShare callbacks) {
    this.callbacks = callbacks;
  }

  Flowable<FinishedRequest> stream() {
    return Flowable.create(this::listen, BackpressureStrategy.MISSING)
        .onBackpressureBuffer(BUFFER, () -> {}, BackpressureOverflowStrategy.DROP_OLDEST);
  }

  private void listen(FlowableEmitter<FinishedRequest> emitter) {
    SampleSubscriber<FinishedRequest> tap =
        new SampleSubscriber<>(
            new SampleFlowable.Listening<>(emitter), taps::remove, callbacks, BUFFER);
    taps.add(tap);
    emitter.setCancellable(() -> taps.remove(tap));
    if (closed) {
      taps.remove(tap);
      tap.end();
    }
  }

  /** Whether there is a subscriber to report a request to. */
  boolean areHeard() {
    return !taps.isEmpty();
  }

  void finished(FinishedRequest request) {
    taps.forEach(tap -> tap.offer(request));
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
