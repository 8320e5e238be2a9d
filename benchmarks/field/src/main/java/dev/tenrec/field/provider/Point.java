// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.service.Method;
import dev.tenrec.field.provider.service.ProviderMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One point of the sweep: who calls what, and how the pools are set.
 *
 * @param part which part of the run it belongs to
 * @param users by method, how many call it, each again when answered: a closed load
 * @param shared the pool all methods share, but those that have their own
 * @param own the pools of methods that have their own
 * @param pauseMillis how long a refused user waits before he calls again
 */
public record Point(
    Part part,
    Map<Method, Integer> users,
    PoolSetting shared,
    Map<Method, PoolSetting> own,
    int pauseMillis) {

  static final String SHARED = ProviderMain.SHARED_POOL;

  /** What a run consists of. */
  public enum Part {
    /** Threads and queue of a fixed pool. */
    SWEEP,
    /** The four kinds of pool. */
    KINDS,
    /** The smallest pool, and callers that do not wait when they are refused. */
    IMPATIENT,
    /** A fast and a slow method at once. */
    MIXED
  }

  /** One method on the shared pool. */
  static Point of(Part part, Method method, int users, PoolSetting shared, int pauseMillis) {
    return new Point(part, Map.of(method, users), shared, Map.of(), pauseMillis);
  }

  /** For people, on one line. */
  @Override
  public String toString() {
    List<String> each = new ArrayList<>();
    for (Method method : Method.values()) {
      if (users.containsKey(method)) {
        each.add(
            method.key() + " on " + pool(method) + (own.containsKey(method) ? ", its own" : ""));
      }
    }
    return String.join("; ", each) + (part == Part.IMPATIENT ? "; impatient" : "");
  }

  /** The pool of a method. */
  PoolSetting pool(Method method) {
    return own.getOrDefault(method, shared);
  }

  /** The key of a method's pool. */
  String poolKey(Method method) {
    return own.containsKey(method) ? method.key() : SHARED;
  }

  /** All settings of the provider. */
  Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>(shared.properties(SHARED));
    own.forEach(
        (method, pool) -> {
          properties.putAll(pool.properties(method.key()));
          properties.put("tenrec.command." + method.key() + ".threadPoolKeyOverride", method.key());
        });
    return properties;
  }
}
