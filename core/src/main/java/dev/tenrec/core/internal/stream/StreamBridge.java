// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.StackReserve;
import dev.tenrec.core.internal.stream.StreamFaults.Place;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Passes the items of a stream on to its subscriber: those of its source, and, if that does not
 * bring the stream to its end, those of its fallback. The subscriber sees one subscription, whose
 * demand goes to the publisher whose {@link UpstreamSubscriber} it is, neither more nor less; what
 * the first one left unanswered goes to the next. No item is kept here.
 *
 * <p>What it knows is in its {@link BridgeState}; here is what it does. Which signal is the last of
 * a turn is decided under this monitor: an item, the publisher's end, a limit that passed, or the
 * subscriber's cancelling. Later signals are dropped. The end of the execution is decided
 * elsewhere, in its {@link ExecutionState}; it is reported here ({@link #onValue}, {@link
 * #onError}) and, should an item be on its way, waits for that item.
 *
 * <p>No foreign code is called under the monitor. Whatever foreign code throws, the turn ends and
 * the end is reported: what is owed is written down under the monitor first, and where the code of
 * a publisher broke off, it is looked for ({@link #broke}). From the last signal of a turn to its
 * report nothing takes memory, where there is stack: this is what reports the end of the stream, as
 * its {@link UpstreamSubscriber} that of a turn.
 *
 * <p>Listeners are notified of an item before it is decided whether it passes. The subscriber is
 * not at it yet, so its limit goes on meanwhile, and neither that nor an end waits for them.
 */
final class StreamBridge<R extends @Nullable Object> extends BridgeState<R>
    implements Subscription, Receiver<R>, Runnable {

  /** A depth that could not be asked for. */
  static final int UNKNOWN = Integer.MAX_VALUE;

  private final StreamFaults faults;

  /** Whether listeners are notified of each item before the subscriber gets it. */
  private final boolean reportsItems;

  /**
   * Nothing has passed.
   *
   * @param reportsItems whether the owner reports items to listeners
   */
  StreamBridge(Subscriber<? super R> subscriber, StreamFaults faults, boolean reportsItems) {
    super(subscriber);
    this.faults = faults;
    this.reportsItems = reportsItems;
  }

  StreamFaults faults() {
    return faults;
  }

  @Override
  UpstreamSubscriber<R> turn(String name) {
    return new UpstreamSubscriber<>(name, this);
  }

  // The owner's side.

  /** What the source waits for cannot be had: ends its turn. */
  void fail(Throwable thrown) {
    UpstreamSubscriber<R> open;
    synchronized (this) {
      open = current;
    }
    if (open != null) {
      open.fail(thrown);
    }
  }

  /**
   * The time of a watch has come. If not, {@link #watchAgain} has to follow.
   *
   * @return whether the limit has passed; no item passes any more then, and each time that a watch
   *     comes again this is said again, for there may have been no memory to end the stream
   */
  synchronized boolean expire(long deadlineNanos) {
    if (!expired && itemWait().unwatch(deadlineNanos) && itemWait().isLate()) {
      expired = true;
      shutLate();
    }
    return expired;
  }

  /** When the next watch has to come; {@link ItemTimeout#NONE} if one will look in time. */
  synchronized long watchAgain() {
    return itemWait().watchAgain();
  }

  // The publisher's side.

  /** It has asked; what it has to ask for besides, 0 if nothing. */
  long askedAgain(UpstreamSubscriber<R> from, int depth) {
    returned(depth);
    synchronized (this) {
      boolean open = from == current && state == State.OPEN; // else the fallback is asked for it
      return from.takeAgain(open);
    }
  }

  /**
   * The publisher has returned from a call of ours. It may have caught an overflow of the stack
   * that cut off an item of this thread: what waits for that would wait for ever.
   *
   * @param depth how often this thread was at an item before the call
   */
  void returned(int depth) {
    boolean owes;
    synchronized (this) {
      emission.restore(depth);
      owes = emission.owes() && !emission.isTaken();
    }
    if (owes) {
      settle();
    }
  }

  /**
   * The publisher threw out of a call of ours. If that was an overflow of the stack, what it had
   * called in its turn may have broken off anywhere: an item that has not left, an end that was
   * decided and not reported.
   *
   * @param depth how often this thread was at an item before the call
   */
  void broke(UpstreamSubscriber<R> from, int depth, Throwable thrown) {
    StackReserve.check(); // else a call further out finds it
    synchronized (this) {
      emission.restore(depth);
    }
    from.fail(thrown);
    boolean free;
    synchronized (this) {
      free = !emission.isTaken();
    }
    settle(); // what broke off between its decision and its report
    if (free && !from.isDone()) {
      boolean unused = from.finish(thrown);
    }
  }

  void next(UpstreamSubscriber<R> from, R item) {
    if (!reportsItems) {
      passOn(from, item);
      return;
    }
    if (report(from, item)) {
      passOn(from, item);
    }
    if (takesEnd(from)) {
      ends(from, null);
    }
  }

  /** Notifies listeners of an item that could pass now. False if it cannot. */
  private boolean report(UpstreamSubscriber<R> from, R item) {
    StreamBridgeOwner notified;
    boolean fallbacks;
    Thread outer;
    ItemFate fate;
    synchronized (this) {
      notified = owner();
      fallbacks = atFallback;
      fate = fate(from);
      outer = from.reporting;
      if (fate == ItemFate.PASSES) {
        from.reporting = Thread.currentThread();
      }
    }
    if (fate != ItemFate.PASSES) {
      refuse(from, notified, fate);
      return false;
    }
    try {
      notified.reports(fallbacks, Errors.present((Object) item));
    } catch (Throwable thrown) { // no memory: the subscriber is owed an end
      from.fail(thrown);
      return false;
    } finally { // without a call, for which the stack might not last
      synchronized (this) {
        from.reporting = outer;
      }
    }
    return true;
  }

  private void passOn(UpstreamSubscriber<R> from, R item) {
    StreamBridgeOwner notified;
    Subscriber<? super R> to;
    ItemFate fate;
    boolean fallbacks;
    synchronized (this) {
      to = subscriber;
      notified = owner();
      fallbacks = atFallback;
      fate = fate(from);
      if (fate == ItemFate.PASSES) {
        pass(fallbacks);
      }
    }
    if (fate == ItemFate.PASSES && to != null) {
      deliver(from, notified, fallbacks, item, to);
    } else {
      refuse(from, notified, fate);
    }
  }

  private void refuse(UpstreamSubscriber<R> from, StreamBridgeOwner notified, ItemFate fate) {
    if (fate.wrong != null) {
      from.misbehaved(fate.wrong);
    } else if (fate == ItemFate.LATE) {
      notified.cameLate();
    }
  }

  private void deliver(
      UpstreamSubscriber<R> from,
      StreamBridgeOwner notified,
      boolean fallbacks,
      R item,
      Subscriber<? super R> to) {
    try {
      if (counted(from, notified, fallbacks)) {
        to.onNext(item);
      }
    } catch (Throwable thrown) { // a subscriber that throws has cancelled (2.13)
      try {
        cancel();
      } finally {
        faults.thrownAt(Place.ON_NEXT, thrown);
      }
      throw thrown;
    } finally {
      passed();
    }
  }

  /** False if that failed, which is not the subscriber's doing: the turn is over. */
  private boolean counted(
      UpstreamSubscriber<R> from, StreamBridgeOwner notified, boolean fallbacks) {
    try {
      notified.passes(fallbacks);
      return true;
    } catch (Throwable thrown) { // no memory: the subscriber is owed an end
      from.fail(thrown);
      return false;
    }
  }

  private void passed() {
    long watched = ItemTimeout.NONE;
    boolean owes;
    synchronized (this) {
      if (!emission.leave()) {
        return;
      }
      owes = emission.owes();
      if (demand > 0) {
        watched = waits();
      }
    }
    watch(watched);
    if (owes) {
      settle();
    }
  }

  /** Does what is left to be done, unless the subscriber is at an item. */
  private void settle() {
    StackReserve.check(); // else it stays for the next signal
    Runnable next;
    synchronized (this) {
      next = emission.takeDeferred();
    }
    if (next != null) {
      next.run();
    }
  }

  /** The publisher has ended. */
  void ends(UpstreamSubscriber<R> from, @Nullable Throwable error) {
    synchronized (this) {
      if (error == null && from.reporting != null) { // the item that listeners are at comes first
        from.endsAfterReport = true;
        return;
      }
      if (from == current && state == State.OPEN) { // else it is cancelled by the side that shut it
        lateEnd = itemWait().isLate();
        boolean unused = claimsEnd(from, error);
        emission.defer(from);
        shut();
      }
    }
    settle(); // an end that came before, too, if the stack had no room to report it
  }

  // The subscriber's side.

  @Override
  public void request(long n) {
    if (n <= 0) {
      misused(
          new IllegalArgumentException(
              "a subscriber asked for " + n + " items: must be 1 or more (3.9)"));
      return;
    }
    UpstreamSubscriber<R> asked;
    Subscription upstream = null;
    long watched = ItemTimeout.NONE;
    synchronized (this) {
      if (gone) {
        return;
      }
      boolean first = demand == 0;
      demand = sum(demand, n);
      if (first && !emission.isTaken()) {
        watched = waits();
      }
      asked = current;
      if (asked != null && state == State.OPEN && !asked.asksAgain(n)) {
        upstream = asked.upstream; // else it gets all the demand with its subscription
      }
    }
    watch(watched);
    if (asked != null && upstream != null) {
      asked.request(upstream, n);
    }
  }

  private void misused(Throwable how) {
    StreamBridgeOwner notified;
    synchronized (this) {
      notified = owner;
      if (notified == null) {
        misuse = how;
      }
    }
    if (notified != null) {
      notified.misused(how);
    }
  }

  @Override
  public void cancel() {
    StackReserve.check();
    StreamBridgeOwner notified;
    UpstreamSubscriber<R> open;
    synchronized (this) {
      if (gone) {
        return;
      }
      gone = true;
      subscriber = null;
      shut();
      notified = owner;
      open = current;
    }
    try {
      if (notified != null) {
        notified.cancelled();
      }
    } finally {
      if (open != null) {
        open.giveUp();
      }
    }
  }

  /** The execution has ended well: that is all. */
  @Override
  public void onValue(@Nullable R none) {
    complete(null);
  }

  @Override
  public void onError(Throwable error) {
    complete(error);
  }

  private void complete(@Nullable Throwable error) {
    UpstreamSubscriber<R> open;
    synchronized (this) {
      if (gone) {
        return;
      }
      last = subscriber;
      lastError = error;
      gone = true;
      subscriber = null;
      shut();
      open = current;
    }
    UpstreamSubscriber<R> left = null;
    try {
      left = open != null && open.leave() ? open : null;
    } finally { // its permit is back: not before that
      owe(left);
    }
  }

  private void owe(@Nullable UpstreamSubscriber<R> left) {
    try {
      owe();
    } finally {
      if (left != null) { // user code, for which the subscriber does not wait
        left.cancelUpstream();
      }
    }
  }

  /** Has the last word reported now, or when the subscriber has left the item it is at. */
  private void owe() {
    synchronized (this) {
      emission.defer(this);
    }
    try {
      settle();
    } catch (StackOverflowError deep) { // no signal may follow that finds it
      owner().settlesApart(new LastWord());
    }
  }

  /** No lambda, which would be linked where there is no stack for that. */
  final class LastWord implements Runnable {

    @Override
    public void run() {
      settle();
    }
  }

  /** The last word. A subscriber that throws at it has had it. */
  @Override
  public void run() {
    Subscriber<? super R> to;
    Throwable error;
    synchronized (this) {
      to = last;
      error = lastError;
      last = null;
      lastError = null;
    }
    if (to == null) {
      return;
    }
    try {
      if (error == null) {
        to.onComplete();
      } else {
        to.onError(error);
      }
    } catch (Throwable thrown) { // Errors too: this thread has more to do
      faults.thrownAt(error == null ? Place.ON_COMPLETE : Place.ON_ERROR, thrown);
    }
  }

  private void watch(long deadlineNanos) {
    if (deadlineNanos != ItemTimeout.NONE) {
      owner().watch(deadlineNanos);
    }
  }
}
