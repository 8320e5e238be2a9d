// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.work;

import org.jspecify.annotations.Nullable;

/**
 * A fallback that is there already. It runs nothing, so it needs none of the fallbacks' permits, is
 * never rejected, and takes no time: its caller's latency on its own thread is the execution's.
 *
 * @param value the answer; null is a legal one. Every caller gets this one object
 * @param <A> what the command was called with
 * @param <R> what it returns
 */
public record FallbackValue<A extends @Nullable Object, R extends @Nullable Object>(R value)
    implements Fallback<A, R> {

  @Override
  public R apply(A argument, Throwable cause) {
    return value;
  }
}
