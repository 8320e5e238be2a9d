// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.timeout;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task on its way to another thread. It runs at most once, never on the thread that brings it
 * while it brings it, and not at all once it counts as refused, whatever an executor does with it.
 */
final class HandedOver implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(HandedOver.class);

  private final Runnable task;

  /**
   * The bringing thread until {@link #isRefused}, then null. Written by that thread alone; others
   * compare it with themselves, and are not equal to either value, so it needs no order.
   */
  private @Nullable Thread bringer;

  /**
   * Whether the executor has tried to run it on the bringing thread. Written and read by that
   * thread alone.
   */
  private boolean broughtBack;

  /** Set once, by the thread that runs the task or by the bringing one that withdraws it. */
  private final AtomicBoolean claimed = new AtomicBoolean();

  private HandedOver(Runnable task, @Nullable Thread bringer) {
    this.task = task;
    this.bringer = bringer;
  }

  /** Must not run on the calling thread before {@link #isRefused} is called. */
  static HandedOver byCaller(Runnable task) {
    return new HandedOver(task, Thread.currentThread());
  }

  /** May run on any thread. */
  static HandedOver toAnybody(Runnable task) {
    return new HandedOver(task, null);
  }

  @Override
  public void run() {
    if (bringer == Thread.currentThread()) {
      broughtBack = true;
    } else if (claimed.compareAndSet(false, true)) {
      try {
        task.run();
      } catch (Throwable e) {
        LOG.warn("a callback failed: {}", task, e);
      }
    }
  }

  /**
   * Ends the bringing, by the thread that began it.
   *
   * @param threw whether the executor threw
   * @return whether the task will not run; an executor that throws but has started it all the same
   *     has not refused it
   */
  boolean isRefused(boolean threw) {
    bringer = null;
    return (threw || broughtBack) && claimed.compareAndSet(false, true);
  }

  Runnable task() {
    return task;
  }
}
