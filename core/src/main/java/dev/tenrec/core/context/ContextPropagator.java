// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.context;

import org.jspecify.annotations.Nullable;

/**
 * Carries one kind of thread-bound context (a tenant, a security principal) from the caller's
 * thread to where its work and its fallback run. Registered on the Tenrec's builder; thread-safe.
 *
 * <p>An exception thrown by any of these methods fails the execution it happened in, and nothing
 * else.
 */
@FunctionalInterface
public interface ContextPropagator {

  /**
   * Called once per execution that leaves the caller's thread, on that thread.
   *
   * @return what to install elsewhere, or null if there is nothing to install or to shield from
   */
  @Nullable Captured capture();

  /**
   * What one caller's thread held. May be installed several times: for the work, and for its
   * fallback.
   */
  @FunctionalInterface
  interface Captured {

    /** Installs it in the current thread; the returned scope puts back what was there before. */
    Scope install();
  }

  /** An installation, ended on the thread it was made on. */
  @FunctionalInterface
  interface Scope extends AutoCloseable {

    @Override
    void close();
  }
}
