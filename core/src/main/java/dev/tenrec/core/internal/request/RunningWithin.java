// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.request;

import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.context.ThreadBound;
import org.jspecify.annotations.Nullable;

/**
 * The runs that a thread is working in, of those that calls may share: so that a call does not come
 * to wait for the very run it is a part of. Carried with executions as a request is. Thread-safe.
 */
public final class RunningWithin implements ContextPropagator {

  /** A run, and the run that the thread was working in when it entered this one, if any. */
  private record Depth(Object run, @Nullable Depth outer) {}

  private final ThreadBound<Depth> bound = new ThreadBound<>();

  /** Makes this thread be in the work of {@code run} until the scope ends. */
  public Scope enter(Object run) {
    return bound.bind(new Depth(run, bound.get()));
  }

  /** Whether this thread is in the work of {@code run}, or in what that has called. */
  public boolean isIn(@Nullable Object run) {
    for (Depth depth = run == null ? null : bound.get(); depth != null; depth = depth.outer) {
      if (depth.run == run) {
        return true;
      }
    }
    return false;
  }

  /**
   * Nothing where there is nothing: a thread that is in a run's work stays in it, whatever else it
   * does there, for the run does not end before that.
   */
  @Override
  public @Nullable Captured capture() {
    Depth depth = bound.get();
    return depth == null ? null : () -> bound.bind(depth);
  }

  /** The error of a call that would wait for itself. */
  public static IllegalStateException itself(String key, String what) {
    return new IllegalStateException(
        key
            + " was called with its own cache key from within "
            + what
            + ", and would wait for itself: ask for another key there, or call what the work calls"
            + " without the cache");
  }
}
