// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;

/**
 * For tests whose subject is real threads and no limit of time: a Tenrec whose time passes by
 * itself, and slowly. The second that a call has by default, the window that its counts are in and
 * the moment that closing leaves to threads are then longer than a busy machine keeps a thread
 * waiting. What has to wait for a limit is a matter for manual time.
 */
public final class Unhurried {

  /** A second of such a Tenrec takes so many. */
  private static final long SLOWNESS = 60;

  private static final SlowTime TIME = new SlowTime();

  private Unhurried() {}

  public static Tenrec tenrec() {
    return builder().build();
  }

  public static TenrecBuilder builder() {
    return Tenrec.builder().time(TIME, TIME);
  }

  private static final class SlowTime implements Ticker, Waiter {

    private final Ticker real = Ticker.system();
    private final Waiter waiter = Waiter.system();
    private final long start = real.nanoTime();

    @Override
    public long nanoTime() {
      return start + (real.nanoTime() - start) / SLOWNESS;
    }

    @Override
    public void awaitUntil(long deadlineNanos) {
      long left = deadlineNanos - nanoTime();
      boolean forever = deadlineNanos == FOREVER || left > Long.MAX_VALUE / 2 / SLOWNESS;
      waiter.awaitUntil(forever ? FOREVER : real.nanoTime() + left * SLOWNESS);
    }

    @Override
    public void wake(Thread thread) {
      waiter.wake(thread);
    }
  }
}
