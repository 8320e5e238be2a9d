// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a key stood for when it was last let go of, as long as anything else holds it. A call that
 * entered by it does so, and so does one that is about to: beside it there must be no second one of
 * that key, or the two together let in twice as many as allowed.
 *
 * <p>Not thread-safe.
 */
final class AdoptableResources<V> {

  private final Map<String, Entry<V>> entries = new HashMap<>();
  private final ReferenceQueue<V> forgotten = new ReferenceQueue<>();

  void add(String key, V value) {
    forget();
    entries.put(key, new Entry<>(key, value, forgotten));
  }

  /** Takes it back; null if there is none. */
  @Nullable V take(String key) {
    forget();
    Entry<V> entry = entries.remove(key);
    return entry == null ? null : entry.get();
  }

  private void forget() {
    for (Reference<? extends V> one = forgotten.poll(); one != null; one = forgotten.poll()) {
      if (one instanceof Entry<? extends V> entry) {
        entries.remove(entry.key, entry);
      }
    }
  }

  private static final class Entry<V> extends WeakReference<V> {

    private final String key;

    Entry(String key, V value, ReferenceQueue<V> forgotten) {
      super(value, forgotten);
      this.key = key;
    }
  }
}
