// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import org.jspecify.annotations.Nullable;

/**
 * Which calls may share a batch: all of them, or the calls of one request. A scope that ends calls
 * {@link Batches#close} on what it has made, so that its last members get their ending.
 */
@FunctionalInterface
public interface BatchScope<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * The batches that a call of the current thread joins; one object for all calls that may share a
   * batch.
   *
   * @throws IllegalStateException if the thread is in no such scope; the message says what to do
   */
  Batches<A, R> current();

  /** One for all calls of the collapser; never ends. */
  static <A extends @Nullable Object, R extends @Nullable Object> BatchScope<A, R> global(
      Batches<A, R> batches) {
    return () -> batches;
  }
}
