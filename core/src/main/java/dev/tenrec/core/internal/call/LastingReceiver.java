// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * A receiver that receives its execution's ending as often as it takes, until there is the memory
 * for that: it knows the execution, and is the task that receives the ending in the command's
 * share. So neither needs any memory to be tried again.
 *
 * @param <R> what the command returns
 */
public abstract class LastingReceiver<R extends @Nullable Object> extends CallbackTask
    implements Receiver<R> {

  @Override
  public final void onValue(R value) {
    run();
  }

  @Override
  public final void onError(Throwable error) {
    run();
  }
}
