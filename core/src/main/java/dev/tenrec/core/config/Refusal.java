// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/**
 * A dynamic value that was not taken over.
 *
 * @param key the full key it was given under
 * @param value the value, as text
 * @param rule what was expected, in words
 */
public record Refusal(String key, String value, String rule) {

  private static final int SHOWN = 200;

  /** For a log: a long value is cut short. */
  @Override
  public String toString() {
    String shown = value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...";
    return key + " = " + shown + ": " + rule;
  }
}
