// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.listening;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Reports the transitions of one circuit to listeners, one after the other, in the command's share
 * of the callback threads. Transitions happen in the middle of a call, or on the timer's thread: no
 * place for user code.
 */
public final class TransitionNotifier {

  private final String commandKey;
  private final BiConsumer<String, Transition> listeners;
  private final CallbackShare callbacks;
  private final Queue<Transition> waiting = new ConcurrentLinkedQueue<>();

  /**
   * How many have asked for a report that has not ended. The thread that raises it from 0 hands
   * over; the thread that lowers it to 0 has reported all.
   */
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * None has happened yet.
   *
   * @param listeners reports one to the listeners there are, with the command's key; throws nothing
   */
  public TransitionNotifier(
      String commandKey, BiConsumer<String, Transition> listeners, CallbackShare callbacks) {
    this.commandKey = commandKey;
    this.listeners = listeners;
    this.callbacks = callbacks;
  }

  /** Has one reported by the next {@link #start}, after those before it. Waits for nothing. */
  public void add(Transition transition) {
    waiting.add(transition);
  }

  /** Has all reported that wait. It may begin a thread, so it wants to be called under no lock. */
  public void start() {
    CallbackTask task = CallbackTask.of(this::reportWaiting); // first: it may find no memory
    if (pending.getAndIncrement() == 0) {
      callbacks.execute(task);
    }
  }

  private void reportWaiting() {
    do {
      for (Transition next = waiting.poll(); next != null; next = waiting.poll()) {
        report(next);
      }
    } while (pending.decrementAndGet() != 0);
  }

  private void report(Transition next) {
    try {
      listeners.accept(commandKey, next);
    } catch (Throwable noMemory) { // or none would ever be reported again
      return;
    }
  }
}
