// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static dev.tenrec.core.internal.isolation.PermitBounds.bounds;
import static dev.tenrec.core.internal.isolation.PermitBounds.debt;
import static dev.tenrec.core.internal.isolation.PermitBounds.total;
import static dev.tenrec.core.internal.isolation.PermitCellWord.free;
import static dev.tenrec.core.internal.isolation.PermitCellWord.puts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bound on how many calls may be in flight at once. Exact: never more than the limit are out, and
 * a permit that is free is never refused. Neither taking nor giving blocks or allocates, and
 * threads that take and give at the same time keep out of each other's cache lines once they have
 * met there.
 *
 * <p>Thread-safe. Any thread may give back what another one took; every permit taken has to be
 * given back exactly once.
 *
 * <p><b>How it works.</b> Free permits lie in cells. There is one at first; when two threads
 * collide in it, some more are added, and each thread takes from and gives to a cell picked by its
 * id, and looks at the others only when its own is empty. Nothing is ever added to a cell without
 * raising its count of puts. So a look that finds all cells empty, and a second that finds the
 * counts unchanged, prove that all were empty at one moment between the two. Only then is a caller
 * refused.
 *
 * <p><b>Lowering the limit</b> below what is in use leaves a debt, which returning permits pay.
 * Always: free + in use = limit + debt (more by what a resize is just taking away, and by what it
 * is just adding). The resizer publishes the debt and then looks for free permits. A giver that saw
 * no debt puts its permit back and then looks for a debt:
 *
 * <pre>
 *   resizer: bounds = (limit, debt)   giver: cell + 1
 *            read the cells                  read bounds
 * </pre>
 *
 * All four are volatile, so at least one sees the other's write, and the permit does not stay free
 * beside an unpaid debt.
 */
public final class Permits {

  /** So many of a debt are paid one by one, so that readers see an exact use; more go by halves. */
  private static final int FEW = 1_024;

  private static final VarHandle CELLS;
  private static final VarHandle BOUNDS;
  private static final VarHandle MAXIMUM;

  // as many as cores, rounded up; a power of two
  static final int CELL_COUNT =
      Math.min(8, Math.max(4, roundUp(Runtime.getRuntime().availableProcessors())));
  private static final int HASH_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(CELL_COUNT);
  private static final int SAMPLE_MASK = 63;

  /** What {@link #take} returns for a permit; no refusal is negative. */
  public static final long TAKEN = -1;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CELLS = lookup.findVarHandle(Permits.class, "cells", PermitCell[].class);
      BOUNDS = lookup.findVarHandle(Permits.class, "bounds", long.class);
      MAXIMUM = lookup.findVarHandle(Permits.class, "maximum", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    link();
  }

  /**
   * Takes and gives once, for nothing. The JVM takes memory for the first call of each kind on a
   * handle; later, when a permit comes back, there may be none.
   */
  private static void link() {
    Permits none = new Permits(2);
    boolean taken = none.tryTake();
    none.resize(0); // one is paid with the free permit
    none.give(); // and one with this
    none.resize(1);
    taken &= none.tryTake();
    none.give();
    none.grow();
    none.resize(0);
    if (!taken || none.takeMaximum() != 1 || !none.isSpent()) {
      throw new AssertionError("permits that come and go: " + none.inUse() + " in use");
    }
  }

  // null until the first permit is taken: most commands of a large application are hardly ever
  // called, and its padding is the largest part of such a command. Written once, under the monitor;
  // read by all
  private volatile @Nullable PermitCell base;

  // null until two threads have collided in the base cell; then all cells, the base cell first. Set
  // once by CAS, read by all
  private volatile PermitCell @Nullable [] cells;

  // the limit above, the debt below, in one word so that their sum is never read torn. Raised by
  // resizers under the monitor,
  // its debt lowered by givers and settlers by CAS; read by all, seldom written
  private volatile long bounds;

