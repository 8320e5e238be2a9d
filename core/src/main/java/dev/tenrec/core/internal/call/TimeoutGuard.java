// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

/**
 * The third gate lets everything pass, and sees to it that the deadline is noticed: by the timer
 * where no other thread would.
 *
 * <p>Work on the caller's own thread compares the clock when it returns; a caller that waits for
 * another thread wakes up at its deadline. Neither needs a timer. The exceptions are work that may
 * have registered cancellers, which have to run in time, and a batch, whose members wait elsewhere.
 */
public final class TimeoutGuard {

  private TimeoutGuard() {}

  /** Whether the deadline is armed; false if the timer is closed, and the execution has to end. */
  public static boolean arm(Execution<?, ?> execution) {
    return !usesTimer(execution) || execution.pipeline.runtime.engine.timer().arm(execution);
  }

  /** Whether the timer keeps the execution until it ends, so that closing finds it there. */
  static boolean keeps(Execution<?, ?> execution) {
    return usesTimer(execution) && !execution.pipeline.body.isStreamed();
  }

  /**
   * Whether it is work on its caller's own thread that has cancellers and no deadline: neither a
   * pool nor the timer knows of it. A call that shares a run has no work: the run has.
   */
  static boolean leavesToClosing(Execution<?, ?> execution) {
    return execution.plan.runsOnCaller
        && execution.pipeline.showsCall()
        && !execution.pipeline.isStaged()
        && !execution.hasDeadline()
        && execution.share == null;
  }

  /** Whether its deadline is the timer's to find. */
  static boolean usesTimer(Execution<?, ?> execution) {
    if (!execution.hasDeadline()) {
      return false;
    }
    return !execution.callerStays
        || execution.plan.runsOnCaller
            && !execution.pipeline.isStaged()
            && execution.pipeline.showsCall();
  }
}
