// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import dev.tenrec.metrics.PatientWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** An executor whose tasks run when, and where, a test says so. */
public final class HeldTasks implements Executor {

  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** Written by the test, read by the threads that bring tasks. */
  private volatile boolean full;

  @Override
  public void execute(Runnable task) {
    if (full) {
      throw new RejectedExecutionException("full");
    }
    tasks.add(task);
  }

  /** Whether it refuses from now on. */
  public void full(boolean refuses) {
    full = refuses;
  }

  /** The next task, which another thread may be about to bring. */
  public Runnable take() {
    try {
      long seconds = PatientWaits.seconds();
      Runnable task = tasks.poll(seconds, TimeUnit.SECONDS);
      if (task == null) {
        throw new AssertionError("no task was brought within " + seconds + " s");
      }
      return task;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for a task", e);
    }
  }

  /** Runs the next task, which another thread may be about to bring, and all that come of it. */
  public void run() {
    take().run();
    runWhatIsThere();
  }

  /** Runs all there are, and all that come of them. */
  public void runWhatIsThere() {
    List<Runnable> there = new ArrayList<>();
    while (tasks.drainTo(there) > 0) {
      there.forEach(Runnable::run);
      there.clear();
    }
  }

  /** How many wait. */
  public int size() {
    return tasks.size();
  }
}
