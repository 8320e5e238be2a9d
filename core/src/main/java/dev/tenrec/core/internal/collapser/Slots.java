// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one batch, by argument. It calls the arguments' {@code hashCode} and {@code equals}
 * in static methods alone, so that its owner can keep them out of its lock: they are the user's.
 *
 * <p>Slots whose arguments have one hash code are a chain that grows at its head, and of which
 * nothing changes behind that. So a thread that has compared an argument with a chain needs to
 * know, under the lock, only whether its head is still the same.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
final class Slots<A extends @Nullable Object, R extends @Nullable Object> {

  private static final int FIRST_ROOM = 16;
  private static final int MOST_ROOM = 1 << 30;

  private static final Slots<?, ?> NONE = new Slots<>();

  /** The newest slot of each hash code, those of one place linked by {@link Slot#beside}. */
  private @Nullable Slot<A, R>[] table = newTable(FIRST_ROOM);

  /** How many hash codes there are. */
  private int codes;

  /** None, for a batch that has let go of its own. Nothing may be added. */
  @SuppressWarnings("unchecked") // it has no slots of any type
  static <A extends @Nullable Object, R extends @Nullable Object> Slots<A, R> none() {
    return (Slots<A, R>) NONE;
  }

  @SuppressWarnings("unchecked") // there are no generic arrays
  private static <A extends @Nullable Object, R extends @Nullable Object>
      @Nullable Slot<A, R>[] newTable(int room) {
    return (Slot<A, R>[]) new Slot<?, ?>[room];
  }

  /** By what the slot of an argument is looked for. Runs user code. */
  static int hash(@Nullable Object argument) {
    int code = Objects.hashCode(argument);
    return code ^ code >>> 16; // the table goes by the lower bits
  }

  /** The slot that came last of those with this hash; null if there is none. */
  @Nullable Slot<A, R> newest(int hash) {
    Slot<A, R> slot = table[hash & table.length - 1];
    while (slot != null && slot.hash != hash) {
      slot = slot.beside;
    }
    return slot;
  }

  /**
   * The slot for an equal argument in a chain. Runs user code, and needs no lock.
   *
   * @param newest where the chain begins
   * @param compared where it ends: this slot and older ones were compared before; null for none
   */
  static <A extends @Nullable Object, R extends @Nullable Object> @Nullable Slot<A, R> find(
      A argument, @Nullable Slot<A, R> newest, @Nullable Slot<A, R> compared) {
    Slot<A, R> slot = newest;
    while (slot != null && slot != compared) {
      if (Objects.equals(argument, slot.argument)) {
        return slot;
      }
      slot = slot.older;
    }
    return null;
  }

  /** The slot for an argument, once nothing is added any more. Runs user code. */
  @Nullable Slot<A, R> get(A argument) {
    return find(argument, newest(hash(argument)), null);
  }

  /** Adds the slot of an argument that has none. */
  void add(Slot<A, R> fresh) {
    if (codes >= table.length - table.length / 4) {
      grow();
    }
    int place = fresh.hash & table.length - 1;
    Slot<A, R> before = null;
    Slot<A, R> same = table[place];
    while (same != null && same.hash != fresh.hash) {
      before = same;
      same = same.beside;
    }
    if (same == null) {
      fresh.beside = table[place];
      table[place] = fresh;
      codes++;
      return;
    }
    fresh.older = same;
    fresh.beside = same.beside;
    if (before == null) {
      table[place] = fresh;
    } else {
      before.beside = fresh;
    }
  }

  /** Without memory for it the table stays as it is, and gets fuller. */
  private void grow() {
    if (table.length >= MOST_ROOM) {
      return;
    }
    @Nullable Slot<A, R>[] larger;
    try {
      larger = newTable(table.length * 2);
    } catch (OutOfMemoryError e) {
      return;
    }
    for (Slot<A, R> first : table) {
      Slot<A, R> slot = first;
      while (slot != null) {
        Slot<A, R> next = slot.beside;
        int place = slot.hash & larger.length - 1;
        slot.beside = larger[place];
        larger[place] = slot;
        slot = next;
      }
    }
    table = larger;
  }
}
