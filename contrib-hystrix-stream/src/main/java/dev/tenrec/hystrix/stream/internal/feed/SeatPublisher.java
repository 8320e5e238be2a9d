// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Parts as a publisher for one subscriber, which gets a part for each that it asks for. */
public final class SeatPublisher implements Publisher<byte[]>, Subscription, Seat.Client {

  private final AtomicLong demand = new AtomicLong();

  /** How many threads want {@link #drain}; the one that raises it from 0 does it. */
  private final AtomicInteger wanting = new AtomicInteger();

  /** Written and read by subscribing threads, ordered by atomic access. */
  private final AtomicBoolean subscribed = new AtomicBoolean();

  /**
   * Written once, by the thread that made this; read by those that drain, ordered by {@link
   * #wanting}.
   */
  private @Nullable Parts parts;

  /**
   * Written by the subscribing thread, read by the draining threads, ordered by volatile access.
   */
  private volatile @Nullable Subscriber<? super byte[]> subscriber;

  /**
   * Written by the subscriber's thread, read by the draining threads, ordered by volatile access.
   */
  private volatile boolean cancelled;

  /** Of the draining thread only. */
  private boolean completed;

  private SeatPublisher() {}

  /** Null if there is no seat left. */
  public static @Nullable SeatPublisher at(Feed feed) {
    return of(feed::take);
  }

  /**
   * Of the parts that are given to it as their client.
   *
   * @param takes a place for a client; null if there is none
   * @return null if there was none
   */
  public static @Nullable SeatPublisher of(Function<Seat.Client, @Nullable Parts> takes) {
    SeatPublisher publisher = new SeatPublisher();
    Parts parts = takes.apply(publisher);
    if (parts == null) {
      return null;
    }
    publisher.parts = parts;
    publisher.drain();
    return publisher;
  }

  @Override
  public void subscribe(Subscriber<? super byte[]> subscriber) {
    if (subscribed.compareAndSet(false, true)) {
      subscriber.onSubscribe(this);
      this.subscriber = subscriber;
      drain();
      return;
    }
    subscriber.onSubscribe(
        new Subscription() {
          @Override
          public void request(long count) {}

          @Override
          public void cancel() {}
        });
    subscriber.onError(new IllegalStateException("a client's place has one subscriber only"));
  }

  @Override
  public void request(long count) {
    if (count > 0) { // anything else is kept away by what stands between
      demand.accumulateAndGet(
          count, (held, more) -> held + more < 0 ? Long.MAX_VALUE : held + more);
      drain();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    Parts taken = parts;
    if (taken != null) {
      taken.leave();
    }
  }

  @Override
  public void onWaiting() {
    drain();
  }

  @Override
  public void onEnd() {
    drain();
  }

  private void drain() {
    if (wanting.getAndIncrement() != 0) {
      return;
    }
    int wanted = 1;
    do {
      Parts taken = parts;
      Subscriber<? super byte[]> receiver = subscriber;
      if (taken != null && receiver != null && !cancelled) {
        give(taken, receiver);
      }
      wanted = wanting.addAndGet(-wanted);
    } while (wanted != 0);
  }

  private void give(Parts taken, Subscriber<? super byte[]> receiver) {
    while (!cancelled && demand.get() > 0) {
      byte[] part = taken.poll();
      if (part == null) {
        break;
      }
      demand.decrementAndGet();
      receiver.onNext(part);
    }
    if (!cancelled && !completed && taken.isEnded()) {
      completed = true;
      receiver.onComplete();
    }
  }
}
