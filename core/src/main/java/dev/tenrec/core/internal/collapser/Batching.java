// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import dev.tenrec.core.internal.context.Deadlines;
import org.jspecify.annotations.Nullable;

/** What the batches of one collapser go by. Read anew for each, so that settings are live. */
public interface Batching<A extends @Nullable Object, R extends @Nullable Object> {

  /** The collapser's key. */
  String key();

  /** How many different arguments fill a batch; 1 or more. */
  int maxRequests();

  /** From a batch's first member to its start; more than 0. */
  long delayNanos();

  /**
   * By when the call has to be over that joins on this thread; {@link Deadlines#NONE} if that
   * matters to no batch.
   */
  long deadlineNanos();

  /** Delivers to members on other threads than those that answer or fail a batch. */
  Deliverer deliverer();

  /**
   * A batch is about to open. Called on the thread of its first member, whose call it fails if it
   * throws.
   *
   * @return starts this batch
   */
  BatchStarter<A, R> opening();
}
