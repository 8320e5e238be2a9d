// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * User code that did not end when its Tenrec was closed: work on a thread of Tenrec's, a daemon,
 * although it was interrupted; or work on threads of its callers, which are not interrupted.
 *
 * @param thread the thread's name; {@link #CALLERS} for all callers of one command together
 * @param commandKey the command whose work it is
 * @param calls how many calls are at it: 1 for a thread of Tenrec's
 * @param age for how long it has been running; null for callers, which may have begun at any time
 */
public record StillRunning(String thread, String commandKey, int calls, @Nullable Duration age) {

  /** In the place of a thread's name: the threads of the command's callers. */
  public static final String CALLERS = "callers";
}
