// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.timeout.Timeout;

/**
 * The timer's node for trouble that no look has seen, in case that no call comes which would look
 * at its admission or its ending. One at a time for each command, however much trouble there is.
 */
final class ScheduledEvaluation extends Timeout {

  private final CommandRuntime runtime;

  ScheduledEvaluation(CommandRuntime runtime, long deadlineNanos) {
    super(deadlineNanos);
    this.runtime = runtime;
  }

  @Override
  protected boolean isEnded() {
    return runtime.isClosed();
  }

  @Override
  protected void expired() {
    runtime.recorder.armedLook();
  }

  @Override
  public String toString() {
    return "look at the health of " + runtime.commandKey;
  }
}
