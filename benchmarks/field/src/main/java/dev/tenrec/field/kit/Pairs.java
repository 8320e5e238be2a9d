// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Names and values on one line: {@code a=1 b=2}. Neither has blanks. */
public final class Pairs {

  private Pairs() {}

  /** As text, in the order of the map. */
  public static String text(Map<String, ?> values) {
    StringJoiner text = new StringJoiner(" ");
    values.forEach((name, value) -> text.add(name + "=" + value));
    return text.toString();
  }

  /**
   * Back from the text.
   *
   * @throws IllegalArgumentException if there is something else in it
   */
  public static Map<String, String> read(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String pair : text.strip().split(" +", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1 && !pair.isEmpty()) {
        throw new IllegalArgumentException(pair + ", expected name=value");
      }
      if (equals > 0) {
        values.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return values;
  }
}
