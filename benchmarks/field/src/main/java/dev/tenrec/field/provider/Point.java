// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.provider.service.Method;
import dev.tenrec.field.provider.service.ProviderMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One point of the sweep: what calls what, and how the pools are set.
 *
 * @param part which part of the run it belongs to
 * @param users by method, how many call it, each again when answered: a closed load
 * @param shared the pool all methods share, but those that have their own
 * @param own the pools of methods that have their own
 * @param pauseMillis how long a refused user waits before he calls again
 * @param perSecond calls that come by schedule in place of those users; 0 if it is users that call
 * @param readers I/O threads, which read requests and begin calls; 0 if it is the thread that
 *     accepts connections
 */
public record Point(
    Part part,
    Map<Method, Integer> users,
    PoolSetting shared,
    Map<Method, PoolSetting> own,
    int pauseMillis,
    int perSecond,
    int readers) {

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
    MIXED,
    /** How many threads read requests. */
    READERS,
    /** A load by schedule, of what the pool can do and beyond. */
    CAPACITY,
    /** Two instances, one of which has a setting that is tried. */
    CANARY
  }

  /** One method on the shared pool. */
  static Point of(Part part, Method method, int users, PoolSetting shared, int pauseMillis) {
    return new Point(part, Map.of(method, users), shared, Map.of(), pauseMillis, 0, 0);
  }

  /** It with so many I/O threads. */
  Point readBy(int threads) {
    return new Point(part, users, shared, own, pauseMillis, perSecond, threads);
  }

  /** It with calls by schedule. */
  Point bySchedule(int calls) {
    return new Point(part, users, shared, own, 0, calls, readers);
  }

  /** Of a method: how many call it, or how often it is called. */
  String load(Method method) {
    return perSecond > 0 ? "open, " + perSecond + "/s" : users.get(method) + " users";
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
    return String.join("; ", each)
        + (part == Part.IMPATIENT ? "; impatient" : "")
        + (part == Part.READERS ? "; " + readers + " I/O threads" : "")
        + (perSecond > 0 ? "; " + perSecond + " calls a second" : "");
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
