// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.collapser;

import org.jspecify.annotations.Nullable;

/** Brings one batch to where it runs. */
@FunctionalInterface
public interface BatchStarter<A extends @Nullable Object, R extends @Nullable Object> {

  /**
   * Its time has come, or it is full. Called on the timer's thread, or on that of the member that
   * filled it, perhaps twice: has another thread {@link Batch#start} it, and returns. Must not
   * wait, nor run a user's code, nor throw; if there is no other thread it sees to it that the
   * members receive an error.
   */
  void handOver(Batch<A, R> batch);
}
