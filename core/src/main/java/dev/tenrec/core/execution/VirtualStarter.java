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

  /** The executions whose threads have not ended. */
  public List<Execution<?, ?>> running() {
    return List.copyOf(running);
  }
}
