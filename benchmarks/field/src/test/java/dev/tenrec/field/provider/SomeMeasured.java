// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Presence;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A point of one second as it might have been measured, whose figures agree. */
final class SomeMeasured {

  private static final Plan PLAN =
      new Plan(
          Engines.ASYNC,
          1,
          new Arrivals.Closed(100),
          1_000,
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  final Map<String, Double> provider = new HashMap<>();
  final Map<String, Double> store = new HashMap<>();
  private final Point point;
  private final Method method;
  private final Result result;

  SomeMeasured(Part part, Method method, PoolSetting pool, long answered, long refused) {
    this.point = Point.of(part, method, 100, pool, 0);
    this.method = method;
    Counts counts = new Counts(answered, 0, refused, 0, answered + refused, answered + refused, 0);
    Latency latency = new Latency(new Histogram(3));
    latency.micros().recordValue(4_000);
    this.result =
        new Result(
            PLAN,
            counts,
            100,
            1_000_000_000L,
            latency,
            latency,
            latency,
            latency,
            new Presence(100, 1, 100, answered, ""),
            Map.of(),
            List.of());
    double sent = answered + refused;
    provider.put("nanos", 1e9);
    provider.put("cpuNanos", 0.5e9);
    provider.put("received", sent);
    provider.put("answered", sent);
    provider.put(method.key() + ".SUCCESS", (double) answered);
    provider.put(method.key() + ".THREAD_POOL_REJECTED", (double) refused);
    provider.put("pool.Business.core", (double) pool.core());
    provider.put("pool.Business.maximum", (double) pool.maximum());
    provider.put("pool.Business.queue", (double) pool.queue());
    provider.put("pool.Business.executed", (double) answered);
    provider.put("pool.Business.rejected", (double) refused);
    store.put(method.key() + ".entered", (double) answered);
    store.put(method.key() + ".mostPresent", (double) pool.core());
  }

  Measured measured() {
    return new Measured(point, Map.of(method, result), provider, store);
  }
}
