// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.call.EngineStage;
import dev.tenrec.core.internal.stream.StreamFaults.Place;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * One publisher's turn at a bridge: the subscriber to it, the stage of its end, and what reports
 * that when the subscriber is at no item. Cancelling the stage cancels the subscription.
 *
 * <p>To end it takes no memory: what it failed with is kept beside the stage, which is completed
 * with nothing in any case.
 *
 * <p>A publisher that breaks the rules fails, and is cancelled: items that were not asked for,
 * items of two threads at once, null. One that throws fails as well, wherever it was called; only
 * what it throws when it is cancelled changes nothing, for it is over then.
 */
public final class UpstreamSubscriber<R extends @Nullable Object> extends CompletableFuture<R>
    implements Subscriber<R>, EngineStage, Runnable {

  /** What one ends with that is given up: its execution has an ending by then. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // nothing is ever added to it
  private static final CancellationException GIVEN_UP =
      new CancellationException("a stream was given up");

  private final String name;
  private final StreamBridge<R> bridge;

  /** Written once, read by all; guarded by the bridge. */
  @Nullable Subscription upstream;

  /** Whether that was cancelled: by the thread that ends the turn, or a canceller. Likewise. */
  boolean cancelled;

  /** Whether it is decided how it ends. Guarded by the bridge. */
  boolean ended;

  /** What it fails with; null if it ends well. Written with {@link #ended}. Likewise. */
  @Nullable Throwable failure;

  /** The thread that notifies listeners of an item now. Guarded by the bridge. */
  @Nullable Thread reporting;

  /** Whether the publisher ended well before that thread was back. Guarded by the bridge. */
  boolean endsAfterReport;

  /**
   * The thread that asks the publisher now, and finds out when it returns whether it was asked for
   * more meanwhile. Guarded by the bridge.
   */
  private @Nullable Thread asking;

  /** What that thread was asked for meanwhile. Guarded by the bridge. */
  private long again;

  /**
   * A turn that has not begun.
   *
   * @param name what it is called in messages
   */
  UpstreamSubscriber(String name, StreamBridge<R> bridge) {
    this.name = name;
    this.bridge = bridge;
  }

  /** Subscribes. Throws nothing: what the publisher throws ends the turn. */
  void take(Publisher<R> publisher) {
    int depth = StreamBridge.UNKNOWN;
    try {
      depth = bridge.depthHere();
      publisher.subscribe(this);
      bridge.returned(depth);
    } catch (Throwable thrown) { // Errors too: the turn has to end
      bridge.broke(this, depth, thrown);
    }
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    if (subscription == null) {
      NullPointerException refused =
          new NullPointerException(name + ": its publisher gave a null subscription");
      if (!bridge.hasUpstream(this)) { // else there is one that goes on
        fail(refused);
      }
      throw refused; // as the rules of Reactive Streams want it (2.13)
    }
    long due = bridge.subscribed(this, subscription);
    if (due < 0) {
      cancel(subscription);
    } else if (due > 0) {
      request(subscription, due);
    }
  }

  /**
   * Asks for more. A publisher may send items before the asking returns, and be asked for more by
   * each of them: that is added up and asked for afterwards, or the stack would grow with the
   * stream.
   */
  void request(Subscription subscription, long n) {
    int depth = StreamBridge.UNKNOWN;
    try {
      depth = bridge.asks(this);
      for (long more = n; more > 0; more = bridge.askedAgain(this, depth)) {
        subscription.request(more);
      }
    } catch (Throwable thrown) { // it must not, but then the turn has to end
      bridge.broke(this, depth, thrown);
    }
  }

  /** By the bridge: whether another thread notifies listeners of an item. */
  boolean isReportingElsewhere() {
    return reporting != null && reporting != Thread.currentThread();
  }

  /** By the bridge: this thread begins to ask, unless another one is at it. */
  void asks() {
    if (asking == null) {
      asking = Thread.currentThread();
    }
  }

  /** By the bridge: whether this thread is at it already, and asks for these as well. */
  boolean asksAgain(long n) {
    if (asking != Thread.currentThread()) {
      return false;
    }
    again = StreamBridge.sum(again, n);
    return true;
  }

  /** By the bridge: what this thread was asked for while it asked; at nothing it is done. */
  long takeAgain(boolean wanted) {
    if (asking != Thread.currentThread()) {
      return 0;
    }
    long taken = wanted ? again : 0;
    again = 0;
    if (taken == 0) {
      asking = null;
    }
    return taken;
  }

  @Override
  public void onNext(R item) {
    if (item == null) {
      NullPointerException refused = new NullPointerException(name + ": an item was null");
      fail(refused);
      throw refused; // 2.13
    }
    bridge.next(this, item);
  }

  @Override
  public void onError(Throwable thrown) {
    if (thrown == null) {
      NullPointerException refused = new NullPointerException(name + ": ended with a null error");
      bridge.ends(this, refused);
      throw refused; // 2.13
    }
    bridge.ends(this, thrown);
  }

  @Override
  public void onComplete() {
    bridge.ends(this, null);
  }

  /** It broke the rules. */
  void misbehaved(String how) {
    fail(new IllegalStateException(name + ": its publisher " + how));
  }

  /** Ends it from this side. */
  @Override
  public void fail(Throwable thrown) {
    try {
      bridge.ends(this, thrown);
    } finally { // user code, for which the end does not wait
      cancelUpstream();
    }
  }

  @Override
  public @Nullable Throwable failure() {
    return bridge.failure(this);
  }

  /** By the bridge, which knows how it ends, once its last item has been passed on. */
  @Override
  @SuppressWarnings("NullAway") // no code reads what a stream's end brings
  public void run() {
    boolean unused = complete(null);
  }

  /** As {@link #run}, with this end, unless it has another. Whether it has this one from here. */
  boolean finish(@Nullable Throwable thrown) {
    boolean ends = bridge.claimsEnd(this, thrown);
    run();
    return ends;
  }

  @Override
  public boolean cancel(boolean interrupt) {
    boolean ends = bridge.claimsEnd(this, GIVEN_UP); // first: no subscription is taken after that
    try {
      if (!isDone()) {
        cancelUpstream();
      }
    } finally {
      run();
    }
    return ends;
  }

  /**
   * As {@link #giveUp}, but leaves the publisher to {@link #cancelUpstream}. False if it has ended.
   */
  boolean leave() {
    return finish(GIVEN_UP);
  }

  /** Cancels it, as a canceller does. */
  void giveUp() {
    boolean unused = cancel(false);
  }

  /** Nothing, if another thread is at it. */
  void cancelUpstream() {
    Subscription subscription = bridge.takeUpstream(this);
    if (subscription != null) {
      cancel(subscription);
    }
  }

  private void cancel(Subscription subscription) {
    try {
      subscription.cancel();
    } catch (Throwable thrown) { // Errors too: what was given up has to end in any case
      bridge.faults().thrownAt(Place.CANCEL, name, thrown);
    }
  }
}
