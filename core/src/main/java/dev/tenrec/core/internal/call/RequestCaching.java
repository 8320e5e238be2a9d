// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.gate.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The gate before all others: a call shares the execution of an equal call in its request, if there
 * was one.
 */
public interface RequestCaching<A extends @Nullable Object, R extends @Nullable Object> {

  /** Makes it for a pipeline. */
  @FunctionalInterface
  interface Factory<A extends @Nullable Object, R extends @Nullable Object> {
    RequestCaching<A, R> of(Pipeline<A, R> pipeline);
  }

  /** For {@code execute}: answers, or has the call go its way and waits for it. */
  R execute(Plan plan, A argument);

  /** Whether the call shares a run, or was refused one; false if it has to go its way alone. */
  boolean takes(Execution<A, R> execution);

  /** The next call with this key in the request of this thread runs anew. */
  void clear(Object key);
}
