// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import dev.tenrec.core.context.ContextPropagator;
import org.jspecify.annotations.Nullable;

/**
 * One value per thread, for as long as a scope is open there, and carried with executions to other
 * threads. The end of a scope removes what it set: nothing stays behind in a thread.
 *
 * @param <T> what is bound
 */
public final class ThreadBound<T> implements ContextPropagator {

  /** Not static: each Tenrec has its own. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<T> local = new ThreadLocal<>();

  /**
   * Whether anything was ever bound: while nothing was, a look costs one read. Written by the first
   * threads to bind, before their values can be seen anywhere. Read by any thread, ordered by
   * volatile access.
   */
  private volatile boolean used;

  private final Scope clear = local::remove;

  private final Captured nothing = this::shield;

  /**
   * What is bound to this thread, or null. A look from a thread without a value leaves an empty
   * slot in it, as thread-locals do: taking that out again would make every look allocate.
   */
  public @Nullable T get() {
    return used ? local.get() : null;
  }

  /** Binds a value to this thread; the scope puts back what was there before. */
  public Scope bind(T value) {
    T before = get();
    set(value);
    return before == null ? clear : () -> local.set(before);
  }

  /** Binds a value to this thread until another is, or this is cleared. */
  public void set(T value) {
    if (!used) {
      used = true;
    }
    local.set(value);
  }

  /** Leaves nothing in this thread. */
  public void clear() {
    local.remove();
  }

  /** What is bound here; where nothing is, other threads are shielded from what they have. */
  @Override
  public @Nullable Captured capture() {
    if (!used) {
      return null;
    }
    T value = local.get();
    return value == null ? nothing : () -> bind(value);
  }

  private Scope shield() {
    T before = local.get();
    if (before == null) {
      return clear; // the work may bind something, and forget it
    }
    local.remove();
    return () -> local.set(before);
  }
}
