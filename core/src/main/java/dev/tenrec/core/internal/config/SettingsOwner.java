// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

/**
 * What lives by settings. It takes over changed ones in two steps, so that a change that cannot be
 * taken over is refused before any of it can be seen.
 *
 * <p>Called on the thread that brought the change, while no other change can be applied: it must
 * not wait.
 *
 * @param <S> the record of settings
 */
@FunctionalInterface
public interface SettingsOwner<S> {

  /**
   * Goes by these settings from now on. What it throws refuses the change, which is as if it had
   * not come; so it should throw before it has done anything.
   */
  void take(S changed);

  /**
   * Makes all that other settings need, and changes nothing yet that can be seen. What it throws
   * refuses those settings that cannot be taken over; then it may be asked again, with some of
   * them. Does nothing by default, and leaves all to {@link #take}.
   *
   * @return what was made: applied or discarded before the next change, and once
   */
  default PreparedChange prepare(S changed) {
    return () -> take(changed);
  }
}
