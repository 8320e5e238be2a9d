// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.provider.service.Method;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one point came to.
 *
 * @param point which
 * @param results what the driver saw, by method
 * @param provider what the provider has counted meanwhile; its pools' sizes at the end
 * @param store what the store has counted meanwhile
 */
public record Measured(
    Point point,
    Map<Method, Result> results,
    Map<String, Double> provider,
    Map<String, Double> store) {

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** What was counted between two readings; sizes are those of the second. */
  static Map<String, Double> between(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> between = new TreeMap<>();
    after.forEach(
        (name, value) ->
            between.put(name, isSize(name) ? value : value - before.getOrDefault(name, 0.0)));
    return between;
  }

  private static boolean isSize(String name) {
    return name.matches("pool\\..*\\.(core|maximum|queue|threads)|.*\\.mostPresent");
  }

  Counts counts(Method method) {
    return result(method).counts();
  }

  Result result(Method method) {
    Result result = results.get(method);
    if (result == null) {
      throw new IllegalArgumentException(method + " was not called at " + point);
    }
    return result;
  }

  /** Answers in a second. */
  public double perSecond(Method method) {
    return result(method).perSecond();
  }

  /** So long took 99 of 100 answers at most, in milliseconds. */
  public double p99Millis(Method method) {
    return result(method).sinceIntended().percentileMillis(99);
  }

  /** The method that was called, where it was only one. */
  Method onlyMethod() {
    return results.keySet().iterator().next();
  }

  /** Refusals in a second. */
  public double refusedPerSecond(Method method) {
    return counts(method).refused() / seconds();
  }

  /** Which share of what was sent was refused. */
  public double refusedShare(Method method) {
    return counts(method).refused() / (double) Math.max(1, counts(method).sent());
  }

  /** The share of the machine's cores the provider's process used, 0 to 100. */
  public double cpuPercent() {
    return provider("cpuNanos") / provider("nanos") / PROCESSORS * 100;
  }

  double cpuMicrosPerSecond() {
    return provider("cpuNanos") / 1e3 / seconds();
  }

  /** The provider's CPU time for each answer, with what it spent on refusals. */
  public double cpuMicrosPerAnswer() {
    long answered = results.values().stream().mapToLong(one -> one.counts().answered()).sum();
    return provider("cpuNanos") / 1e3 / Math.max(1, answered);
  }

  /** How many of the provider's threads ran, or could have if there had been a core, on average. */
  public double runnable() {
    return (provider("cpuNanos") + provider("waitedForCoreNanos")) / provider("nanos");
  }

  /** The most calls of this method at the store at once. */
  public long mostAtStore(Method method) {
    return Math.round(store.getOrDefault(method.key() + ".mostPresent", 0.0));
  }

  /** The threads of the method's pool at the end. */
  public long threads(Method method) {
    return count("pool." + point.poolKey(method) + ".threads");
  }

  double seconds() {
    return provider("nanos") / 1e9;
  }

  double provider(String name) {
    return provider.getOrDefault(name, 0.0);
  }

  /** What the provider has counted. */
  long count(String name) {
    return Math.round(provider(name));
  }
}
