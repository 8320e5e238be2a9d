// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.text;

import org.jspecify.annotations.Nullable;

/**
 * Text that others have chosen, such as a key or a value, for one line of the log: what would begin
 * a new line, or steer a terminal, is escaped as Java does it, and what is too long is cut.
 */
public final class LogText {

  private static final int LONGEST = 1_000;

  private LogText() {}

  /** As one line; most texts are one already and come back as they are. */
  public static String of(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    int end = Math.min(text.length(), LONGEST);
    for (int i = 0; i < end; i++) {
      if (isEscaped(text.charAt(i))) {
        return escaped(text, end);
      }
    }
    return end == text.length() ? text : cut(text, end);
  }

  private static String cut(String text, int end) {
    return text.substring(0, end) + "... (" + text.length() + " characters)";
  }

  private static String escaped(String text, int end) {
    StringBuilder line = new StringBuilder(end + 16);
    for (int i = 0; i < end; i++) {
      char sign = text.charAt(i);
      switch (sign) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (isEscaped(sign)) {
            line.append(String.format("\\u%04x", (int) sign));
          } else {
            line.append(sign);
          }
        }
      }
    }
    if (end < text.length()) {
      line.append("... (").append(text.length()).append(" characters)");
    }
    return line.toString();
  }

  /** Control characters, separators of lines, and what turns the direction of writing. */
  private static boolean isEscaped(char sign) {
    return switch (Character.getType(sign)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
