// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackTask;

/**
 * A step of a call that no caller goes on with, in its command's share: it runs user code, such as
 * a predicate or a gate's key, and while it does, nothing else may know of the call. So closing
 * ends the call.
 */
final class CallTask extends CallbackTask {

  private final Execution<?, ?> call;
  private final Runnable step;

  /** Goes on with that call. */
  CallTask(Execution<?, ?> call, Runnable step) {
    this.call = call;
    this.step = step;
  }

  @Override
  protected void run() {
    step.run();
  }

  @Override
  protected void abort() {
    call.closed();
  }
}
