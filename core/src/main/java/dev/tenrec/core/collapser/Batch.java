// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import dev.tenrec.core.timeout.Timeout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Members that are asked for together, and the timer's node for the moment when they are.
 *
 * <p>It is open, then closed (by fullness, or with the next step), then taken: by {@link #start} or
 * by {@link #fail}, whichever is first, once. One small lock orders joining, leaving and that; it
 * is held for a few lines, but user's {@code equals} is among them, so the timer's thread never
 * takes it: its expiry only hands over.
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
    CLOSED,
    TAKEN
  }

  private final String key;
  private final Deliverer deliverer;

  /**
   * Null once taken, because it has a caller's context, and the timer may hold this object for a
   * while. Written by who takes it, read by who hands it over.
   */
  private volatile @Nullable BatchStarter<A, R> starter;

  /** Written under the lock; read by the timer and by who joins, without it, as a first look. */
  private volatile State state = State.OPEN;

  /** By argument, in the order they came. Under the lock; its taker's alone afterwards. */
  private Map<A, Slot<A, R>> slots = new LinkedHashMap<>();

  /** For how many arguments somebody waits. Under the lock. */
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

  synchronized Joined join(A argument, Member<R> member, int maxRequests) {
    if (state != State.OPEN) {
      return Joined.TOO_LATE;
    }
    Slot<A, R> fresh = new Slot<>(this, argument);
    Slot<A, R> present = slots.putIfAbsent(argument, fresh);
    if ((present == null ? fresh : present).add(member)) {
      size++;
    }
    if (size < maxRequests) {
      return Joined.IN;
    }
    state = State.CLOSED;
    return Joined.FILLED;
  }

  /** A member does not wait any more; whether that was in time shows at the start. */
  synchronized void left(Slot<A, R> slot, Member<R> member) {
    if (state == State.OPEN && slot.remove(member)) {
      size--;
    }
  }

  void handOver() {
    BatchStarter<A, R> present = starter;
    if (present != null) {
      present.handOver(this);
    }
  }

  /** Once full or taken, nothing more joins. */
  @Override
  public boolean isEnded() {
    return state != State.OPEN;
  }

  @Override
  protected void expired() {
    handOver();
  }

  /** For how many arguments somebody waited when it was last open. */
  public synchronized int size() {
    return size;
  }

  private synchronized @Nullable Map<A, Slot<A, R>> take() {
    if (state == State.TAKEN) {
      return null;
    }
    state = State.TAKEN;
    Map<A, Slot<A, R>> taken = slots;
    slots = Map.of(); // the timer may hold this object for a while
    starter = null;
    return taken;
  }

  /**
   * Takes it, to be run by the calling thread.
   *
   * @param sharding divides it; one part if null
   * @return its parts, each with members that wait; none if it was taken before, or all have left
   */
  public List<Part<A, R>> start(Sharding<A> sharding, UnknownAnswers unknown) {
    Map<A, Slot<A, R>> taken = take();
    if (taken == null) {
      return List.of();
    }
    try {
      return parts(taken, sharding, unknown);
    } catch (Throwable thrown) { // no memory, or a shard key's hashCode
      fail(taken, thrown);
      return List.of();
    }
  }

  private List<Part<A, R>> parts(
      Map<A, Slot<A, R>> taken, Sharding<A> sharding, UnknownAnswers unknown) {
    List<Slot<A, R>> waiting = new ArrayList<>(taken.size());
    int members = 0;
    for (Slot<A, R> slot : taken.values()) {
      int now = slot.waitingNow();
      if (now > 0) {
        waiting.add(slot);
        members += now;
      }
    }
    return waiting.isEmpty()
        ? List.of()
        : sharding.parts(new Part.Whole<>(key, taken, unknown, deliverer), waiting, members);
  }

  /**
   * Takes it, and fails its members; nothing if it was taken before. On any thread: what hangs on
   * the members runs on others.
   */
  public void fail(Supplier<? extends Throwable> error) {
    Map<A, Slot<A, R>> taken = take();
    if (taken != null) {
      fail(taken, error.get());
    }
  }

  private void fail(Map<A, Slot<A, R>> taken, Throwable thrown) {
    List<Member<R>> settled = new ArrayList<>(taken.size());
    for (Slot<A, R> slot : taken.values()) {
      Member<R> members = slot.take();
      if (members != null) {
        Slot.publish(members, null, thrown);
        settled.add(members);
      }
    }
    for (Member<R> members : settled) {
      Slot.deliver(members, deliverer, false);
    }
  }

  /**
   * The same with a CancellationException.
   *
   * @param reason follows "was cancelled: "
   */
  public void cancel(String reason) {
    fail(() -> new CancellationException(key + " was cancelled: " + reason));
  }

  @Override
  public String toString() {
    return "batch of " + key;
  }
}
