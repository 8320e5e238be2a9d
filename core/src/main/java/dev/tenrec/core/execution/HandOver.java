// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is left to the callback executor, and what remains of it when there is no room: an ending
 * has to be answered all the same. Known while it runs, so that closing can tell whose user code
 * does not end.
 */
public final class HandOver implements Runnable {

  /**
   * Those of one Tenrec that run: added to and removed from by callback threads, read by closing.
   */
  public static final class Running {
    private final Set<HandOver> tasks = ConcurrentHashMap.newKeySet();

    /** Those that run now. */
    public Set<HandOver> tasks() {
      return Set.copyOf(tasks);
    }
  }

  private final Running running;
  private final @Nullable Execution<?, ?> execution;
  private final Runnable task;
  private final Runnable bare;

  /** Written by the thread that runs it before it is among the running, read by closing after. */
  private volatile @Nullable Thread thread;

  /**
   * Not handed over yet.
   *
   * @param running is told while it runs
   * @param execution whose ending it is; null if it is nobody's alone
   * @param task all of it, fallback included
   * @param bare the answer alone
   */
  HandOver(Running running, @Nullable Execution<?, ?> execution, Runnable task, Runnable bare) {
    this.running = running;
    this.execution = execution;
    this.task = task;
    this.bare = bare;
  }

  /** The same with both parts wrapped. */
  HandOver with(UnaryOperator<Runnable> wrapper) {
    return new HandOver(running, execution, wrapper.apply(task), wrapper.apply(bare));
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    running.tasks.add(this);
    try {
      task.run();
    } finally {
      running.tasks.remove(this);
    }
  }

  /** The answer alone. */
  public Runnable bare() {
    return bare;
  }

  /** Whose ending it is; null if it is nobody's alone. */
  public @Nullable Execution<?, ?> execution() {
    return execution;
  }

  /** The name of the thread that runs it. */
  public String threadName() {
    Thread runs = thread;
    return runs == null ? "none" : runs.getName();
  }
}
