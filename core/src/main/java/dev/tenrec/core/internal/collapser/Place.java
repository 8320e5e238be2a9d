// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Where a member waits for its answer.
 *
 * @param <R> what it is answered
 */
public interface Place<R extends @Nullable Object> {

  /** A member that waited here has left. */
  void left(Member<R> member);

  /** How the batch ended that answers the members that wait here; null if none has started. */
  @Nullable Outcome<?> outcome();

  /** Whether the work of the batch has begun that answers the members that wait here. */
  boolean workBegan();
}
