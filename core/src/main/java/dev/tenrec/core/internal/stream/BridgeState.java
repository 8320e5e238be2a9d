// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.call.StackReserve;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * What a {@link StreamBridge} knows, and what follows from that for a signal. No foreign code is
 * called from here, and no signal leaves from here: the bridge does both, when it has left this
 * monitor. The bridge's base, and not a part of it, so that both have one monitor and a stream has
 * one object.
 */
abstract class BridgeState<R extends @Nullable Object> {

  enum State {
    /** The source has not begun. */
    BEFORE,
    /** Items pass. */
    OPEN,
    /** They do not: this turn is over, or the stream is. */
    SHUT
  }

  // All of these are guarded by this.

  /** Null once gone: the timer may hold the execution until its deadline, and this with it. */
  @Nullable Subscriber<? super R> subscriber;

  final EmissionGuard emission = new EmissionGuard();
  State state = State.BEFORE;
  @Nullable StreamBridgeOwner owner;
  @Nullable ItemTimeout wait;
  @Nullable UpstreamSubscriber<R> current;
  boolean atFallback;
  boolean lateEnd;

  /** The timer's thread found the limit passed. It ends the stream, as often as it takes. */
  boolean expired;

  long items;
  long fallbackItems;

  /** How many items the subscriber has asked for and not got; MAX_VALUE for all there are. */
  long demand;

  /** The subscriber has cancelled, or its end is decided. */
  boolean gone;

  @Nullable Throwable misuse;

  /** The subscriber that is to be notified of the end of the stream, and has not been. */
  @Nullable Subscriber<? super R> last;

  /** The error to notify it of; null if the stream has ended well. */
  @Nullable Throwable lastError;

  /** The source has not begun. */
  BridgeState(Subscriber<? super R> subscriber) {
    this.subscriber = subscriber;
  }

  /**
   * The subscriber has its subscription, and may have used it.
   *
   * @param startNanos when the limit for the first item begins, if it is wanted by now
   * @return false if the subscriber has cancelled: nothing is to be started
   */
  final synchronized boolean begin(StreamBridgeOwner owner, ItemTimeout wait, long startNanos) {
    this.owner = owner;
    this.wait = wait;
    if (demand > 0) {
      long watched = wait.beginAt(startNanos); // the execution is the node of that deadline
    }
    return !gone;
  }

  /** How the subscriber broke the rules before anything was started; null if it did not. */
  final synchronized @Nullable Throwable misuse() {
    return misuse;
  }

  /** The source's turn; null if it came too late. */
  final synchronized @Nullable UpstreamSubscriber<R> openSource(String name) {
    return state == State.BEFORE ? open(turn(name)) : null;
  }

  /** The fallback's turn; null if the subscriber is {@link #gone}. */
  final synchronized @Nullable UpstreamSubscriber<R> openFallback(String name) {
    if (gone) {
      return null;
    }
    UpstreamSubscriber<R> opened = turn(name); // first: it may find no memory
    atFallback = true;
    itemWait().end();
    return open(opened);
  }

  private UpstreamSubscriber<R> open(UpstreamSubscriber<R> opened) {
    state = State.OPEN;
    current = opened;
    return opened;
  }

  /** A turn that has not begun. Called under the monitor. */
  abstract UpstreamSubscriber<R> turn(String name);

  /** Whether the source has kept its subscriber waiting for longer than it may. */
  final synchronized boolean isLate() {
    return lateEnd || itemWait().isLate();
  }

  /** Whether it is the deadline of the call it was made in that it is late by, if it is late. */
  final synchronized boolean isLateByOuter() {
    return itemWait().isLateByOuter();
  }

  /** Whether the source has passed on an item. */
  final synchronized boolean hasStarted() {
    return items > 0;
  }

  /** How long the source has left for its first item; {@link ItemTimeout#NONE} for ever. */
  final synchronized long leftForFirstNanos() {
    if (items > 0) {
      return ItemTimeout.NONE;
    }
    return itemWait().leftNanos(state == State.SHUT || atFallback);
  }

  final synchronized long items() {
    return items;
  }

