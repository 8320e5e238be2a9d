// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.metrics.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Time at one reading of which something happens first: the next one by the thread that asked for
 * it. Other threads, such as the timer's, read it as ever.
 */
public final class InterludeTime implements Ticker {

  private final Ticker time;

  /** Done at its owner's next reading; null when it was done. */
  private volatile @Nullable Interlude next;

  private record Interlude(Thread owner, Runnable action) {}

  public InterludeTime(Ticker time) {
    this.time = time;
  }

  /** At the calling thread's next reading. */
  public void atMyNextReading(Runnable action) {
    next = new Interlude(Thread.currentThread(), action);
  }

  /** At the calling thread's so many-th reading from now on, which is 1 for the next. */
  public void atMyReading(int reading, Runnable action) {
    atMyNextReading(reading == 1 ? action : () -> atMyReading(reading - 1, action));
  }

  @Override
  public long nanoTime() {
    Interlude interlude = next;
    if (interlude != null && interlude.owner == Thread.currentThread()) {
      next = null;
      interlude.action.run();
    }
    return time.nanoTime();
  }
}
