// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.BatchResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of the batch command asks for: a batch, or one shard of it. It receives that
 * execution's ending and gives each member its own: first all are published, then those that have
 * user code are delivered to, in the command's share of the callback threads. So no member waits
 * for the dependents of another.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class Part<A extends @Nullable Object, R extends @Nullable Object>
    implements Receiver<Map<A, R>> {

  /** What all parts of one batch share; not changed any more. */
  record Whole<A extends @Nullable Object, R extends @Nullable Object>(
      String key, Slots<A, R> slots, UnknownAnswers unknown, Deliverer deliverer) {}

  private final Whole<A, R> whole;
  private final List<Slot<A, R>> slots;
  private final int members;

  /** Written before the execution starts, read by members after its end. */
  private @Nullable Supplier<Outcome<?>> outcome;

  /** Whether the execution's work has begun; null until that is made. Guarded by this. */
  private @Nullable BooleanSupplier work;

  /**
   * Whether a thread goes through the answers, or has done so. Written by it, read by the timer's
   * thread, ordered by volatile access.
   */
  private volatile boolean answering;

  /**
   * Written once every member is settled, read by the timer's thread, ordered by volatile access.
   */
  private volatile boolean over;

  /**
   * Members that are published and not delivered to. The thread that goes through the answers adds
   * them; it delivers to them when it is done, or the timer's or the closing thread does when that
   * one does not come back. Guarded by this.
   */
  private List<Member<R>> settled;

  Part(Whole<A, R> whole, List<Slot<A, R>> slots, int members) {
    this.whole = whole;
    this.slots = slots;
    this.members = members;
    this.settled = new ArrayList<>(slots.size()); // so that adding takes no memory
    slots.forEach(slot -> slot.belongTo(this));
  }

  /** The collapser's key. */
  public String key() {
    return whole.key;
  }

  /** What to ask for, in the order it came, equal ones once; not to be changed. */
  public List<A> arguments() {
    List<A> arguments = new ArrayList<>(slots.size());
    for (Slot<A, R> slot : slots) {
      arguments.add(slot.argument);
    }
    return Collections.unmodifiableList(arguments);
  }

  /** How many arguments it has. */
  public int size() {
    return slots.size();
  }

  /** How many members waited for it when it started. */
  public int members() {
    return members;
  }

  /**
   * Says where to learn how its execution ended.
   *
   * @param workBegan asked by any thread, while the execution goes on as well
   */
  public void follow(Supplier<Outcome<?>> ending, BooleanSupplier workBegan) {
    outcome = ending;
    synchronized (this) {
      work = workBegan;
    }
  }

  boolean workBegan() {
    BooleanSupplier known;
    synchronized (this) {
      known = work;
    }
    return known != null && known.getAsBoolean();
  }

  @Nullable Supplier<Outcome<?>> outcome() {
    return outcome;
  }

  /** Whether a thread has begun to go through the answers, which may be a map that blocks. */
  public boolean isAnswering() {
    return answering;
  }

  /** Whether every member is settled. */
  public boolean isOver() {
    return over;
  }

  @Override
  @SuppressWarnings("ConstantValue") // it is what a user's function returned
  public void onValue(@Nullable Map<A, R> answers) {
    if (answers == null) {
      onError(
          new NullPointerException(
              whole.key + ": its batch function or fallback returned null, a Map was expected"));
      return;
    }
    answering = true;
    try {
      if (answers instanceof BatchResult<A, R> result) {
        result.failures().forEach((argument, error) -> settle(argument, null, error));
      }
      for (Map.Entry<A, R> answer : answers.entrySet()) { // by entries: not each map can be asked
        settle(answer.getKey(), answer.getValue(), null); // for a null key
      }
      for (Slot<A, R> slot : slots) {
        settleMissing(slot);
      }
    } catch (Throwable thrown) { // a map of the user's own making, or an argument's equals
      settleAll(thrown);
    }
    over = true;
    deliver(true);
  }

  /** What the answer for one argument says; nothing if this part did not ask for it. */
  private void settle(A argument, @Nullable R value, @Nullable Throwable error) {
    Slot<A, R> slot = whole.slots.get(argument);
    if (slot == null || !slot.isOf(this)) {
      whole.unknown.ignored(argument);
      return;
    }
    settle(slot, value, error);
  }

  private void settleMissing(Slot<A, R> slot) {
    if (!slot.isTaken()) {
      settle(slot, null, new MissingAnswerException(whole.key, slot.argument, slots.size()));
    }
  }

  private void settleAll(Throwable error) {
    for (int i = 0; i < slots.size(); i++) { // an iterator would take memory
      settle(slots.get(i), null, error);
    }
  }

  /** In one step, so that what is published is delivered to, whichever thread does that. */
  private synchronized void settle(Slot<A, R> slot, @Nullable R value, @Nullable Throwable error) {
    Member<R> taken = slot.take();
    if (taken != null) {
      Slot.publish(taken, value, error);
      settled.add(taken);
    }
  }

  private void deliver(boolean here) {
    List<Member<R>> due;
    synchronized (this) {
      due = settled;
      settled = List.of(); // every slot is taken: nothing is added any more
    }
    for (int i = 0; i < due.size(); i++) {
      Slot.deliver(due.get(i), whole.deliverer, here);
    }
  }

  /** Fails all that are not answered yet. Takes no memory. */
  @Override
  public void onError(Throwable error) {
    fail(error, true);
  }

  /** Fails all that are not answered yet, on a thread that must run no user code. */
  public void failApart(Throwable error) {
    fail(error, false);
  }

  private void fail(Throwable error, boolean here) {
    settleAll(error);
    over = true;
    deliver(here);
  }
}
