// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/** Where a value in force comes from, the strongest first. */
public enum SettingLevel {
  /** A dynamic property of this one instance. */
  INSTANCE,
  /** What code said when the command, pool, semaphore or collapser was built. */
  CODE,
  /** A dynamic property for all of its kind, {@code default} in the place of the key. */
  GLOBAL,
  /** The built-in default. */
  DEFAULT,
  /**
   * What the strongest level says was refused together with others: this is an earlier value or, at
   * the start, that of the next level.
   */
  KEPT
}
