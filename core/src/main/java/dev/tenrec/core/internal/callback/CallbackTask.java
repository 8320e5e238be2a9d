// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import org.jspecify.annotations.Nullable;

/**
 * User code that waits for a thread of its command's {@link CallbackShare}, and the node of that
 * share's queue: queueing it allocates nothing, so a task that exists is never lost for want of
 * memory. In a queue at most once at a time, and run once for each time that it is queued; once
 * more if it {@link #runsAgain}.
 */
public abstract class CallbackTask {

  /** The task that was queued after this one. Written and read under the share's lock. */
  @Nullable CallbackTask next;

  /** Runs on a thread of the share. What it throws is logged. */
  protected abstract void run();

  /** Runs on this thread, which is none of the share and may run the user's code. */
  public final void runHere() {
    run();
  }

  /**
   * Whether it is to be run again, later, after {@link #run} has thrown an error of the JVM: for
   * want of memory, or of stack. Not if it has run user code that must not run twice.
   */
  public boolean runsAgain() {
    return false;
  }

  /**
   * The Tenrec closes, and this waits or runs: ends what callers may wait for, without waiting for
   * user code. Called by the closing thread, perhaps while {@link #run} is running.
   */
  protected void abort() {}

  /** A task that ends nothing that a caller waits for. */
  public static CallbackTask of(Runnable body) {
    return new CallbackTask() {
      @Override
      protected void run() {
        body.run();
      }
    };
  }
}
