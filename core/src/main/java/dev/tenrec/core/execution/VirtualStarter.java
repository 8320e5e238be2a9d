// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.isolation.VirtualThreads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A virtual thread for each execution, under a permit. Keeps those that run, so that closing can
 * end them.
 */
public final class VirtualStarter implements WorkStarter {

  /** Added to by the caller, removed from by the virtual thread, read by who closes. */
  private final Set<Execution<?, ?>> running = ConcurrentHashMap.newKeySet();

  private final Closing closing;

  /**
   * Written before closing looks at the running ones, read after one was added: one of the two sees
   * the other.
   */
  private volatile boolean closed;

  /**
   * None runs yet.
   *
   * @param closing is told of each thread that has ended
   */
  public VirtualStarter(Closing closing) {
    this.closing = closing;
  }

  /** Throws IllegalStateException where the JVM has no virtual threads. */
  void requireSupported(String what) {
    VirtualThreads.requireSupported(what);
  }

  @Override
  public void start(Execution<?, ?> execution) {
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

  /** No thread is started any more. Returns the executions whose threads have not ended. */
  public List<Execution<?, ?>> close() {
    closed = true;
    return running();
  }

  /** The executions whose threads have not ended. */
  public List<Execution<?, ?>> running() {
    return List.copyOf(running);
  }
}
