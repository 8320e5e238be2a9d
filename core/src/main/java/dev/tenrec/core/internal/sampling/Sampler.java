// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes one reading every interval, for all its listeners; and one more at once for each that
 * joins. From its first listener to its last one it is one node of the timer; it has no life before
 * or after.
 *
 * <p>The timer's thread only asks for a reading; it is taken on the callback executor, by one
 * thread at a time, so no listener is ever given an older one than it had. Without room there, the
 * reading is left out, and the listeners that were to have it get the next one.
 */
final class Sampler<T> {

  private final Supplier<? extends T> reading;
  private final long intervalNanos;
  private final Ticker ticker;
  private final Timer timer;
  private final CallbackShare callbacks;
  private final CoalescingTask sampling;

  /** For the two lists; no user's code runs under it, and the timer's thread never takes it. */
  private final Lock lock = new ReentrantLock();

  private final ArrayList<SampleSubscriber<T>> subscribers = new ArrayList<>();

  /** Those of them that wait for a reading of their own, because they have just come. */
  private final ArrayList<SampleSubscriber<T>> newcomers = new ArrayList<>();

  /** Set by the timer's thread before it asks, cleared by the one thread that samples. */
  private volatile boolean due;

  /**
   * Written by the thread that takes the last listener away or ends the rhythm, read by the timer's
   * thread, ordered by volatile access.
   */
  private volatile boolean stopped;

  Sampler(
      Supplier<? extends T> reading,
      long intervalNanos,
      Ticker ticker,
      Timer timer,
      CallbackShare callbacks) {
    this.reading = reading;
    this.intervalNanos = intervalNanos;
    this.ticker = ticker;
    this.timer = timer;
    this.callbacks = callbacks;
    this.sampling = new CoalescingTask(this::sample, callbacks);
  }

  /** Begins the rhythm: to be called once. A timer that is closed already brings no reading. */
  void start() {
    boolean unused = timer.arm(new Beat(ticker.nanoTime() + intervalNanos));
  }

  /** Listens from now on; {@link #ask} brings its first reading. */
  SampleSubscriber<T> add(
      SampleListener<? super T> listener, Consumer<SampleSubscriber<T>> leaving) {
    SampleSubscriber<T> subscriber =
        new SampleSubscriber<>(listener, leaving, callbacks, 1, false); // the next value comes
    lock.lock();
    try {
      subscribers.ensureCapacity(subscribers.size() + 1); // first: it may find no memory
      newcomers.ensureCapacity(newcomers.size() + 1);
      subscribers.add(subscriber);
      newcomers.add(subscriber);
    } finally {
      lock.unlock();
    }
    return subscriber;
  }

  /**
   * Has the listeners that have just come given a reading. Not under a lock: an executor is called.
   */
  void ask() {
    sampling.ask();
  }

  /**
   * Ends the rhythm if no listener is left, and says whether it has ended.
   *
   * @param subscriber that leaves; null for one that could not be added
   */
  boolean remove(@Nullable SampleSubscriber<?> subscriber) {
    lock.lock();
    try {
      subscribers.remove(subscriber);
      newcomers.remove(subscriber);
      stopped |= subscribers.isEmpty();
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the rhythm, and reports the end to the listeners. Takes no memory. */
  void end() {
    for (SampleSubscriber<T> next = takeOne(); next != null; next = takeOne()) {
      next.end();
    }
  }

  private @Nullable SampleSubscriber<T> takeOne() {
    lock.lock();
    try {
      stopped = true;
      newcomers.clear();
      return subscribers.isEmpty() ? null : subscribers.remove(0);
    } finally {
      lock.unlock();
    }
  }

  private void sample() {
    List<SampleSubscriber<T>> waiting = takeWaiting();
    if (waiting.isEmpty()) {
      return;
    }
    T value = reading.get(); // if it throws, those that wait get the next one
    for (SampleSubscriber<T> subscriber : waiting) {
      subscriber.offer(value);
    }
  }

  private List<SampleSubscriber<T>> takeWaiting() {
    boolean all = due;
    due = false; // if it is set in between, the thread that sets it asks again
    lock.lock();
    try {
      List<SampleSubscriber<T>> waiting = List.copyOf(all ? subscribers : newcomers);
      newcomers.clear();
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The node of the timer. There is one, which is armed again and again: to go on takes no memory,
   * so the timer never has reason to try a beat twice.
   */
  private final class Beat extends Timeout {

    Beat(long deadlineNanos) {
      super(deadlineNanos);
    }

    @Override
    protected boolean isEnded() {
      return stopped;
    }

    @Override
    protected void expired() {
      if (stopped) {
        return;
      }
      // beats that were missed are not made up for; the rhythm stays
      long late = Math.max(0, ticker.nanoTime() - deadlineNanos());
      long ahead = intervalNanos - late % intervalNanos;
      due = true;
      sampling.ask();
      postpone(deadlineNanos() + late + ahead);
      boolean unused = timer.arm(this);
    }
  }
}
