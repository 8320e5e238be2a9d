// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import org.jspecify.annotations.Nullable;

/**
 * Settings that commands of annotations have beside the properties of core. They are read when a
 * command is built.
 */
public interface StartUpSettings {

  /** Says nothing. */
  StartUpSettings NONE = (key, name) -> null;

  /**
   * A setting as it is written.
   *
   * @param property its full key, for messages
   * @param value its text
   */
  record Written(String property, String value) {}

  /**
   * The setting of this name.
   *
   * @param key of one command, or {@code default} for all
   * @param name as {@code stackTraces}
   * @return null if nothing sets it
   */
  @Nullable Written find(String key, String name);

  /**
   * A bean by its name.
   *
   * @return null if there is none
   */
  default @Nullable Object bean(String name) {
    return null;
  }
}
