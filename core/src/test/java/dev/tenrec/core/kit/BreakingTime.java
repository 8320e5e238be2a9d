// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.metrics.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Time that cannot be read by one thread while that does something. Other threads, such as the
 * timer's, read it as ever.
 */
public final class BreakingTime implements Ticker {

  private final Ticker time;

  /** Who cannot read it; null if there is none. */
  private volatile @Nullable Thread broken;

  /** How many readings are left that succeed. Read and written by the broken thread only. */
  private int good;

  public BreakingTime(Ticker time) {
    this.time = time;
  }

  /**
   * Does something on the calling thread, to which so many readings succeed, and all later ones
   * fail.
   */
  public void brokenAfter(int readings, Runnable action) {
    good = readings;
    broken = Thread.currentThread();
    try {
      action.run();
    } finally {
      broken = null;
    }
  }

  @Override
  public long nanoTime() {
    if (Thread.currentThread() == broken && good-- <= 0) {
      throw new IllegalStateException("thrown on purpose");
    }
    return time.nanoTime();
  }
}
