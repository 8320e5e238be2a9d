// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The executions that neither a starter nor the timer keeps until they end; closing finds them
 * here. These are stages that go on without a thread of ours, streams, work on its caller's own
 * thread that sees its call and has no deadline, and some that are at their fallback; once it
 * closes, also stages that the timer has kept.
 */
public final class RunningStages {

  /**
   * Added to by the thread that starts the work, removed from by the thread that ends it, read by
   * the closing thread.
   */
  private final Set<Execution<?, ?>> running = ConcurrentHashMap.newKeySet();

  /**
   * Calls at a fallback that is a stream, or runs on a thread at which closing does not look: an
   * entry of their own, because what is left of a stream's source may end, or even begin, after
   * that. Added to and removed from by the fallback, read by the closing thread.
   */
  private final Set<Execution<?, ?>> atFallback = ConcurrentHashMap.newKeySet();

  /**
   * Calls that wait for their next attempt: nothing is in flight for them. Added to by the thread
   * that ends an attempt, removed from by the one that begins the next or ends the call, read by
   * the closing thread.
   */
  private final Set<Execution<?, ?>> waiting = ConcurrentHashMap.newKeySet();

  /**
   * Written before the closing looks at the sets, read after an entry was made there: one of the
   * two sees the other.
   */
  private volatile boolean closed;

  /** False if all is closed: then the calling thread has to end the execution. */
  public boolean add(Execution<?, ?> execution) {
    running.add(execution);
    return !closed;
  }

  void remove(Execution<?, ?> execution) {
    running.remove(execution);
  }

  /** By the thread that ends a stage, after its stop: also if only closing has added it. */
  void stageEnded(Execution<?, ?> execution) {
    if (execution.noted || !TimeoutGuard.keeps(execution)) {
      running.remove(execution);
    }
  }

  /**
   * Adds an execution that is at such a fallback. False if all is closed: then the calling thread
   * has to end the execution.
   */
  public boolean addFallback(Execution<?, ?> execution) {
    atFallback.add(execution);
    return !closed;
  }

  public void removeFallback(Execution<?, ?> execution) {
    atFallback.remove(execution);
  }

  /**
   * By closing: the timer has kept this one until now, and its stage may go on although it is given
   * up. Then it is counted here, as those are that the timer never knew.
   */
  void mayGoOn(Execution<?, ?> execution) {
    if (execution.following && !execution.hasStopped()) {
      execution.noted = true;
      running.add(execution);
      if (execution.hasStopped()) { // meanwhile: its thread may not have found it here
        running.remove(execution);
      }
    }
  }

  /**
   * How many stages of one command there are that entered on their callers' threads: which threads
   * they are on by now is not ours to know.
   */
  int running(CommandRuntime runtime) {
    int count = 0;
    for (Execution<?, ?> execution : running) {
      if (execution.pipeline.runtime == runtime
          && execution.pipeline.isStaged()
          && execution.plan.runsOnCaller
          && !execution.hasStopped()) {
        count++;
      }
    }
    return count;
  }

  /**
   * Adds a call that waits for its next attempt. False if all is closed: then the calling thread
   * has to end it.
   */
  public boolean addWaiting(Execution<?, ?> execution) {
    waiting.add(execution);
    return !closed;
  }

  public void removeWaiting(Execution<?, ?> execution) {
    waiting.remove(execution);
  }

  /** How many calls wait for their next attempt. */
  int waiting() {
    return waiting.size();
  }

  /** How many there are. */
  int size() {
    return running.size() + atFallback.size() + waiting.size();
  }

  /** Those that run. An execution that is added later is ended by the thread that adds it. */
  public List<Execution<?, ?>> close() {
    closed = true;
    Set<Execution<?, ?>> all = new HashSet<>(running);
    all.addAll(atFallback);
    all.addAll(waiting);
    return List.copyOf(all);
  }
}
