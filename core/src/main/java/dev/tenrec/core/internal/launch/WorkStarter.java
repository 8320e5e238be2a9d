// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

/**
 * Brings the work to its thread: the one step of the way in that has kinds. Never throws; sees to
 * it that it is run once on that thread, or that the execution is ended.
 */
public interface WorkStarter {

  /** The caller's own thread, under a semaphore. */
  WorkStarter ON_CALLER = Launchable::run;

  void start(Launchable execution);

  /** An execution that was started here ended before its work began. */
  default void abandoned() {}

  /** The bulkhead rejected an execution that would have been started here. */
  default void refused(long now) {}

  /** The work of an execution that was started here begins. */
  default void begun(long now) {}
}
