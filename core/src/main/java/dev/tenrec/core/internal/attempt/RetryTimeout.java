// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.timeout.Timeout;

/**
 * The moment when a call that no caller waits for is attempted again. The attempt begins in the
 * command's share, because its gates may refuse it, and then a fallback runs. Closing finds the
 * call itself, among those that wait.
 */
final class RetryTimeout extends Timeout {

  private final RetriedCall<?, ?> call;
  private final CallbackTask beginning;

  RetryTimeout(RetriedCall<?, ?> call, long dueNanos, CallbackTask beginning) {
    super(dueNanos);
    this.call = call;
    this.beginning = beginning;
  }

  @Override
  protected boolean isEnded() {
    return !call.whole.isRetrying();
  }

  @Override
  protected void expired() {
    call.whole.pipeline.runtime.callbacks().execute(beginning);
  }
}
