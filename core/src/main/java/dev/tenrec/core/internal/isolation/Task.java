// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

/**
 * What a {@link WorkerPool} runs. A task begins at most once, and either begins or is abandoned,
 * never both: the first to come (a worker in {@link #run}, or a time-out or cancellation elsewhere)
 * decides it inside the task.
 */
public interface Task {

  /**
   * Begins the task, on a worker's thread, and gives its permit back when the work has stopped.
   * Does nothing when the task has been abandoned. Does not throw; should it throw nevertheless,
   * the pool logs that and the worker goes on.
   */
  void run();

  /**
   * Whether the task was ended before it began. The thread that ended it gives its permit back and
   * calls {@link WorkerPool#abandoned} once. Never turns false again, and never turns true once the
   * task has begun.
   */
  boolean isAbandoned();

  /**
   * Its Tenrec closes while this waits or runs: ends what a caller may wait for. Called by the
   * closing thread, again if it throws; does not wait. Nothing for a task that nobody waits for.
   */
  default void closed() {}
}
