// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.event.EventType;

/** A call's part in an execution that it shares with other calls of its request. */
public interface SharedRunPart {

  /**
   * Whether the execution was begun for this call, which then has no deadline but the execution's.
   */
  boolean first();

  /**
   * By the thread that claimed the call's ending in its own right: the cache does not answer it.
   */
  void endedItself(EventType event);

  /** The call has ended without the execution. */
  void leave(boolean interrupt);
}
