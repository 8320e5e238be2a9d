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

  @Override
  public String toString() {
    return key + " = " + value + ": " + rule;
  }
}
