// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/** Receives settings that changed while in use. */
@FunctionalInterface
public interface SettingChangeListener {

  /** Does nothing. */
  SettingChangeListener NONE = change -> {};

  /**
   * A setting has changed; the snapshot that has it is already the current one. Called in the order
   * of the changes and one at a time, on the thread that brought the change, or on another that is
   * reporting at that moment: it should not wait, because later changes, which apply all the same,
   * wait to be reported. What it throws is logged.
   */
  void onChange(SettingChange change);
}
