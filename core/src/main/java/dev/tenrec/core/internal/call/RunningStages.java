// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The executions whose stages go on without a thread of ours, and whose deadline, if they have one,
 * is not in the timer. Only closing asks for them: nobody else could answer them then.
 */
public final class RunningStages {

  /** Added to by who started the stage, removed from by its end, read by who closes. */
  private final Set<Execution<?, ?>> running = ConcurrentHashMap.newKeySet();

  /**
   * Streams at their fallback: an entry of their own, because what is left of their source may end,
   * or even begin, after that. Added to and removed from by the fallback, read by who closes.
   */
  private final Set<Execution<?, ?>> atFallback = ConcurrentHashMap.newKeySet();

  /**
   * Written before the closing looks at the sets, read after an entry was made there: one of the
   * two sees the other.
   */
  private volatile boolean closed;

  /** False if all is closed, and whoever adds has to end the execution. */
  public boolean add(Execution<?, ?> execution) {
    running.add(execution);
    return !closed;
  }

  void remove(Execution<?, ?> execution) {
    running.remove(execution);
  }

  /** The same for a fallback that is a stream. */
  public boolean addFallback(Execution<?, ?> execution) {
    atFallback.add(execution);
    return !closed;
  }

  public void removeFallback(Execution<?, ?> execution) {
    atFallback.remove(execution);
  }

  /** How many of one command there are, whose threads are not ours to know. */
  int running(CommandRuntime runtime) {
    int count = 0;
    for (Execution<?, ?> execution : running) {
      if (execution.pipeline.runtime == runtime && execution.pipeline.isStaged()) {
        count++;
      }
    }
    return count;
  }

  /** How many there are. */
  int size() {
    return running.size() + atFallback.size();
  }

  /** Those that run; whatever is added later ends by itself. */
  public List<Execution<?, ?>> close() {
    closed = true;
    Set<Execution<?, ?>> all = new HashSet<>(running);
    all.addAll(atFallback);
    return List.copyOf(all);
  }
}
