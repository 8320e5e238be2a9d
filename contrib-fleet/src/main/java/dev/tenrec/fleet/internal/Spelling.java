// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.RateLimiterProperties;
import dev.tenrec.core.config.RetryBudgetProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The one full key for all ways in which a key may be written, as instances know them: scope and
 * property count without case, dashes and underscores, and the key between them may stand in
 * brackets.
 *
 * <p>Immutable.
 */
public final class Spelling {

  /** All properties, each scope's in a list. */
  static final List<List<Property<?>>> SCOPES =
      List.of(
          CommandProperties.all(),
          PoolProperties.all(),
          SemaphoreProperties.all(),
          RateLimiterProperties.all(),
          RetryBudgetProperties.all(),
          CollapserProperties.all());

  private static final Map<String, Scope> BY_NAME = byName();

  private final String start;

  /**
   * Of keys below one prefix.
   *
   * @param prefix without the dot that follows it; counts as it is
   */
  public Spelling(String prefix) {
    this.start = prefix + ".";
  }

  /** A scope's name, and those of its properties by all that counts of them. */
  private record Scope(String name, Map<String, String> properties) {

    /** The property that is written so; what is written if there is none. */
    String property(String written) {
      return properties.getOrDefault(plain(written), written);
    }

    /** The first dot, from a place on, behind which all is a property; -1 if there is none. */
    int dotBeforeProperty(String text, int from) {
      int dot = text.indexOf('.', from);
      while (dot >= 0 && !properties.containsKey(plain(text.substring(dot + 1)))) {
        dot = text.indexOf('.', dot + 1);
      }
      return dot;
    }
  }

  private static Map<String, Scope> byName() {
    Map<String, Scope> scopes = new HashMap<>();
    for (List<Property<?>> all : SCOPES) {
      Map<String, String> names = new HashMap<>();
      all.forEach(property -> names.put(plain(property.name()), property.name()));
      String name = all.get(0).scope();
      scopes.put(plain(name), new Scope(name, names));
    }
    return scopes;
  }

  /** All that counts of a name. */
  private static String plain(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }

  /** The key that is meant; what is written if that has no scope of ours, or no property. */
  public String of(String written) {
    int end = written.startsWith(start) ? endOfScope(written) : -1;
    Scope scope = end < 0 ? null : BY_NAME.get(plain(written.substring(start.length(), end)));
    if (scope == null) {
      return written;
    }
    String path = start + scope.name();
    if (written.charAt(end) == '[') {
      int close = written.lastIndexOf("].");
      if (close < 0) {
        return written;
      }
      String key = written.substring(end + 1, close);
      String property = written.substring(close + 2);
      boolean isKnown = scope.properties().containsKey(plain(property));
      return !isKnown && scope.dotBeforeProperty(key + "." + property, 1) >= 0
          ? path + written.substring(end) // without brackets it would be another key's property
          : path + "." + key + "." + scope.property(property);
    }
    int dot = scope.dotBeforeProperty(written, end + 2);
    return dot < 0
        ? path + written.substring(end)
        : path + written.substring(end, dot + 1) + scope.property(written.substring(dot + 1));
  }

  private int endOfScope(String written) {
    int at = start.length();
    while (at < written.length() && written.charAt(at) != '.' && written.charAt(at) != '[') {
      at++;
    }
    return at < written.length() ? at : -1;
  }

  /**
   * By the keys that are meant. One that is written so itself counts over other ways to write it,
   * and of those the first in alphabetical order.
   */
  public <V> Map<String, V> respelled(Map<String, V> written) {
    Map<String, V> values = new HashMap<>();
    Map<String, V> others = new TreeMap<>();
    written.forEach((key, value) -> (of(key).equals(key) ? values : others).put(key, value));
    others.forEach((key, value) -> values.putIfAbsent(of(key), value));
    return values;
  }

  /** The same, but what does not count for another way to write its key stays under its own. */
  public <V> Map<String, V> respelledWhereOnce(Map<String, V> written) {
    Map<String, V> values = respelled(written);
    written.forEach(
        (key, value) -> {
          if (values.get(of(key)) != value) {
            values.put(key, value);
          }
        });
    return values;
  }
}
