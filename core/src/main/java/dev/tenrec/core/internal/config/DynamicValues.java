// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic values of one scope, parsed: one row for the global ones, one for each instance that
 * has any. Not thread-safe.
 */
final class DynamicValues {

  private final int size;
  private final Map<String, @Nullable Object[]> rows = new HashMap<>();

  DynamicValues(int size) {
    this.size = size;
    rows.put(Property.GLOBAL, new @Nullable Object[size]);
  }

  void set(String key, Property<?> property, Object value) {
    rows.computeIfAbsent(key, absent -> new @Nullable Object[size])[property.index()] = value;
  }

  void clear(String key, Property<?> property) {
    @Nullable Object[] row = rows.get(key);
    if (row == null) {
      return;
    }
    row[property.index()] = null;
    if (!key.equals(Property.GLOBAL) && isEmpty(row)) {
      rows.remove(key);
    }
  }

  /**
   * The values for this key alone, by the index of the property; null if there are none. Not to be
   * changed.
   */
  @Nullable Object @Nullable [] row(String key) {
    return rows.get(key);
  }

  private static boolean isEmpty(@Nullable Object[] row) {
    for (Object value : row) {
      if (value != null) {
        return false;
      }
    }
    return true;
  }
}
