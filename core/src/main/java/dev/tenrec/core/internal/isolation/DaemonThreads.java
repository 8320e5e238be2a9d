// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where all platform threads come from: daemons called {@code tenrec-<name>-<n>} unless their owner
 * has another name, counted, so that closing can wait for the last one.
 *
 * <p>A thread takes nothing from the thread that happens to make or start it: no inheritable
 * thread-locals, and the context class loader is that of the thread that made this factory.
 * Thread-safe.
 */
public final class DaemonThreads implements ThreadFactory {

  private final String prefix;
  private final Ticker ticker;
  private final Waiter waiter;
  private final @Nullable ClassLoader classLoader;
  // counts names up; any thread
  private final AtomicLong names = new AtomicLong();
  // raised by start(), lowered at the end of run(); read by threads that wait for 0
  private final AtomicInteger live = new AtomicInteger();
  // threads that wait for 0: entered before they look at live, read after live was lowered, so
  // at least one of the two threads sees what the other did
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

  /** Threads called {@code tenrec-<name>-1} and so on. */
  public DaemonThreads(String name, Ticker ticker, Waiter waiter) {
    this("tenrec", name, ticker, waiter);
  }

  /** Threads called {@code <owner>-<name>-1} and so on, or {@code <owner>-1} if name is empty. */
  public DaemonThreads(String owner, String name, Ticker ticker, Waiter waiter) {
    this.prefix = name.isEmpty() ? owner + "-" : owner + "-" + name + "-";
    this.ticker = ticker;
    this.waiter = waiter;
    this.classLoader = Thread.currentThread().getContextClassLoader();
  }

  /**
   * A thread that is not started yet. It counts as live from its start to the end of {@code work}.
   */
  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Counted(work, prefix + names.incrementAndGet());
    thread.setDaemon(true);
    thread.setPriority(Thread.NORM_PRIORITY);
    thread.setContextClassLoader(classLoader);
    return thread;
  }

  /** How many threads are started and have not ended. */
  public int live() {
    return live.get();
  }

  /**
   * Waits until no thread is live, {@code deadlineNanos} has come, or the caller is interrupted
   * (the flag stays).
   *
   * @param deadlineNanos on the ticker's scale, or {@link Waiter#FOREVER}
   * @return whether no thread is live
   */
  public boolean awaitNone(long deadlineNanos) {
    Thread current = Thread.currentThread();
    waiting.add(current);
    try {
      while (live.get() != 0 && !current.isInterrupted() && !reached(deadlineNanos)) {
        waiter.awaitUntil(deadlineNanos);
      }
      return live.get() == 0;
    } finally {
      waiting.remove(current);
    }
  }

  private boolean reached(long deadlineNanos) {
    return deadlineNanos != Waiter.FOREVER && ticker.nanoTime() - deadlineNanos >= 0;
  }

  private void ended() {
    if (live.decrementAndGet() == 0) {
      waiting.forEach(waiter::wake);
    }
  }

  private final class Counted extends Thread {

    /**
     * Written by start, read by run. From Java 21 on, a ThreadPoolExecutor starts its threads by
     * another way than {@link #start}; those count from when they run.
     */
    private boolean counted;

    Counted(Runnable work, String name) {
      super(null, work, name, 0, false);
    }

    @Override
    public synchronized void start() {
      live.incrementAndGet();
      counted = true;
      boolean started = false;
      try {
        super.start();
        started = true;
      } finally {
        if (!started) {
          ended();
        }
      }
    }

    @Override
    public void run() {
      if (!counted) {
        live.incrementAndGet();
      }
      try {
        super.run();
      } finally {
        ended();
      }
    }
  }
}
