// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.jspecify.annotations.Nullable;

/**
 * Where a source of settings has the value of a key from.
 *
 * @param version the version of the source's settings that gave it
 * @param author who made that version, as the source knows it; null if it does not
 */
public record SettingOrigin(long version, @Nullable String author) {

  /** In words, as {@code version 12 by alice}. */
  @Override
  public String toString() {
    return author == null ? "version " + version : "version " + version + " by " + author;
  }

  /** Appended to a text about a value; empty if nothing is known. */
  static String remark(@Nullable SettingOrigin origin) {
    return origin == null ? "" : " (" + origin + ")";
  }
}
