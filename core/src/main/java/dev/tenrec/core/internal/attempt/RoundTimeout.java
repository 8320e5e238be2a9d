// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.timeout.Timeout;

/**
 * The moment when something is due in a round of a call: the hedge of a later round, or the next
 * round. It means nothing any more once that round is over.
 */
final class RoundTimeout extends Timeout {

  private final AttemptRounds<?, ?> call;
  private final int round;
  private final CallbackTask due;

  /** Whether the call waits for this, and a caller that waits may do it. */
  private final boolean forCaller;

  RoundTimeout(
      AttemptRounds<?, ?> call, int round, long dueNanos, CallbackTask due, boolean forCaller) {
    super(dueNanos);
    this.call = call;
    this.round = round;
    this.due = due;
    this.forCaller = forCaller;
  }

  @Override
  protected boolean isEnded() {
    return call.isRoundOver(round);
  }

  @Override
  protected void expired() {
    if (forCaller) {
      call.goOn(due);
    } else {
      call.whole.pipeline.runtime.callbacks().execute(due);
    }
  }
}
