// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.event.EventType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call's part in an execution that it shares with other calls of its request. */
public interface SharedRunPart {

  /**
   * Whether the execution was begun for this call, which then has no deadline but the execution's.
   */
  boolean first();

  /**
   * By the thread that claimed the call's ending in its own right: the cache does not answer it.
   * That may be the timer's thread. The call takes part no longer; after CANCELLED, the thread says
   * so by {@link #leave}.
   */
  void endedItself(EventType event);

  /**
   * How often an event was counted for the call, by the thread that has counted its answer.
   *
   * @param present whether it is among the call's events
   */
  default int times(EventType event, boolean present) {
    return present ? 1 : 0;
  }

  /** The call has ended without the execution. By the side of its caller. */
  void leave(boolean interrupt);

  /** As {@link #leave}, on any thread: runs no user code here and waits for nothing. */
  void leaveApart(boolean interrupt);

  /** Whether the work began that the call waits for, as far as that is known. */
  default boolean workBegan() {
    return true;
  }

  /**
   * Whether the work that the call waits for has stopped, and the thread that stopped it has not
   * answered yet.
   */
  default boolean isUndecided() {
    return false;
  }

  /** How many attempts began. After the end. */
  int attempts();

  /** Why each attempt failed, in their order; null if that is what the call ended with. */
  @Nullable List<Throwable> failedAttempts();
}
