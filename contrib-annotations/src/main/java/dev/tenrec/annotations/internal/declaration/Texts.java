// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import java.lang.reflect.Method;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Replaces the placeholders of annotations, and knows what is said outside of them. */
public final class Texts {

  private final UnaryOperator<String> placeholders;
  private final StartUpSettings others;

  /**
   * Over an environment.
   *
   * @param placeholders replaces them all; throws IllegalArgumentException if it cannot
   * @param others settings outside of annotations
   */
  public Texts(UnaryOperator<String> placeholders, StartUpSettings others) {
    this.placeholders = placeholders;
    this.others = others;
  }

  StartUpSettings others() {
    return others;
  }

  /** The text without placeholders; null, and a mistake, if one of them is unknown. */
  @Nullable String resolve(
      String text, String attribute, Class<?> type, Method method, Mistakes mistakes) {
    if (!text.contains("${")) {
      return text;
    }
    try {
      return placeholders.apply(text);
    } catch (IllegalArgumentException e) {
      mistakes.add(
          type,
          method,
          attribute + " = \"" + text + "\", whose placeholder cannot be replaced",
          "a property of that name, or a default as in ${name:default}");
      return null;
    }
  }
}
