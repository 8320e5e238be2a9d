// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import org.jspecify.annotations.Nullable;

/** A command, as far as it may run on a semaphore that is not its own. */
public interface SemaphoreUser {

  /**
   * The name of the semaphore that bounds its calls now and that it shares with other commands;
   * null if there is none.
   */
  @Nullable String sharedSemaphore();
}
