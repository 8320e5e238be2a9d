// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * One publisher's turn at a relay: the subscriber to it, and the stage of its end. Cancelling the
 * stage cancels the subscription.
 *
 * <p>A publisher that breaks the rules fails, and is cancelled: items nobody asked for, items of
 * two threads at once, null.
 */
final class Turn<R extends @Nullable Object> extends CompletableFuture<R> implements Subscriber<R> {

  private final String name;
  private final Relay<R> relay;

  /** Written once, read by all; guarded by the relay. */
  @Nullable Subscription upstream;

  /**
   * A turn that has not begun.
   *
   * @param name whose it is, for messages
   */
  Turn(String name, Relay<R> relay) {
    this.name = name;
    this.relay = relay;
  }

  /** Subscribes. Throws nothing: what the publisher throws ends the turn. */
  void take(Publisher<R> publisher) {
    try {
      publisher.subscribe(this);
    } catch (Throwable thrown) { // Errors too: the turn has to end
      fail(thrown);
    }
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    Objects.requireNonNull(subscription, "subscription");
    long due = relay.subscribed(this, subscription);
    if (due < 0) {
      subscription.cancel();
    } else if (due > 0) {
      request(subscription, due);
    }
  }

  /** Asks for more. */
  void request(Subscription subscription, long n) {
    try {
      subscription.request(n);
    } catch (Throwable thrown) { // it must not, but then the turn has to end
      fail(thrown);
    }
  }

  @Override
  public void onNext(R item) {
    if (item == null) {
      NullPointerException refused = new NullPointerException(name + ": an item was null");
      fail(refused);
      throw refused; // as the rules of Reactive Streams want it (2.13)
    }
    relay.next(this, item);
  }

  @Override
  public void onError(Throwable thrown) {
    relay.ends(
        this,
        thrown != null ? thrown : new NullPointerException(name + ": ended with a null error"));
  }

  @Override
  public void onComplete() {
    relay.ends(this, null);
  }

  /** It broke the rules. */
  void misbehaved(String how) {
    fail(new IllegalStateException(name + ": its publisher " + how));
  }

  /** Ends it from this side. */
  void fail(Throwable thrown) {
    cancelUpstream();
    relay.ends(this, thrown);
  }

  /** By the relay, once its last item has been passed on. */
  @SuppressWarnings("NullAway") // nobody reads what a stream's end brings
  void finish(@Nullable Throwable thrown) {
    boolean unused = thrown == null ? complete(null) : completeExceptionally(thrown);
  }

  @Override
  public boolean cancel(boolean interrupt) {
    if (!isDone()) {
      cancelUpstream();
    }
    return super.cancel(interrupt);
  }

  /** The same, as a canceller. */
  void giveUp() {
    boolean unused = cancel(false);
  }

  private void cancelUpstream() {
    Subscription subscription = relay.upstreamOf(this);
    if (subscription != null) {
      subscription.cancel();
    }
  }
}
