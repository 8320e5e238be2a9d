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
 * the first one left unanswered goes to the next. Nothing is kept here.
 *
 * <p>Which signal is the last of a turn is decided under this monitor: an item, the publisher's
 * end, a limit that passed, or the subscriber's cancelling. Later signals are dropped. The end of
 * the execution is decided elsewhere, in its {@link ExecutionState}; it is reported here ({@link
 * #onValue}, {@link #onError}) and, should an item be on its way, waits for that item.
 *
 * <p>No foreign code is called under the monitor. Whatever foreign code throws, the turn ends and
 * the end is reported: what is owed is written down under the monitor first, and where the code of
 * a publisher broke off, it is looked for ({@link #broke}).
 *
 * <p>Listeners hear of an item before it is decided whether it passes. The subscriber is not at it
 * yet, so its limit goes on meanwhile, and neither that nor an end waits for them.
 */
final class StreamBridge<R extends @Nullable Object> implements Subscription, Receiver<R> {

  /** A depth that could not be asked for. */
  static final int UNKNOWN = Integer.MAX_VALUE;

  private enum State {
    /** The source has not begun. */
    BEFORE,
    /** Items pass. */
    OPEN,
    /** They do not: this turn is over, or the stream is. */
    SHUT
  }

  private final StreamFaults faults;

  /** Whether listeners hear of each item before the subscriber gets it. */
  private final boolean heard;

  // All of these are guarded by this.

  /** Null once gone: the timer may hold the execution until its deadline, and this with it. */
  private @Nullable Subscriber<? super R> subscriber;

  private final EmissionGuard passage = new EmissionGuard();
  private State state = State.BEFORE;
  private @Nullable StreamBridgeOwner owner;
  private @Nullable ItemTimeout wait;
  private @Nullable UpstreamSubscriber<R> turn;
  private boolean atFallback;
  private boolean lateEnd;
  private long items;
  private long fallbackItems;

  /** How many items the subscriber has asked for and not got; MAX_VALUE for all there are. */
  private long demand;

  /** The subscriber has cancelled, or its end is decided. */
  private boolean gone;

  private @Nullable Throwable misuse;

  /**
   * Nothing has passed.
   *
   * @param heard whether the owner reports items to listeners
   */
  StreamBridge(Subscriber<? super R> subscriber, StreamFaults faults, boolean heard) {
    this.subscriber = subscriber;
    this.faults = faults;
    this.heard = heard;
  }

  StreamFaults faults() {
    return faults;
  }

  // The owner's side.

  /**
   * The subscriber has its subscription, and may have used it.
   *
   * @param startNanos when the limit for the first item begins, if it is wanted by now
   * @return false if the subscriber has cancelled: nothing is to be started
   */
  synchronized boolean begin(StreamBridgeOwner owner, ItemTimeout wait, long startNanos) {
    this.owner = owner;
    this.wait = wait;
    if (demand > 0) {
      long watched = wait.beginAt(startNanos); // the execution is the node of that deadline
    }
    return !gone;
  }

  /** How the subscriber broke the rules before anything was started; null if it did not. */
  synchronized @Nullable Throwable misuse() {
    return misuse;
  }

  /** What the source waits for cannot be had: ends its turn. */
  void fail(Throwable thrown) {
    UpstreamSubscriber<R> open;
    synchronized (this) {
      open = turn;
    }
    if (open != null) {
      open.fail(thrown);
    }
  }

  /** The source's turn; null if it came too late. */
  synchronized @Nullable UpstreamSubscriber<R> openSource(String name) {
    return state == State.BEFORE ? open(name) : null;
  }

  /** The fallback's turn; null if the subscriber is {@link #gone}. */
  synchronized @Nullable UpstreamSubscriber<R> openFallback(String name) {
    if (gone) {
      return null;
    }
    atFallback = true;
    itemWait().end();
    return open(name);
  }

  private UpstreamSubscriber<R> open(String name) {
    state = State.OPEN;
    UpstreamSubscriber<R> opened = new UpstreamSubscriber<>(name, this);
    turn = opened;
    return opened;
  }

  /** Whether the source has kept its subscriber waiting for longer than it may. */
  synchronized boolean isLate() {
    return lateEnd || itemWait().isLate();
  }

  /**
   * The time of a watch has come.
   *
   * @return whether the limit has passed; no item passes any more then
   */
  boolean expire(long deadlineNanos) {
    long again;
    synchronized (this) {
      if (!itemWait().unwatch(deadlineNanos)) {
        return false;
      }
      if (itemWait().isLate()) {
        shut();
        return true;
      }
      again = itemWait().watch();
    }
    watch(again);
    return false;
  }

  /** Whether the source has passed on an item. */
  synchronized boolean hasStarted() {
    return items > 0;
  }

  /** How long the source has left for its first item; {@link ItemTimeout#NONE} for ever. */
  synchronized long leftForFirstNanos() {
    if (items > 0) {
      return ItemTimeout.NONE;
    }
    return itemWait().leftNanos(state == State.SHUT || atFallback);
  }

  synchronized long items() {
    return items;
  }

  /** Whether an item has passed, or is being reported: a listener sees the one that it hears of. */
  synchronized boolean hasItem(boolean fallbacks) {
    boolean reporting = fallbacks == atFallback && turn != null && turn.reporting != null;
    return reporting || (fallbacks ? fallbackItems : items) > 0;
  }

  synchronized long fallbackItems() {
    return fallbackItems;
  }

  private synchronized StreamBridgeOwner owner() {
    StreamBridgeOwner present = owner;
    if (present == null) {
      throw new AssertionError("set before the execution begins");
    }
    return present;
  }

  /** The limit that counts, or counted when it passed. */
  synchronized ItemTimeout itemWait() {
    ItemTimeout present = wait;
    if (present == null) {
      throw new AssertionError("set before the execution begins");
    }
    return present;
  }

  // The publisher's side.

  /** How much to ask for at once; negative if the subscription is not wanted. */
  synchronized long subscribed(UpstreamSubscriber<R> from, Subscription subscription) {
    if (from != turn || state != State.OPEN || from.upstream != null) {
      return -1;
    }
    from.upstream = subscription;
    return demand;
  }

  /** Whether a publisher has given its subscription. */
  synchronized boolean hasUpstream(UpstreamSubscriber<R> from) {
    return from.upstream != null;
  }

  /** What a turn that is cancelled has to cancel; null the second time. */
  synchronized @Nullable Subscription takeUpstream(UpstreamSubscriber<R> from) {
    Subscription upstream = from.cancelled ? null : from.upstream;
    from.cancelled |= upstream != null;
    return upstream;
  }

  /** How often this thread is at an item. */
  synchronized int depthHere() {
    return passage.depthHere();
  }

  /** This thread is about to ask the publisher; how often it is at an item. */
  synchronized int asks(UpstreamSubscriber<R> from) {
    from.asks();
    return passage.depthHere();
  }

  /** It has asked; what it has to ask for besides, 0 if nothing. */
  long askedAgain(UpstreamSubscriber<R> from, int depth) {
    returned(depth);
    synchronized (this) {
      boolean open = from == turn && state == State.OPEN; // else the fallback is asked for it
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
      passage.restore(depth);
      owes = passage.owes() && !passage.isTaken();
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
      passage.restore(depth);
    }
    from.fail(thrown);
    boolean free;
    synchronized (this) {
      free = !passage.isTaken();
    }
    settle(); // what broke off between its decision and its report
    if (free && !from.isDone()) {
      from.finish(thrown);
    }
  }

  void next(UpstreamSubscriber<R> from, R item) {
    if (!heard) {
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

  /** Whether an end came while listeners were at an item, and they are not any more. */
  private synchronized boolean takesEnd(UpstreamSubscriber<R> from) {
    boolean due = from.endsAfterReport && from.reporting == null;
    from.endsAfterReport &= !due;
    return due;
  }

  /** Has the listeners hear of an item that could pass now. False if it can not. */
  private boolean report(UpstreamSubscriber<R> from, R item) {
    StreamBridgeOwner told;
    boolean fallbacks;
    Thread outer;
    ItemFate fate;
    synchronized (this) {
      told = owner();
      fallbacks = atFallback;
      fate = fate(from);
      outer = from.reporting;
      if (fate == ItemFate.PASSES) {
        from.reporting = Thread.currentThread();
      }
    }
    if (fate != ItemFate.PASSES) {
      refuse(from, told, fate);
      return false;
    }
    try {
      told.reports(fallbacks, Errors.present((Object) item));
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
    StreamBridgeOwner told;
    Subscriber<? super R> to;
    ItemFate fate;
    boolean fallbacks;
    synchronized (this) {
      to = subscriber;
      told = owner();
      fallbacks = atFallback;
      fate = fate(from);
      if (fate == ItemFate.PASSES) {
        pass(fallbacks);
      }
    }
    if (fate == ItemFate.PASSES && to != null) {
      deliver(from, told, fallbacks, item, to);
    } else {
      refuse(from, told, fate);
    }
  }

  /** Of an item that is here now; the first that is late ends its turn. Under the monitor. */
  private ItemFate fate(UpstreamSubscriber<R> from) {
    if (from != turn || state != State.OPEN || subscriber == null) {
      return ItemFate.DROPPED;
    }
    if (from.upstream == null) {
      return ItemFate.BEFORE_SUBSCRIPTION;
    }
    if (passage.isTakenByAnother() || from.isReportingElsewhere()) {
      return ItemFate.TWO_AT_ONCE;
    }
    if (demand == 0) {
      return ItemFate.UNASKED;
    }
    if (itemWait().isLate()) {
      StackReserve.check();
      shut();
      return ItemFate.LATE;
    }
    return ItemFate.PASSES;
  }

  private void refuse(UpstreamSubscriber<R> from, StreamBridgeOwner told, ItemFate fate) {
    if (fate.wrong != null) {
      from.misbehaved(fate.wrong);
    } else if (fate == ItemFate.LATE) {
      told.cameLate();
    }
  }

  private void pass(boolean fallbacks) {
    passage.enter();
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

  private void deliver(
      UpstreamSubscriber<R> from,
      StreamBridgeOwner told,
      boolean fallbacks,
      R item,
      Subscriber<? super R> to) {
    try {
      if (counted(from, told, fallbacks)) {
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
  private boolean counted(UpstreamSubscriber<R> from, StreamBridgeOwner told, boolean fallbacks) {
    try {
      told.passes(fallbacks);
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
      if (!passage.leave()) {
        return;
      }
      owes = passage.owes();
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
      next = passage.takeDeferred();
    }
    if (next != null) {
      next.run();
    }
  }

  /** The publisher has ended. */
  void ends(UpstreamSubscriber<R> from, @Nullable Throwable error) {
    Runnable last = () -> from.finish(error);
    synchronized (this) {
      if (error == null && from.reporting != null) { // the item that listeners are at comes first
        from.endsAfterReport = true;
        return;
      }
      if (from == turn && state == State.OPEN) { // else it is cancelled by the side that shut it
        lateEnd = itemWait().isLate();
        passage.defer(last);
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
      if (first && !passage.isTaken()) {
        watched = waits();
      }
      asked = turn;
      if (asked != null && state == State.OPEN && !asked.asksAgain(n)) {
        upstream = asked.upstream; // else it gets all the demand with its subscription
      }
    }
    watch(watched);
    if (asked != null && upstream != null) {
      asked.request(upstream, n);
    }
  }

  /** Of demands; as much as can be is all there are. */
  static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private void misused(Throwable how) {
    StreamBridgeOwner told;
    synchronized (this) {
      told = owner;
      if (told == null) {
        misuse = how;
      }
    }
    if (told != null) {
      told.misused(how);
    }
  }

  @Override
  public void cancel() {
    StackReserve.check();
    StreamBridgeOwner told;
    UpstreamSubscriber<R> open;
    synchronized (this) {
      if (gone) {
        return;
      }
      gone = true;
      subscriber = null;
      shut();
      told = owner;
      open = turn;
    }
    try {
      if (told != null) {
        told.cancelled();
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
    tell(null);
  }

  @Override
  public void onError(Throwable error) {
    tell(error);
  }

  private void tell(@Nullable Throwable error) {
    Runnable last;
    UpstreamSubscriber<R> open;
    synchronized (this) {
      Subscriber<? super R> to = subscriber;
      if (gone || to == null) {
        return;
      }
      last = () -> finish(to, error);
      gone = true;
      subscriber = null;
      shut();
      open = turn;
    }
    try {
      if (open != null) {
        open.giveUp(); // nothing, if it has ended
      }
    } finally { // its permit is back: not before that
      owe(last);
    }
  }

  /** Has it done now, or when the subscriber has left the item it is at. */
  private void owe(Runnable last) {
    synchronized (this) {
      passage.defer(last);
    }
    settle();
  }

  /** The last word. A subscriber that throws at it has had it. */
  private void finish(Subscriber<? super R> to, @Nullable Throwable error) {
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

  private void shut() {
    state = State.SHUT;
    ItemTimeout present = wait;
    if (present != null) {
      present.end();
    }
  }

  /** The subscriber waits for the source from now on, if it does. */
  private long waits() {
    ItemTimeout present = wait;
    return present == null || state == State.SHUT || atFallback
        ? ItemTimeout.NONE
        : present.begin();
  }

  private void watch(long deadlineNanos) {
    if (deadlineNanos != ItemTimeout.NONE) {
      owner().watch(deadlineNanos);
    }
  }
}
