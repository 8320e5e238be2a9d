// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one request, by what was run and by the key it was run with. Two levels of maps
 * rather than one with pairs for keys, so that a look allocates nothing. Thread-safe.
 */
public final class RequestCache {

  private final Map<Object, Map<Object, SharedRun<?>>> runs = new ConcurrentHashMap<>();

  /**
   * The run there is, or null.
   *
   * @param owner what is run
   * @param key compared by equals
   */
  public @Nullable SharedRun<?> find(Object owner, Object key) {
    Map<Object, SharedRun<?>> byKey = runs.get(owner);
    return byKey == null ? null : byKey.get(key);
  }

  /** Puts a run where there is none. False if there is one. */
  public boolean putIfAbsent(Object owner, Object key, SharedRun<?> run) {
    Map<Object, SharedRun<?>> byKey = runs.get(owner);
    if (byKey == null) {
      byKey = runs.computeIfAbsent(owner, absent -> new ConcurrentHashMap<>());
    }
    return byKey.putIfAbsent(key, run) == null;
  }

  /** Takes out this very run, if it is there. */
  public void remove(Object owner, Object key, SharedRun<?> run) {
    Map<Object, SharedRun<?>> byKey = runs.get(owner);
    if (byKey != null) {
      byKey.remove(key, run);
    }
  }

  /** Takes out whatever is there; those that share it go on sharing it. */
  public void clear(Object owner, Object key) {
    Map<Object, SharedRun<?>> byKey = runs.get(owner);
    if (byKey != null) {
      byKey.remove(key);
    }
  }
}
