// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.timeout.Timeout;
import dev.tenrec.core.timeout.Timer;

/**
 * The time after which a stage that did not end, although its deadline has passed and it was
 * cancelled, loses its permit: its thread is not ours, and a stage nobody completes would hold the
 * permit for ever.
 */
final class Abandonment extends Timeout {

  private final Execution<?, ?> execution;

  private Abandonment(Execution<?, ?> execution, long deadlineNanos) {
    super(deadlineNanos);
    this.execution = execution;
  }

  /** For an execution that was given up just now. */
  static void arm(Execution<?, ?> execution, Timer timer, long now) {
    if (!execution.hasStopped()) {
      timer.arm(new Abandonment(execution, now + execution.plan.settings.abandonStageNanos()));
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
    execution.pipeline.givingUp.abandoned(execution);
  }
}
