// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.metrics.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * By when what a thread is at has to be over: the deadline of the call whose work it runs, or one
 * that was opened there. Carried with executions to other threads. Thread-safe.
 *
 * <p>A thread keeps one array of one number, so that a call which hands its deadline on allocates
 * nothing. It is of the JDK's own class, so it keeps no class loader of an application.
 */
public final class Deadlines implements ContextPropagator {

  /** No deadline. No reading of a ticker in practice; a deadline that is it is moved by 1 ns. */
  public static final long NONE = Long.MIN_VALUE;

  /** In the place of a time that is left: no end. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Not static: each Tenrec has its own. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<long[]> local = new ThreadLocal<>();

  /**
   * Whether any thread ever had a deadline: until then a look costs one read. Written by the first
   * threads that get one, read by any thread, ordered by volatile access.
   */
  private volatile boolean used;

  private final Ticker ticker;

  /** No thread has a deadline. */
  public Deadlines(Ticker ticker) {
    this.ticker = ticker;
  }

  /** This thread's deadline, to be read and replaced in place. */
  public long[] here() {
    long[] present = local.get();
    return present != null ? present : make();
  }

  private long[] make() {
    long[] made = {NONE};
    local.set(made);
    used = true;
    return made;
  }

  /** This thread's deadline; {@link #NONE} if it has none. */
  public long current() {
    if (!used) {
      return NONE;
    }
    long[] present = local.get();
    return present == null ? NONE : present[0];
  }

  /** This thread's deadline; {@link #NONE} if it has none, or if it does not matter. */
  public long current(boolean matters) {
    return matters ? current() : NONE;
  }

  /** Reads the clock that deadlines are on. */
  public long now() {
    return ticker.nanoTime();
  }

  /** The deadline so long after a time; {@link #NONE} after {@link #NEVER}. */
  public static long after(long startNanos, long limitNanos) {
    return limitNanos == NEVER ? NONE : of(startNanos + limitNanos);
  }

  private static long of(long nanos) {
    return nanos == NONE ? NONE + 1 : nanos;
  }

  /**
   * How long a call has that begins at a time within a deadline: 0 or less if it is too late.
   *
   * @param outer the deadline, or {@link #NONE}
   * @param ownNanos its own time-out, or {@link #NEVER}
   */
  public static long limit(long outer, long startNanos, long ownNanos) {
    return outer == NONE ? ownNanos : Math.min(outer - startNanos, ownNanos);
  }

  /** The earlier of two deadlines, either of which may be {@link #NONE}. */
  public static long earlier(long one, long other) {
    if (one == NONE) {
      return other;
    }
    return other == NONE || one - other < 0 ? one : other;
  }

  /** The later of two deadlines; {@link #NONE} if either of them is. */
  public static long later(long one, long other) {
    if (one == NONE || other == NONE) {
      return NONE;
    }
    return one - other > 0 ? one : other;
  }

  /**
   * Gives this thread a deadline, or none, until the scope ends. The scope ends on this thread, and
   * puts back what was there before.
   */
  public Scope bind(long nanos) {
    long[] here = here();
    long before = here[0];
    here[0] = nanos;
    return () -> here[0] = before;
  }

  /** As {@link #bind}, but leaves this thread an earlier deadline that it has already. */
  public Scope shorten(long nanos) {
    return bind(earlier(current(), nanos));
  }

  /** Nothing where there is none: threads of ours have none when they begin a call. */
  @Override
  public @Nullable Captured capture() {
    long nanos = current();
    return nanos == NONE ? null : () -> bind(nanos);
  }
}
