// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What of one thing, say a command, is being read every so often: one {@link Sampler} for each kind
 * of reading and interval, made by its first listener and forgotten with its last. Keeps nothing
 * while there is no listener. Thread-safe.
 */
public final class Samplers {

  private record Key(Object what, long intervalNanos) {}

  private record Joined<T>(Key key, Sampler<T> sampler, SampleSubscriber<T> subscriber) {}

  private final Ticker ticker;
  private final Timer timer;
  private final CallbackShare callbacks;

  /**
   * Null while there is no listener. This and {@link #ended}: read and written under this object's
   * lock.
   */
  private @Nullable Map<Key, Sampler<?>> present;

  private boolean ended;

  /**
   * There is no listener yet.
   *
   * @param ticker the timer's
   * @param timer says when to read
   * @param callbacks where everything is read and reported
   */
  public Samplers(Ticker ticker, Timer timer, CallbackShare callbacks) {
    this.ticker = ticker;
    this.timer = timer;
    this.callbacks = callbacks;
  }

  /**
   * Gives a listener a reading at once, and one every interval, counted from the coming of the
   * sampler's first listener.
   *
   * @param what the kind of reading; equal for all that share one
   * @param intervalNanos more than 0
   * @param reading takes it, on the callback executor, by one thread at a time; used if there is no
   *     such sampler yet
   * @param listener receives the readings and the end; only the end, if that has come already
   * @return ends the listening; may be run any number of times
   */
  public <T> Runnable listen(
      Object what,
      long intervalNanos,
      Supplier<? extends T> reading,
      SampleListener<? super T> listener) {
    Joined<T> joined = join(new Key(what, intervalNanos), reading, listener);
    if (joined == null) {
      new SampleSubscriber<T>(listener, unused -> {}, callbacks, 1, false).end();
      return () -> {};
    }
    joined.sampler.ask();
    return () -> leave(joined.key, joined.sampler, joined.subscriber);
  }

  /** Null if there is nothing to join any more. */
  private synchronized <T> @Nullable Joined<T> join(
      Key key, Supplier<? extends T> reading, SampleListener<? super T> listener) {
    if (ended) {
      return null;
    }
    @SuppressWarnings("unchecked") // a kind of reading has one type
    Sampler<T> known = present == null ? null : (Sampler<T>) present.get(key);
    Sampler<T> sampler =
        known == null ? new Sampler<>(reading, key.intervalNanos, ticker, timer, callbacks) : known;
    SampleSubscriber<T> added = null;
    Joined<T> joined = null;
    try {
      if (known == null) {
        keep(key, sampler);
      }
      added = sampler.add(listener, subscriber -> leave(key, sampler, subscriber));
      if (known == null) {
        sampler.start();
      }
      joined = new Joined<>(key, sampler, added);
    } finally {
      if (joined == null) { // no thread for the timer, or no memory: as if it had not come
        leave(key, sampler, added);
      }
    }
    return joined;
  }

  // called under the lock
  private void keep(Key key, Sampler<?> made) {
    if (present == null) {
      present = new HashMap<>();
    }
    present.put(key, made);
  }

  /** There is nothing more to read: all that listen, or will, receive the end. */
  public void end() {
    for (Sampler<?> sampler : takeAll().values()) {
      sampler.end();
    }
  }

  /** No copy: without memory for one, those that listen would never receive the end. */
  private synchronized Map<Key, Sampler<?>> takeAll() {
    ended = true;
    Map<Key, Sampler<?>> all = present;
    present = null;
    return all == null ? Map.of() : all;
  }

  private synchronized <T> void leave(
      Key key, Sampler<T> sampler, @Nullable SampleSubscriber<T> subscriber) {
    Map<Key, Sampler<?>> samplers = present;
    if (sampler.remove(subscriber) && samplers != null && samplers.remove(key, sampler)) {
      present = samplers.isEmpty() ? null : samplers;
    }
  }

  /** How many kinds and intervals are listened to now. */
  public synchronized int count() {
    return present == null ? 0 : present.size();
  }
}
