// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A caller that waits for another thread looks for its answer for a moment before it sleeps: being
 * woken is half of what a call on an idle pool takes (benchmark ThreadPoolExecution). That pays
 * only where answers come within that moment. So each time none does, the callers of this command
 * sleep at once for a while, twice as long as the time before. A command with answers that always
 * take longer looks 16 times a second at most, which is about a thousandth of a processor.
 *
 * <p>Spinning before blocking, adaptively, is what operating systems do for mutexes (Karlin and
 * others, "Empirical studies of competitive spinning for a shared-memory multiprocessor", 1991).
 */
final class SpinThenPark {

  /**
   * Some tens of microseconds: about what going to sleep and being woken by another processor
   * takes.
   */
  private static final int LOOKS = 2_000;

  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final int MOST_DOUBLINGS = 6;

  /** No other thread could answer meanwhile. */
  private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

  private static final VarHandle NEXT;
  private static final VarHandle LOSSES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEXT = lookup.findVarHandle(SpinThenPark.class, "nextNanos", long.class);
      LOSSES = lookup.findVarHandle(SpinThenPark.class, "losses", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * When to look again, and how often in a row nothing came. Written and read by all waiting
   * callers, opaque and in no order: a write that is lost costs a look too many or too few.
   */
  private long nextNanos;

  private int losses;

  SpinThenPark(long nowNanos) {
    this.nextNanos = nowNanos;
  }

  /**
   * On the caller's thread. Returns when there is something to do, or it is time to sleep.
   *
   * @param nowNanos about now: when the call began will do
   * @return whether there is something to do
   */
  boolean look(ExecutionState execution, long nowNanos) {
    if (ONE_PROCESSOR || nowNanos - (long) NEXT.getOpaque(this) < 0) {
      return false;
    }
    for (int i = 0; i < LOOKS; i++) {
      if (execution.isAnswered() || execution.isAtFallback()) {
        if ((int) LOSSES.getOpaque(this) != 0) {
          LOSSES.setOpaque(this, 0);
        }
        return true;
      }
      Thread.onSpinWait();
    }
    int lost = (int) LOSSES.getOpaque(this);
    NEXT.setOpaque(this, nowNanos + (FIRST_PAUSE_NANOS << lost));
    LOSSES.setOpaque(this, Math.min(lost + 1, MOST_DOUBLINGS));
    return false;
  }
}
