// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import dev.tenrec.core.internal.isolation.VirtualThreads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A virtual thread for each execution, under a permit. Keeps those that run, so that closing can
 * end them.
 */
public final class VirtualStarter implements WorkStarter {

  /** Added to by the caller, removed from by the virtual thread, read by the closing thread. */
  private final Set<Launchable> running = ConcurrentHashMap.newKeySet();

  /**
   * Threads that were started and have not ended. Not the size of {@link #running}: a call that
   * comes after close is listed there for an instant. Written by callers and virtual threads.
   */
  private final AtomicInteger live = new AtomicInteger();

  private final InFlightMonitor closing;

  /**
   * Written before closing looks at the running ones, read after one was added: one of the two sees
   * the other.
   */
  private volatile boolean closed;

  /**
   * None runs yet.
   *
   * @param closing is notified of each thread that has ended
   */
  public VirtualStarter(InFlightMonitor closing) {
    this.closing = closing;
  }

  /** Throws IllegalStateException where the JVM has no virtual threads. */
  public void requireSupported(String what) {
    VirtualThreads.requireSupported(what);
  }

  @Override
  public void start(Launchable execution) {
    try {
      running.add(execution);
    } catch (Throwable noMemory) { // it may be there all the same
      running.remove(execution);
      throw noMemory;
    }
    if (closed) {
      running.remove(execution);
      execution.findClosed();
      return;
    }
    live.incrementAndGet();
    try {
      VirtualThreads.start(
          execution.commandKey(),
          () -> {
            try {
              execution.run();
            } finally {
              live.decrementAndGet(); // first: closing waits for the other
              try {
                running.remove(execution);
              } finally { // also if there is no memory for the map's count
                closing.left();
              }
            }
          });
    } catch (Throwable thrown) { // no memory for another thread
      live.decrementAndGet();
      running.remove(execution);
      execution.failToStart(thrown);
    }
  }

  /** No thread is started any more. Returns the executions with threads that have not ended. */
  public List<Launchable> close() {
    closed = true;
    return running();
  }

  /** The executions with threads that have not ended. */
  public List<Launchable> running() {
    return List.copyOf(running);
  }

  /** How many of its threads are started and have not ended. */
  public int live() {
    return live.get();
  }
}
