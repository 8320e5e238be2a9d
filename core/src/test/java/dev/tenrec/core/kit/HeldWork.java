// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.awaitility.Awaitility.await;

import dev.tenrec.core.work.Work;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that goes on until it is let go, or interrupted, and knows the threads at it. Returns its
 * argument.
 */
public final class HeldWork implements Work<String, String> {

  private final boolean stubborn;
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger interrupts = new AtomicInteger();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<String> began = new CopyOnWriteArrayList<>();

  private HeldWork(boolean stubborn) {
    this.stubborn = stubborn;
  }

  /** Ends when it is interrupted. */
  public static HeldWork polite() {
    return new HeldWork(false);
  }

  /** Counts interrupts, and goes on. */
  public static HeldWork stubborn() {
    return new HeldWork(true);
  }

  @Override
  public String run(String argument) throws InterruptedException {
    threads.add(Thread.currentThread());
    began.add(argument);
    int now = running.incrementAndGet();
    most.accumulateAndGet(now, Math::max);
    try {
      hold();
    } finally {
      running.decrementAndGet();
    }
    return argument;
  }

  private void hold() throws InterruptedException {
    while (true) {
      try {
        release.await();
        return;
      } catch (InterruptedException e) {
        interrupts.incrementAndGet();
        if (!stubborn) {
          throw e;
        }
      }
    }
  }

  /** Ends all that are at it, and lets those that come later through. */
  public void letGo() {
    release.countDown();
  }

  /** Waits until exactly so many are at it. */
  public HeldWork awaitRunning(int count) {
    await().until(() -> running.get() == count);
    return this;
  }

  /** Waits until so many interrupts have come. */
  public void awaitInterrupts(int count) {
    await().until(() -> interrupts.get() == count);
  }

  public int interrupts() {
    return interrupts.get();
  }

  /** The most that were ever at it at once. */
  public int most() {
    return most.get();
  }

  /** The threads that came, in order. */
  public List<Thread> threads() {
    return threads;
  }

  /** The arguments it began with, in order. */
  public List<String> began() {
    return began;
  }
}
