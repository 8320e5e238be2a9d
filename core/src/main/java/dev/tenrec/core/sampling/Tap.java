// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sampling;

import dev.tenrec.core.timeout.CallbackExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One listener of a {@link Sampler}, with the one reading that waits for it: a slow one misses some
 * and keeps nobody waiting.
 */
final class Tap<T> {

  private final SampleListener<? super T> listener;
  private final Consumer<Tap<T>> leaving;
  private final Errand delivery;

  /** Put there by the sampler, taken by the delivery. */
  private final AtomicReference<@Nullable T> latest = new AtomicReference<>();

  /** Set once by who ends it, read by the delivery, which the errand orders. */
  private volatile boolean ended;

  /** Whether the listener is told nothing any more. Used by the delivery alone. */
  private boolean over;

  /**
   * Nothing to tell yet.
   *
   * @param listener is told
   * @param leaving takes this away; called if the listener throws
   * @param callbacks where it is told
   */
  Tap(SampleListener<? super T> listener, Consumer<Tap<T>> leaving, CallbackExecutor callbacks) {
    this.listener = listener;
    this.leaving = leaving;
    this.delivery = new Errand(this::deliver, callbacks);
  }

  void offer(T value) {
    latest.set(value);
    delivery.ask();
  }

  void end() {
    ended = true;
    delivery.demand();
  }

  private void deliver() {
    boolean last = ended; // before the value: what was offered before the end is told before it
    T value = latest.getAndSet(null);
    if (over) {
      return;
    }
    boolean threw = true;
    try {
      if (value != null) {
        listener.sampled(value);
      }
      threw = false;
    } finally {
      if (threw) {
        over = true;
        leaving.accept(this);
      }
    }
    if (last) {
      over = true;
      listener.ended();
    }
  }
}