  // how often the limit was changed; raised by resizers under the monitor before they change
  // anything. A thread that reads it before bounds and cells, and finds it unchanged afterwards,
  // has not missed two changes that left the bounds as they were
  private volatile int resizes;

  // the greatest use seen; raised by takers by CAS, restarted by takeMaximum
  private volatile int maximum;

  /**
   * All of them free.
   *
   * @param limit how many may be out at once; 0 refuses every taker
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public Permits(int limit) {
    bounds = bounds(checked(limit), 0);
  }

  /**
   * Permits that lie in {@code cells} already, a power of two of them: for tests that look between
   * two reads.
   */
  Permits(int limit, PermitCell[] cells) {
    this.bounds = bounds(checked(limit), 0);
    this.base = cells[0];
    this.cells = cells;
  }

  /** Takes a permit if one is free. Never waits. */
  public boolean tryTake() {
    return take() == TAKEN;
  }

  /**
   * Takes a permit if one is free. Never waits.
   *
   * @return {@link #TAKEN}; or what it was refused on, to be read by {@link #limitOf} and {@link
   *     #inUseOf}: the figures of one moment at which no permit was free
   */
  public long take() {
    PermitCell[] all = cells;
    if (all != null) {
      return takeFromOwn(all);
    }
    PermitCell cell = base();
    int seenResizes = resizes;
    long before = bounds;
    long word = cell.word();
    int free = free(word);
    if (free == 0) {
      return takeFromEmpty(before, seenResizes);
    }
    if (!cell.tryTakeFrom(word)) {
      return takeFromOwn(grow());
    }
    int use = total(before) - free + 1;
    if (use > maximum && bounds == before && resizes == seenResizes && cells == null) {
      raiseMaximum(use);
    }
    return TAKEN;
  }

  /** How many were allowed when {@link #take} refused. */
  public static int limitOf(long refusal) {
    return PermitBounds.limit(refusal);
  }

  /** How many were out when {@link #take} refused: at least the limit. */
  public static int inUseOf(long refusal) {
    return (int) refusal;
  }

  /** Gives back a permit, from any thread. Never waits for another permit. */
  public void give() {
    // a debt is paid without showing the permit to any taker, or takers that wait for one could
    // keep it unpaid
    if (debt(bounds) != 0 && tryPay()) {
      return;
    }
    PermitCell[] all = cells;
    (all == null ? base() : all[own()]).put(1);
    if (debt(bounds) != 0) {
      settle();
    }
  }

  /** How many are out. Exact when no thread takes or gives meanwhile. */
  public int inUse() {
    int use = 0;
    for (int attempt = 0; attempt < 4; attempt++) {
      long before = bounds;
      int seenPuts = totalPuts();
      use = total(before) - totalFree();
      if (seenPuts == totalPuts() && before == bounds) {
        return Math.max(use, 0); // less while a large debt is being paid
      }
    }
    return Math.min(Math.max(use, 0), total(bounds));
  }

  /**
   * Whether the limit is 0 and all that were out are back and gone: none can be taken any more,
   * until the limit is raised. {@link #inUse()} may be 0 a moment before, while one is on its way.
   */
  public boolean isSpent() {
    return total(bounds) == 0;
  }

  /**
   * How many may be out. After the limit was lowered, {@link #inUse()} may be greater for a while.
   */
  public int limit() {
    return PermitBounds.limit(bounds);
  }

