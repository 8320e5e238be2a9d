// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.SomeResult;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.util.HashMap;
import java.util.Map;

/** A point of one second as it might have been measured, whose figures agree. */
final class SomeMeasured {

  final Map<String, Double> provider = new HashMap<>();
  final Map<String, Double> store = new HashMap<>();
  private final Point point;
  private final Method method;
  private final Result result;

  SomeMeasured(Part part, Method method, PoolSetting pool, long answered, long refused) {
    this(Point.of(part, method, 100, pool, 0), method, answered, refused);
  }

  /** Of this point, on the shared pool. */
  SomeMeasured(Point point, Method method, long answered, long refused) {
    PoolSetting pool = point.shared();
    this.point = point;
    this.method = method;
    this.result =
        new SomeResult(new Arrivals.Closed(100), answered, 0, refused)
            .answeredAfter(4)
            .mostInFlight(100)
            .result();
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