  /**
   * Whether an item has passed, or is being reported: a listener sees the item that it is notified
   * of.
   */
  final synchronized boolean hasItem(boolean fallbacks) {
    boolean reporting = fallbacks == atFallback && current != null && current.reporting != null;
    return reporting || (fallbacks ? fallbackItems : items) > 0;
  }

  final synchronized long fallbackItems() {
    return fallbackItems;
  }

  final synchronized StreamBridgeOwner owner() {
    StreamBridgeOwner present = owner;
    if (present == null) {
      throw new AssertionError("set before the execution begins");
    }
    return present;
  }

  /** The limit that counts, or counted when it passed. */
  final synchronized ItemTimeout itemWait() {
    ItemTimeout present = wait;
    if (present == null) {
      throw new AssertionError("set before the execution begins");
    }
    return present;
  }

  // What a publisher's signal finds.

  /** How much to ask for at once; negative if the subscription is not wanted. */
  final synchronized long subscribed(UpstreamSubscriber<R> from, Subscription subscription) {
    if (from != current || state != State.OPEN || from.ended || from.upstream != null) {
      return -1;
    }
    from.upstream = subscription;
    return demand;
  }

  /** Whether a publisher has given its subscription. */
  final synchronized boolean hasUpstream(UpstreamSubscriber<R> from) {
    return from.upstream != null;
  }

  /** What a turn that is cancelled has to cancel; null the second time. */
  final synchronized @Nullable Subscription takeUpstream(UpstreamSubscriber<R> from) {
    Subscription upstream = from.cancelled ? null : from.upstream;
    from.cancelled |= upstream != null;
    return upstream;
  }

  /** A turn ends with this, unless it has an end. Whether it has this one from here. */
  final synchronized boolean claimsEnd(UpstreamSubscriber<R> from, @Nullable Throwable failure) {
    boolean first = !from.ended;
    if (first) {
      from.ended = true;
      from.failure = failure;
    }
    return first;
  }

  /** What a turn has ended with; null if that was well, or it has not. */
  final synchronized @Nullable Throwable failure(UpstreamSubscriber<R> from) {
    return from.failure;
  }

  /** How often this thread is at an item. */
  final synchronized int depthHere() {
    return emission.depthHere();
  }

  /** This thread is about to ask the publisher; how often it is at an item. */
  final synchronized int asks(UpstreamSubscriber<R> from) {
    from.asks();
    return emission.depthHere();
  }

  /** Whether an end came while listeners were at an item, and they are not any more. */
  final synchronized boolean takesEnd(UpstreamSubscriber<R> from) {
    boolean due = from.endsAfterReport && from.reporting == null;
    from.endsAfterReport &= !due;
    return due;
  }

  /** Of an item that is here now; the first that is late ends its turn. Under the monitor. */
  final ItemFate fate(UpstreamSubscriber<R> from) {
    if (from != current || state != State.OPEN || subscriber == null) {
      return ItemFate.DROPPED;
    }
    if (from.upstream == null) {
      return ItemFate.BEFORE_SUBSCRIPTION;
    }
    if (emission.isTakenByAnother() || from.isReportingElsewhere()) {
      return ItemFate.TWO_AT_ONCE;
    }
    if (demand == 0) {
      return ItemFate.UNASKED;
    }
    if (itemWait().isLate()) {
      StackReserve.check();
      shutLate();
      return ItemFate.LATE;
    }
    return ItemFate.PASSES;
  }

  final void pass(boolean fallbacks) {
    emission.enter();
    if (demand != Long.MAX_VALUE) {
      demand--;
    }
    if (fallbacks) {
      fallbackItems++;
    } else {
      items++;
      itemWait().item();
    }
  }

  /**
   * Late, and late for ever: a thread that has found the work late in its queue asks once more
   * before it ends the execution, and no wait is on by then.
   */
  final void shutLate() {
    lateEnd = true;
    shut();
  }

  final void shut() {
    state = State.SHUT;
    ItemTimeout present = wait;
    if (present != null) {
      present.end();
    }
  }

  /** The subscriber waits for the source from now on, if it does. */
  final long waits() {
    ItemTimeout present = wait;
    return present == null || state == State.SHUT || atFallback
        ? ItemTimeout.NONE
        : present.begin();
  }

  /** Of demands; as much as can be is all there are. */
  static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
