// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The time after which a stage that did not end, although its deadline has passed and it was
 * cancelled, loses its permit: its thread is not ours, and a stage that never completes would hold
 * the permit for ever.
 */
final class StagePermitTimeout extends Timeout {

  private final Execution<?, ?> execution;

  /** For an execution that may be given up: a thread that cannot try again makes it before. */
  StagePermitTimeout(Execution<?, ?> execution) {
    super(0); // postponed when it is armed
    this.execution = execution;
  }

  /**
   * For an execution that was given up just now, whether or not the timer has a thread: no other
   * thread would arm it again.
   *
   * @param made for it; null if that is still to be done
   */
  static void arm(
      Execution<?, ?> execution, @Nullable StagePermitTimeout made, Timer timer, long now) {
    if (!execution.hasStopped()) {
      StagePermitTimeout node = made == null ? new StagePermitTimeout(execution) : made;
      node.postpone(now + execution.plan.settings.abandonStageNanos());
      boolean unused = timer.armInAnyCase(node); // closing finds the stage otherwise
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

  @Override
  public void closed() {
    execution.pipeline.runtime.engine.stages().mayGoOn(execution);
  }

  private static <A, R> void abandon(Execution<A, R> execution) {
    execution.pipeline.abandonment.abandoned(execution);
  }
}