  /**
   * Changes the limit. Does not wait for any permit: when more are out than the new limit allows,
   * none is given out until enough have come back (a permit that was on its way back while this ran
   * may be taken once more).
   *
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public synchronized void resize(int limit) {
    int change = checked(limit) - PermitBounds.limit(bounds);
    resizes++;
    if (base == null) { // none was ever taken
      bounds = bounds(limit, 0);
    } else if (change < 0) {
      long seen;
      do {
        seen = bounds;
      } while (!BOUNDS.compareAndSet(this, seen, bounds(limit, debt(seen) - change)));
      settle();
    } else if (change > 0) {
      int forgiven;
      long seen;
      do {
        seen = bounds;
        forgiven = Math.min(debt(seen), change);
      } while (!BOUNDS.compareAndSet(
          this, seen, bounds(PermitBounds.limit(seen) + forgiven, debt(seen) - forgiven)));
      if (forgiven < change) {
        // the debt is 0 and stays so while we hold the monitor. Permits first, limit second:
        // a thread that looks in between takes the use for smaller than it is, and never reports a
        // maximum that was not
        base().put(change - forgiven);
        bounds = bounds(limit, 0);
      }
    }
  }

  /**
   * The most that were out at once since this was last asked for, and starts again from the present
   * use.
   *
   * <p>Exact as long as no two threads have ever collided in taking. After that it is sampled:
   * whenever a thread finds its cell empty or emptier than before, else about each 64th call; and
   * it is the limit after a refusal. It is never more than were really out. A take that overlaps a
   * change of the limit does not count towards it.
   */
  public int takeMaximum() {
    int seen = (int) MAXIMUM.getAndSet(this, 0);
    PermitCell[] all = cells;
    if (all != null) {
      for (PermitCell cell : all) {
        cell.forgetLow();
      }
    }
    // looked at after the restart: a take before this look is in the use, one after it raises the
    // new maximum itself
    lookAtUse();
    return Math.max(seen, maximum);
  }

  private long takeFromEmpty(long before, int seenResizes) {
    PermitCell[] all = cells;
    if (all != null) {
      return takeFromCells(all, 0);
    }
    // there was only the base cell when it was empty; once more if that was under other bounds
    return bounds == before && resizes == seenResizes ? refused(before) : take();
  }

  /** None was free, so all of these were out. */
  private long refused(long bounds) {
    raiseMaximum(PermitBounds.limit(bounds));
    return (long) PermitBounds.limit(bounds) << 32 | total(bounds) & 0xFFFF_FFFFL;
  }

  private long takeFromOwn(PermitCell[] all) {
    int index = own();
    PermitCell cell = all[index];
    for (long word = cell.word(); free(word) > 0; word = cell.word()) {
      if (cell.tryTakeFrom(word)) {
        if (cell.isNewLow(free(word) - 1) || (puts(word) & SAMPLE_MASK) == 0) {
          lookAtUse();
        }
        return TAKEN;
      }
    }
    return takeFromCells(all, index);
  }

  /**
   * Looks everywhere, beginning at {@code first}, until a permit is taken or all cells were empty
   * at one moment, whose bounds are known.
   */
  private long takeFromCells(PermitCell[] all, int first) {
    while (true) {
      int seenResizes = resizes;
      long before = bounds;
      int seenPuts = 0;
      for (int i = 0; i < all.length; i++) {
        PermitCell cell = all[(first + i) & (all.length - 1)];
        long word = cell.word();
        for (; free(word) > 0; word = cell.word()) {
          if (cell.tryTakeFrom(word)) {
            lookAtUse();
            return TAKEN;
          }
        }
        seenPuts += puts(word);
      }
      if (seenPuts == totalPuts() && bounds == before && resizes == seenResizes) {
        return refused(before);
      }
    }
  }

  /**
   * Raises the maximum to the present use, if that can be known: between two equal counts of puts
   * permits were only taken, so the cells together hold no more at the end than was read.
   */
  private void lookAtUse() {
    int seenResizes = resizes;
    long before = bounds;
    long seen = sum();
    int use = total(before) - free(seen);
    if (use > maximum && puts(seen) == totalPuts() && bounds == before && resizes == seenResizes) {
      raiseMaximum(use);
    }
  }

  private void raiseMaximum(int use) {
    for (int seen = maximum; use > seen; seen = maximum) {
      if (MAXIMUM.compareAndSet(this, seen, use)) {
        return;
      }
    }
  }

