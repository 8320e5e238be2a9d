// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task that runs until it is let go, gives its permit back, and knows whether it ran or was
 * abandoned.
 */
class HeldTask implements Task {

  private static final int QUEUED = 0;
  private static final int BEGUN = 1;
  private static final int ABANDONED = 2;

  private final AtomicInteger phase = new AtomicInteger(QUEUED);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final WorkerPool pool;
  volatile boolean interrupted;
  volatile String thread = "";

  HeldTask(WorkerPool pool) {
    this.pool = pool;
  }

  @Override
  public void run() {
    if (!phase.compareAndSet(QUEUED, BEGUN)) {
      return;
    }
    thread = Thread.currentThread().getName();
    interrupted = Thread.currentThread().isInterrupted();
    begun.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    pool.permits().give();
    stopped.countDown();
  }

  @Override
  public boolean isAbandoned() {
    return phase.get() == ABANDONED;
  }

  boolean abandon() {
    if (!phase.compareAndSet(QUEUED, ABANDONED)) {
      return false;
    }
    pool.permits().give();
    pool.abandoned();
    return true;
  }

  boolean hasBegun() {
    return phase.get() == BEGUN;
  }

  HeldTask letGo() {
    release.countDown();
    return this;
  }

  void awaitBegun() throws InterruptedException {
    begun.await();
  }

  void awaitStopped() throws InterruptedException {
    stopped.await();
  }
}
