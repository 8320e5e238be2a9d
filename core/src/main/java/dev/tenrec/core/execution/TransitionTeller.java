// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.timeout.CallbackExecutor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells transitions on the callback executor, one after the other. They happen in the middle of
 * somebody's call, on the timer's thread for one that times out: no place for a user's code.
 */
final class TransitionTeller {

  private final CallbackExecutor callbacks;
  private final HandOver.Running handedOver;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  /**
   * How many are waiting or being told. Who raises it from 0 hands over; who lowers it to 0 has
   * told all.
   */
  private final AtomicInteger pending = new AtomicInteger();

  TransitionTeller(CallbackExecutor callbacks, HandOver.Running handedOver) {
    this.callbacks = callbacks;
    this.handedOver = handedOver;
  }

  /**
   * Adds one.
   *
   * @param telling must not throw
   */
  void tell(Runnable telling) {
    waiting.add(telling);
    if (pending.getAndIncrement() == 0
        && !callbacks.tryExecute(
            new HandOver(handedOver, null, this::tellWaiting, this::tellWaiting))) {
      callbacks.overflow(this::tellWaiting); // no room: by the thread of last resort
    }
  }

  private void tellWaiting() {
    do {
      Runnable next = waiting.poll();
      if (next != null) { // always: each was added before it was counted
        next.run();
      }
    } while (pending.decrementAndGet() != 0);
  }
}