  /** Uses up the caller's permit for one of the debt; false if there is none any more. */
  private boolean tryPay() {
    for (long seen = bounds; debt(seen) != 0; seen = bounds) {
      if (BOUNDS.compareAndSet(this, seen, seen - 1)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Pays the debt with free permits, until there is no debt or no free permit. The debt is lowered
   * first and the permit taken second: the other way round a caller could be refused although the
   * limit is not reached. Under the monitor, or a resize could raise the limit between the two and
   * let too many in.
   */
  private synchronized void settle() {
    for (int due = payable(); due > FEW; due = payable()) {
      payMany(due / 2);
    }
    while (tryPay()) {
      if (takeFree(1) == 0) {
        BOUNDS.getAndAdd(this, 1L);
        // a giver that put its permit back meanwhile may have seen no debt: look again now that it
        // is there to be seen
        if (totalFree() == 0) {
          return;
        }
      }
    }
  }

  private int payable() {
    return Math.min(debt(bounds), totalFree());
  }

  /** Pays with up to so many permits at once: a limit may be lowered by two thousand million. */
  private void payMany(int permits) {
    long seen;
    int paid;
    do {
      seen = bounds;
      paid = Math.min(debt(seen), permits); // givers lower it as well
    } while (!BOUNDS.compareAndSet(this, seen, seen - paid));
    BOUNDS.getAndAdd(this, (long) paid - takeFree(paid)); // takers were faster
  }

  /**
   * Takes up to so many free permits, wherever they lie. Allocates nothing: the debt that they pay
   * is lowered already.
   *
   * @return how many
   */
  private int takeFree(int most) {
    PermitCell[] all = cells;
    if (all == null) {
      return takeFree(base(), most);
    }
    int taken = 0;
    for (PermitCell cell : all) {
      taken += takeFree(cell, most - taken);
    }
    return taken;
  }

  private static int takeFree(PermitCell cell, int most) {
    int taken = 0;
    while (taken < most) {
      long word = cell.word();
      int some = Math.min(free(word), most - taken);
      if (some <= 0) {
        break;
      }
      if (cell.tryTakeFrom(word, some)) {
        taken += some;
      }
    }
    return taken;
  }

  private PermitCell base() {
    PermitCell present = base;
    return present != null ? present : firstCell();
  }

  private synchronized PermitCell firstCell() {
    PermitCell present = base;
    if (present == null) {
      base = present = new PermitCell(PermitBounds.limit(bounds));
    }
    return present;
  }

  /** Adds the other cells, once; what the first collision of two threads does. */
  PermitCell[] grow() {
    PermitCell[] grown = new PermitCell[CELL_COUNT];
    grown[0] = base();
    for (int i = 1; i < CELL_COUNT; i++) {
      grown[i] = new PermitCell(0);
    }
    PermitCell[] before = (PermitCell[]) CELLS.compareAndExchange(this, null, grown);
    return before == null ? grown : before;
  }

  private int totalPuts() {
    return puts(sum());
  }

  private int totalFree() {
    return free(sum());
  }

  /**
   * All words in one. The permits below do not carry into the puts above, for no more are free than
   * the limit; the puts wrap, here as in each word.
   */
  private long sum() {
    PermitCell[] all = cells;
    if (all == null) {
      PermitCell only = base;
      return only == null ? PermitBounds.limit(bounds) : only.word();
    }
    long sum = 0;
    for (PermitCell cell : all) {
      sum += cell.word();
    }
    return sum;
  }

  /**
   * The calling thread's cell. Thread ids are handed out in steps that a mask alone would send to
   * one cell.
   */
  static int own() {
    return (int) ((Thread.currentThread().getId() * 0x9E3779B97F4A7C15L) >>> HASH_SHIFT);
  }

  private static int roundUp(int count) {
    return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
  }

  private static int checked(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit of permits must be 0 or more, was " + limit);
    }
    return limit;
  }
}
