// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.jspecify.annotations.Nullable;

/**
 * A dynamic value that was not taken over.
 *
 * @param key the full key it was given under
 * @param value the value, as text
 * @param rule what was expected, in words
 * @param origin which version of the source's settings gave the value, and who made it; null if the
 *     source has no versions, or the value is none of the source's
 */
public record Refusal(String key, String value, String rule, @Nullable SettingOrigin origin) {

  private static final int SHOWN = 200;

  /** One whose origin is not known. */
  public Refusal(String key, String value, String rule) {
    this(key, value, rule, null);
  }

  /** For a log: a long value is cut short. */
  @Override
  public String toString() {
    String shown = value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...";
    return key + " = " + shown + ": " + rule + SettingOrigin.remark(origin);
  }
}
