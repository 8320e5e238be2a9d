// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers, booleans and null as JSON, indented. */
public final class Json {

  private final StringBuilder text = new StringBuilder();

  private Json() {}

  /**
   * The JSON text of a value, with a line feed at the end.
   *
   * @throws IllegalArgumentException if there is something else in it
   */
  public static String write(@Nullable Object value) {
    Json json = new Json();
    json.value(value, "\n");
    return json.text.append('\n').toString();
  }

  private void value(@Nullable Object value, String newLine) {
    if (value instanceof Map<?, ?> map) {
      object(map, newLine);
    } else if (value instanceof List<?> list) {
      array(list, newLine);
    } else if (value instanceof Double number) {
      text.append(BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP).toPlainString());
    } else if (value == null
        || value instanceof Long
        || value instanceof Integer
        || value instanceof Boolean) {
      text.append(value);
    } else if (value instanceof String string) {
      string(string);
    } else {
      throw new IllegalArgumentException(
          "no JSON for a " + value.getClass().getName() + ": " + value);
    }
  }

  private void object(Map<?, ?> map, String newLine) {
    text.append('{');
    Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<?, ?> entry = entries.next();
      text.append(newLine).append("  ");
      string(String.valueOf(entry.getKey()));
      text.append(": ");
      value(entry.getValue(), newLine + "  ");
      text.append(entries.hasNext() ? "," : newLine);
    }
    text.append('}');
  }

  private void array(List<?> list, String newLine) {
    text.append('[');
    Iterator<?> items = list.iterator();
    while (items.hasNext()) {
      text.append(newLine).append("  ");
      value(items.next(), newLine + "  ");
      text.append(items.hasNext() ? "," : newLine);
    }
    text.append(']');
  }

  private void string(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
