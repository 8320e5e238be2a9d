// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import com.netflix.archaius.config.AbstractConfig;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A layer whose values are replaced all at once: Archaius's own settable config adds to what it
 * has, and notifies its listeners after each single key that is cleared.
 */
final class MapConfigLayer extends AbstractConfig {

  /**
   * Written under the source's lock, read by any thread, ordered by volatile access. The map is
   * never changed once it is here.
   */
  private volatile Map<String, String> values = Map.of();

  MapConfigLayer(String name) {
    super(name);
  }

  Map<String, String> values() {
    return values;
  }

  /** Returns whether that made a difference. */
  boolean replace(Map<String, String> next) {
    if (next.equals(values)) {
      return false;
    }
    values = Map.copyOf(next);
    notifyConfigUpdated(this);
    return true;
  }

  @Override
  public @Nullable Object getRawProperty(String key) {
    return values.get(key);
  }

  @Override
  public boolean containsKey(String key) {
    return values.containsKey(key);
  }

  @Override
  public boolean isEmpty() {
    return values.isEmpty();
  }

  @Override
  @SuppressWarnings("deprecation") // deprecated, but abstract in its interface
  public Iterator<String> getKeys() {
    return values.keySet().iterator();
  }

  @Override
  public Iterable<String> keys() {
    return values.keySet();
  }
}
