// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;

/**
 * The time after which a stage that did not end, although its deadline has passed and it was
 * cancelled, loses its permit: its thread is not ours, and a stage that never completes would hold
 * the permit for ever.
 */
final class StagePermitTimeout extends Timeout {

  private final Execution<?, ?> execution;

  private StagePermitTimeout(Execution<?, ?> execution, long deadlineNanos) {
    super(deadlineNanos);
    this.execution = execution;
  }

  /** For an execution that was given up just now. */
  static void arm(Execution<?, ?> execution, Timer timer, long now) {
    if (!execution.hasStopped()) {
      timer.arm(
          new StagePermitTimeout(execution, now + execution.plan.settings.abandonStageNanos()));
    }
  }

  @Override
  protected boolean isEnded() {
    return execution.hasStopped();
  }

  @Override
  protected void expired() {
    abandon(execution);
  }

  private static <A, R> void abandon(Execution<A, R> execution) {
    execution.pipeline.abandonment.abandoned(execution);
  }
}
