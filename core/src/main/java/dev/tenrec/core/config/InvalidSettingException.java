// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

/**
 * A setting that does not parse, breaks its rule, or names no property. The message names key,
 * value and rule.
 */
public final class InvalidSettingException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String key;
  private final String value;
  private final String rule;

  /**
   * @param key the property's name, with prefix, scope and instance where they are known
   * @param value the value as text
   * @param rule what was expected, in words
   */
  public InvalidSettingException(String key, String value, String rule) {
    super(key + " = " + value + ": " + rule);
    this.key = key;
    this.value = value;
    this.rule = rule;
  }

  /** The property's name, with prefix, scope and instance where they are known. */
  public String key() {
    return key;
  }

  /** The value as text. */
  public String value() {
    return value;
  }

  /** What was expected, in words. */
  public String rule() {
    return rule;
  }
}
