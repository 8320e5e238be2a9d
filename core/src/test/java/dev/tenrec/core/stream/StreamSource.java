// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.stream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A publisher in a test's hands: does what the test wants, rules or not, and remembers what it is
 * asked.
 */
public final class StreamSource implements Publisher<String> {

  public final List<Long> asked = new CopyOnWriteArrayList<>();
  public final AtomicInteger cancels = new AtomicInteger();
  public final List<String> cancelledOn = new CopyOnWriteArrayList<>();
  public final AtomicInteger subscribed = new AtomicInteger();
  private final AtomicReference<@Nullable Subscriber<? super String>> subscriber =
      new AtomicReference<>();

  /** What a cancellation does besides; written by the test before it subscribes. */
  private volatile Runnable atCancel = () -> {};

  /** Its subscriptions do this whenever they are cancelled, and may throw there. */
  public StreamSource atCancel(Runnable what) {
    atCancel = what;
    return this;
  }

  @Override
  public void subscribe(Subscriber<? super String> subscriber) {
    this.subscriber.set(subscriber);
    subscriber.onSubscribe(subscription());
    subscribed.incrementAndGet(); // last: the test emits as soon as it sees this
  }

  public Subscription subscription() {
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

  public Subscriber<? super String> subscriber() {
    return subscriber.get();
  }

  public StreamSource emit(String... items) {
    for (String item : items) {
      subscriber().onNext(item);
    }
    return this;
  }

  public void complete() {
    subscriber().onComplete();
  }

  public void fail(Throwable thrown) {
    subscriber().onError(thrown);
  }

  public boolean isCancelled() {
    return cancels.get() > 0;
  }
}
