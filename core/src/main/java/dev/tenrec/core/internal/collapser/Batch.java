// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.timeout.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Members that are asked for together, and the timer's node for the moment when they are.
 *
 * <p>It is open, perhaps full, handed over, and taken: by {@link #start} or by {@link #fail},
 * whichever is first, once. What is handed over has a thread to come; until then the timer's node
 * stands, for the member that filled the batch may find no memory to hand it over. Failing it takes
 * no memory once there is an error to fail it with. One small lock orders joining, leaving and
 * that. It is held for a few lines, and no user code is among them, so that the timer's thread and
 * the closing one may take it: arguments are hashed and compared before, see {@link Slots}.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class Batch<A extends @Nullable Object, R extends @Nullable Object> extends Timeout {

  /** What became of a wish to join. */
  enum Joined {
    IN,
    /** It is in, and it is the one that filled the batch: it has to hand it over. */
    FILLED,
    TOO_LATE
  }

  private enum State {
    OPEN,
    FULL,
    TAKEN
  }

  private final String key;
  private final Deliverer deliverer;

  /**
   * Null once taken, because it has a caller's context, and the timer may hold this object for a
   * while. Written by the thread that takes it, read by the thread that hands it over, ordered by
   * volatile access.
   */
  private volatile @Nullable BatchStarter<A, R> starter;

  /**
   * Written under the lock, read by the timer and by joining members without it, ordered by
   * volatile access.
   */
  private volatile State state = State.OPEN;

  /**
   * Whether a thread will take it. Written by the thread that hands it over, read by the timer,
   * ordered by volatile access.
   */
  private volatile boolean handedOver;

  /** By argument. Under the lock; its taker's alone afterwards. */
  private Slots<A, R> slots = new Slots<>();

  // The slots in the order they came, linked: going through them takes no memory. Under the lock;
  // their taker's alone afterwards.
  private @Nullable Slot<A, R> firstSlot;
  private @Nullable Slot<A, R> lastSlot;

  /** How many slots there are. Under the lock; their taker's alone afterwards. */
  private int count;

  /**
   * The latest deadline of those that have joined; none if one of them has none. Under the lock.
   */
  private long latestDeadline;

  /** Whether {@link #latestDeadline} is that of a member. Under the lock. */
  private boolean joined;

  /** For how many arguments a member waits. Under the lock. */
  private int size;

  Batch(String key, BatchStarter<A, R> starter, long startNanos) {
    this(key, starter, startNanos, Deliverer.HERE);
  }

  Batch(String key, BatchStarter<A, R> starter, long startNanos, Deliverer deliverer) {
    super(startNanos);
    this.key = key;
    this.starter = starter;
    this.deliverer = deliverer;
  }

  /** Has a member join that has no deadline, if it is not too late. */
  Joined join(A argument, Member<R> member, int maxRequests) {
    return join(argument, Slots.hash(argument), member, Deadlines.NONE, maxRequests);
  }

  /**
   * Has the member join, if it is not too late. Compares its argument with others of the same hash,
   * which is user code: what that throws, this throws, and the batch is as it was.
   *
   * @param hash the argument's, see {@link Slots#hash}
   * @param deadlineNanos by when the member's call has to be over; {@link Deadlines#NONE} without
   *     an end
   */
  Joined join(A argument, int hash, Member<R> member, long deadlineNanos, int maxRequests) {
    Slot<A, R> fresh = new Slot<>(this, argument, hash);
    Slot<A, R> compared = null;
    Slot<A, R> newest = null;
    while (true) { // again for each argument of this hash that comes meanwhile
      Slot<A, R> same = Slots.find(argument, newest, compared);
      synchronized (this) {
        if (state != State.OPEN) {
          return Joined.TOO_LATE;
        }
        Slot<A, R> newer = slots.newest(hash);
        if (same == null && newer == newest) {
          add(fresh);
          same = fresh;
        }
        if (same != null) {
          return joined(same, member, deadlineNanos, maxRequests);
        }
        compared = newest;
        newest = newer;
      }
    }
  }

  // called under the lock
  private void add(Slot<A, R> fresh) {
    try {
      slots.add(fresh);
      append(fresh);
    } catch (VirtualMachineError e) { // no stack: it may be added by half
      state = State.FULL; // so nothing joins any more; the timer starts it
      throw e;
    }
  }

  // called under the lock
  private Joined joined(Slot<A, R> slot, Member<R> member, long deadlineNanos, int maxRequests) {
    latestDeadline = joined ? Deadlines.later(latestDeadline, deadlineNanos) : deadlineNanos;
    joined = true;
    if (slot.add(member)) {
      size++;
    }
    if (size < maxRequests) {
      return Joined.IN;
    }
    state = State.FULL;
    return Joined.FILLED;
  }

  private void append(Slot<A, R> fresh) {
    if (lastSlot == null) {
      firstSlot = fresh;
    } else {
      lastSlot.after = fresh;
    }
    lastSlot = fresh;
    count++;
  }

  /** A member does not wait any more; whether that was in time shows at the start. */
  synchronized void left(Slot<A, R> slot, Member<R> member) {
    if (state == State.OPEN && slot.remove(member)) {
      size--;
    }
  }

  /**
   * By the member that filled it, or the timer's thread. What it throws, the timer makes up for.
   */
  void handOver() {
    BatchStarter<A, R> present = starter;
    if (present != null) {
      present.handOver(this);
      handedOver = true;
    }
  }

  /** Whether a member may still join. */
  boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether the timer has nothing to do any more. */
  @Override
  public boolean isEnded() {
    return handedOver || state == State.TAKEN;
  }

  @Override
  protected void expired() {
    handOver();
  }

  @Override
  public void closed() {
    cancel(Batches.CLOSED);
  }

  /** The latest deadline of its members; {@link Deadlines#NONE} if one of them has none. */
  public synchronized long latestDeadline() {
    return joined ? latestDeadline : Deadlines.NONE;
  }

  /** For how many arguments a member waited when it was last open. */
  public synchronized int size() {
    return size;
  }

  /** Whether the calling thread is the one that takes it. */
  private synchronized boolean take() {
    if (state == State.TAKEN) {
      return false;
    }
    state = State.TAKEN;
    starter = null;
    return true;
  }

  /** The timer may hold this object for a while. */
  private void forget() {
    slots = Slots.none();
    firstSlot = null;
    lastSlot = null;
  }

  /**
   * Takes it, to be run by the calling thread.
   *
   * @param sharding divides it; one part if null
   * @return its parts, each with members that wait; none if it was taken before, or all have left
   */
  public List<Part<A, R>> start(Sharding<A> sharding, UnknownAnswers unknown) {
    if (!take()) {
      return List.of();
    }
    try {
      return parts(sharding, unknown);
    } catch (Throwable thrown) { // no memory, or a shard key's hashCode
      failTaken(thrown);
      return List.of();
    } finally {
      forget();
    }
  }

  private List<Part<A, R>> parts(Sharding<A> sharding, UnknownAnswers unknown) {
    List<Slot<A, R>> waiting = new ArrayList<>(count);
    int members = 0;
    for (Slot<A, R> slot = firstSlot; slot != null; slot = slot.after) {
      int now = slot.waitingNow();
      if (now > 0) {
        waiting.add(slot);
        members += now;
      } else {
        slot.drop(); // it will be in no part, which would let go of them
      }
    }
    return waiting.isEmpty()
        ? List.of()
        : sharding.parts(new Part.Whole<>(key, slots, unknown, deliverer), waiting, members);
  }

  /**
   * Takes it, and fails its members; nothing if it was taken before. On any thread: the members'
   * dependents run on others.
   *
   * @param error made first: if there is no memory for it, the batch is not taken, and the caller
   *     of this method has to try again
   */
  public void fail(Supplier<? extends Throwable> error) {
    if (state == State.TAKEN) {
      return;
    }
    fail(error.get());
  }

  /** Takes it, and fails its members; nothing if it was taken before. Takes no memory. */
  void fail(Throwable thrown) {
    if (take()) {
      failTaken(thrown);
      forget();
    }
  }

  /**
   * Fails the members that still wait, also while the thread that has taken it divides it: then
   * that thread fails the parts it comes to, for this may be too late to find them. Takes no
   * memory.
   */
  public void end(Throwable thrown) {
    boolean taken = take();
    failTaken(thrown);
    if (taken) {
      forget();
    }
  }

  /** Takes no memory. */
  private void failTaken(Throwable thrown) {
    Slot<A, R> first = firstSlot; // once: another thread may forget it meanwhile
    for (Slot<A, R> slot = first; slot != null; slot = slot.after) {
      slot.publish(thrown);
    }
    for (Slot<A, R> slot = first; slot != null; slot = slot.after) {
      slot.deliver(deliverer);
    }
  }

  /**
   * Takes it, and fails its members with a CancellationException; nothing if it was taken before.
   *
   * @param reason follows "was cancelled: "
   */
  public void cancel(String reason) {
    fail(() -> new CancellationException(key + " was cancelled: " + reason));
  }
}
