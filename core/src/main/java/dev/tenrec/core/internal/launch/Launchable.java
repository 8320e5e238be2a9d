// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import dev.tenrec.core.internal.isolation.Task;
import java.time.Duration;

/**
 * An execution, as far as starting its work goes: the thread it is brought to runs it; where none
 * can be had, it is ended here, on the caller's thread.
 */
public interface Launchable extends Task {

  /** Names the thread that is made for it. */
  String commandKey();

  /** For how long it has been going, at {@code now}. */
  Duration age(long now);

  /** There is no thread to run it on. */
  void failToStart(Throwable cause);

  /** Its starter is shut and has not taken it, so it has to end here. */
  void findClosed();
}
