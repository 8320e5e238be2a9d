// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was taken out and may still be at its last work. What has gone is swept out when as much has
 * come as was left by the last sweep, so that adding costs a constant, however much there is.
 *
 * <p>Changed by one thread at a time, read by any.
 *
 * @param <K> distinguishes one from another
 */
final class RetiredResources<K, V> {

  private static final int LEAST = 16;

  private final Map<K, V> all = new ConcurrentHashMap<>();
  private final Predicate<V> gone;

  /** Read and written by the one that changes. */
  private int sweepAt = LEAST;

  RetiredResources(Predicate<V> gone) {
    this.gone = gone;
  }

  void add(K key, V value) {
    if (all.size() >= sweepAt) {
      all.values().removeIf(gone);
      sweepAt = Math.max(LEAST, 2 * all.size());
    }
    all.put(key, value);
  }

  @Nullable V remove(K key) {
    return all.remove(key);
  }

  /** What is left now, and some that has gone. */
  Collection<V> all() {
    return all.values();
  }
}
