// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One annotated method, ready to be called. Thread-safe. */
@FunctionalInterface
public interface GuardedMethod {

  /**
   * Calls it.
   *
   * @param invocation the call, as it came to the proxy
   * @return what the proxy is to return
   * @throws Throwable what the caller is to get
   */
  @Nullable Object call(MethodInvocation invocation) throws Throwable;

  /** Whether its command was taken out, or its Tenrec closed: each call is rejected. */
  default boolean isClosed() {
    return false;
  }

  /** What it keeps for requests; null if it keeps nothing. */
  default @Nullable CachedResults results() {
    return null;
  }
}
