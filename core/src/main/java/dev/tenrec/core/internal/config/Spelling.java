// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one full key for all ways in which a key may be written. Scope and property count without
 * case, dashes and underscores, as in {@code tenrec.thread-pool.Pricing.core-size}; the key of an
 * instance counts as it is, and may stand in brackets, as in {@code
 * tenrec.command[Quotes.bySku].fallback.enabled}.
 *
 * <p>Immutable.
 */
public final class Spelling implements UnaryOperator<String> {

  private final String start;
  private final Map<String, PropertyTable> tables = new HashMap<>();
  private final Map<PropertyTable, Map<String, Property<?>>> properties = new HashMap<>();

  /**
   * The spelling of keys below one prefix.
   *
   * @param prefix without the dot that follows it; counts as it is
   */
  public Spelling(String prefix) {
    this.start = prefix + ".";
    for (PropertyTable table :
        List.of(
            CommandSettings.SCOPE.table(),
            PoolSettings.SCOPE.table(),
            SemaphoreSettings.SCOPE.table(),
            RateSettings.SCOPE.table(),
            RetryBudgetSettings.SCOPE.table(),
            CollapserSettings.SCOPE.table())) {
      tables.put(uniform(table.scope()), table);
      Map<String, Property<?>> byName = new HashMap<>();
      table.properties().forEach(property -> byName.put(uniform(property.name()), property));
      properties.put(table, byName);
    }
  }

  /**
   * The full key that {@code written} stands for; itself if it has no scope of ours. A name that is
   * no property's stays as it is, for the one that reads it to refuse; its key keeps its brackets
   * where it would be a property of another key without them.
   */
  @Override
  public String apply(String written) {
    if (!written.startsWith(start)) {
      return written;
    }
    int end = endOfScope(written);
    PropertyTable table =
        end < 0 ? null : tables.get(uniform(written.substring(start.length(), end)));
    if (table == null) {
      return written;
    }
    String path = start + table.scope() + ".";
    if (written.charAt(end) == '[') {
      int close = written.lastIndexOf("].");
      if (close < 0) {
        return written;
      }
      String key = written.substring(end + 1, close);
      String name = written.substring(close + 2);
      if (find(table, name) == null && dotBeforeProperty(table, key + "." + name, 1) >= 0) {
        // without its brackets, it would be a property of another key
        return start + table.scope() + written.substring(end);
      }
      return path + key + "." + name(table, name);
    }
    int dot = dotBeforeProperty(table, written, end + 2);
    return dot < 0
        ? path + written.substring(end + 1)
        : path + written.substring(end + 1, dot) + "." + name(table, written.substring(dot + 1));
  }

  /** The first dot, from a place on, behind which all is the name of a property; -1 if none is. */
  private int dotBeforeProperty(PropertyTable table, String text, int from) {
    for (int dot = text.indexOf('.', from); dot >= 0; dot = text.indexOf('.', dot + 1)) {
      if (find(table, text.substring(dot + 1)) != null) {
        return dot;
      }
    }
    return -1;
  }

  private int endOfScope(String written) {
    for (int at = start.length(); at < written.length(); at++) {
      if (written.charAt(at) == '.' || written.charAt(at) == '[') {
        return at;
      }
    }
    return -1;
  }

  private String name(PropertyTable table, String written) {
    Property<?> property = find(table, written);
    return property == null ? written : property.name();
  }

  private @Nullable Property<?> find(PropertyTable table, String written) {
    Map<String, Property<?>> byName = properties.get(table);
    return byName == null ? null : byName.get(uniform(written));
  }

  private static String uniform(String name) {
    StringBuilder plain = new StringBuilder(name.length());
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c != '-' && c != '_') {
        plain.append(c);
      }
    }
    return plain.toString().toLowerCase(Locale.ROOT);
  }
}
