// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import dev.tenrec.core.internal.isolation.VirtualThreads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A virtual thread for each execution, under a permit. Keeps those that run, so that closing can
 * end them.
 */
public final class VirtualStarter implements WorkStarter {

  /** Added to by the caller, removed from by the virtual thread, read by the closing thread. */
  private final Set<Launchable> running = ConcurrentHashMap.newKeySet();

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
    running.add(execution);
    if (closed) {
      running.remove(execution);
      execution.findClosed();
      return;
    }
    try {
      VirtualThreads.start(
          execution.commandKey(),
          () -> {
            try {
              execution.run();
            } finally {
              running.remove(execution);
              closing.left();
            }
          });
    } catch (Throwable thrown) { // no memory for another thread
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
}
