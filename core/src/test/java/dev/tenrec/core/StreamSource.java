// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A publisher in a test's hands: does what it is told, rules or not, and remembers what it is
 * asked.
 */
final class StreamSource implements Publisher<String> {

  final List<Long> asked = new CopyOnWriteArrayList<>();
  final AtomicInteger cancels = new AtomicInteger();
  final List<String> cancelledOn = new CopyOnWriteArrayList<>();
  final AtomicInteger subscribed = new AtomicInteger();
  private final AtomicReference<@Nullable Subscriber<? super String>> subscriber =
      new AtomicReference<>();

  /** What a cancellation does besides; written by the test before it subscribes. */
  private volatile Runnable atCancel = () -> {};

  /** Its subscriptions do this whenever they are cancelled, and may throw there. */
  StreamSource atCancel(Runnable what) {
    atCancel = what;
    return this;
  }

  @Override
  public void subscribe(Subscriber<? super String> subscriber) {
    subscribed.incrementAndGet();
    this.subscriber.set(subscriber);
    subscriber.onSubscribe(subscription());
  }

  Subscription subscription() {
    return new Subscription() {
      @Override
      public void request(long n) {
        asked.add(n);
      }

      @Override
      public void cancel() {
        cancelledOn.add(Thread.currentThread().getName());
        cancels.incrementAndGet();
        atCancel.run();
      }
    };
  }

  Subscriber<? super String> subscriber() {
    return subscriber.get();
  }

  StreamSource emit(String... items) {
    for (String item : items) {
      subscriber().onNext(item);
    }
    return this;
  }

  void complete() {
    subscriber().onComplete();
  }

  void fail(Throwable thrown) {
    subscriber().onError(thrown);
  }

  boolean isCancelled() {
    return cancels.get() > 0;
  }
}
