// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.BatchResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of the batch command asks for: a batch, or one shard of it. Told of that
 * execution's ending, it gives each member its own: every member is settled when it returns.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class Part<A extends @Nullable Object, R extends @Nullable Object>
    implements Receiver<Map<A, R>> {

  /** What all parts of one batch share; not changed any more. */
  record Whole<A extends @Nullable Object, R extends @Nullable Object>(
      String key, Map<A, Slot<A, R>> slots, UnknownAnswers unknown) {}

  private final Whole<A, R> whole;
  private final List<Slot<A, R>> slots;
  private final int members;

  /** Written before the execution starts, read by members after its end. */
  private @Nullable Supplier<Outcome<?>> outcome;

  Part(Whole<A, R> whole, List<Slot<A, R>> slots, int members) {
    this.whole = whole;
    this.slots = slots;
    this.members = members;
    slots.forEach(slot -> slot.belongTo(this));
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

  /** Says where to learn how its execution ended. */
  public void follow(Supplier<Outcome<?>> ending) {
    outcome = ending;
  }

  @Nullable Supplier<Outcome<?>> outcome() {
    return outcome;
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
    try {
      if (answers instanceof BatchResult<A, R> result) {
        result.failures().forEach(this::failOne);
      }
      for (Map.Entry<A, R> answer : answers.entrySet()) { // by entries: not each map can be asked
        Slot<A, R> slot = own(answer.getKey()); // for a null key
        if (slot != null) {
          slot.answer(answer.getValue());
        }
      }
    } catch (Throwable thrown) { // a map of the user's own making, or an argument's equals
      onError(thrown);
      return;
    }
    for (Slot<A, R> slot : slots) {
      slot.fail(() -> new MissingAnswerException(whole.key, slot.argument, slots.size()));
    }
  }

  private void failOne(A argument, Throwable error) {
    Slot<A, R> slot = own(argument);
    if (slot != null) {
      slot.fail(() -> error);
    }
  }

  /** The slot of an argument this part asked for; null if it did not, or that was answered. */
  private @Nullable Slot<A, R> own(A argument) {
    Slot<A, R> slot = whole.slots.get(argument);
    if (slot == null || !slot.isOf(this)) {
      whole.unknown.ignored(argument);
      return null;
    }
    return slot;
  }

  /** Fails all that are not answered yet. */
  @Override
  public void onError(Throwable error) {
    for (Slot<A, R> slot : slots) {
      slot.fail(() -> error);
    }
  }
}
