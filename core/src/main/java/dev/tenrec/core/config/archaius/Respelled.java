// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Gives the keys of a layer their one spelling.
 *
 * @param spelling the one key for each way to write it
 */
record Respelled(UnaryOperator<String> spelling) {

  /**
   * The values by the one spelling of their keys. A key that is written so itself counts over other
   * ways to write it, and of those the first in alphabetical order.
   */
  Map<String, String> of(Map<String, String> written) {
    Map<String, String> values = new HashMap<>();
    Map<String, String> others = new TreeMap<>();
    written.forEach(
        (key, value) -> (spelling.apply(key).equals(key) ? values : others).put(key, value));
    others.forEach((key, value) -> values.putIfAbsent(spelling.apply(key), value));
    return values;
  }

  /** As what each key that {@link #of(Map)} gives was written. */
  Map<String, String> writtenKeys(Collection<String> written) {
    Map<String, String> keys = new HashMap<>();
    for (String key : new TreeSet<>(written)) {
      if (spelling.apply(key).equals(key)) {
        keys.put(key, key);
      } else {
        keys.putIfAbsent(spelling.apply(key), key);
      }
    }
    return keys;
  }

  List<String> of(Collection<String> keys) {
    return keys.stream().map(spelling).toList();
  }
}
