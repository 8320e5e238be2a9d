// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/** Receives settings that changed while in use. */
@FunctionalInterface
public interface SettingChangeListener {

  /** Does nothing. */
  SettingChangeListener NONE = change -> {};

  /**
   * A setting has changed; the snapshot that has it is already the current one. Called on the
   * thread that brought the change, while no other change can be applied: it must not wait. What it
   * throws is logged.
   */
  void onChange(SettingChange change);
}
