// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import org.jspecify.annotations.Nullable;

/** Makes the key of a call. */
@FunctionalInterface
public interface CacheKeys {

  /**
   * The key.
   *
   * @param target the bean
   * @param arguments those of the call
   * @return compared by equals; null for a call that shares nothing
   */
  @Nullable Object of(Object target, @Nullable Object[] arguments);
}
