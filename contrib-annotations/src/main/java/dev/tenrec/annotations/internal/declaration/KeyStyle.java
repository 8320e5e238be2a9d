// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.core.config.InvalidSettingException;
import org.jspecify.annotations.Nullable;

/** What the key of a command is made of if its annotation says none. */
public enum KeyStyle {
  /** Class and method, which no two commands share by chance. */
  CLASS_AND_METHOD,
  /** The method's name alone, as Hystrix's annotations had it: equal names are one command. */
  METHOD;

  /** Which of them: a property of the application. */
  public static final String PROPERTY = "tenrec.annotations.default-key";

  /**
   * The style a text stands for.
   *
   * @param text {@code class-and-method} or {@code method}; null for the first
   * @throws InvalidSettingException if it is another
   */
  public static KeyStyle of(@Nullable String text) {
    if (text == null || text.isBlank() || text.strip().equalsIgnoreCase("class-and-method")) {
      return CLASS_AND_METHOD;
    }
    if (text.strip().equalsIgnoreCase("method")) {
      return METHOD;
    }
    throw new InvalidSettingException(PROPERTY, text, "must be class-and-method or method");
  }
}
