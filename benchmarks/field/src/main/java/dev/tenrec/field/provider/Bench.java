// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.provider.service.Method;
import dev.tenrec.field.provider.service.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A provider and its store, each in a JVM of its own, to run points on. Used by one thread. */
public final class Bench implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int DRIVER_THREADS = 2;

  private final Server store;
  private final Server provider;
  private final ExecutorService drivers =
      Executors.newCachedThreadPool(work -> new Thread(work, "driver-of-a-method"));

  private Bench(Server store, Server provider) {
    this.store = store;
    this.provider = provider;
  }

  /**
   * Starts both.
   *
   * @param port where the provider listens, or 0 for a free port
   * @param callers the most that call at once
   */
  public static Bench start(int port, int callers) throws IOException, InterruptedException {
    Server store = Server.store();
    try {
      return new Bench(store, Server.provider(port, store.uri(), callers));
    } catch (IOException | InterruptedException failed) {
      store.close();
      throw failed;
    }
  }

  /** The provider's process: the same for all points. */
  public long providerPid() {
    return provider.pid();
  }

  /**
   * Retunes the provider, which goes on running, and then puts the load on it.
   *
   * @param time for how long
   */
  public Measured run(Point point, Duration time, Stop stop) throws Exception {
    provider.readers(point.readers());
    provider.settings(point.properties());
    Map<String, Double> storeBefore = store.figures();
    Map<String, Double> before = provider.figures();
    Map<Method, Result> results = drive(point, time, stop);
    Map<String, Double> after = provider.figures();
    return new Measured(
        point,
        results,
        Measured.between(before, after),
        Measured.between(storeBefore, store.figures()));
  }

  /** A driver for each method, all at the same time. */
  private Map<Method, Result> drive(Point point, Duration time, Stop stop) throws Exception {
    Map<Method, Future<Result>> running = new EnumMap<>(Method.class);
    point
        .users()
        .forEach(
            (method, users) ->
                running.put(
                    method,
                    drivers.submit(
                        () -> drive(method, arrivals(point, users), point, time, stop))));
    Map<Method, Result> results = new EnumMap<>(Method.class);
    for (Map.Entry<Method, Future<Result>> one : running.entrySet()) {
      try {
        results.put(one.getKey(), one.getValue().get());
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof Exception cause ? cause : failed;
      }
    }
    return results;
  }

  private static Arrivals arrivals(Point point, int users) {
    return point.perSecond() > 0
        ? new Arrivals.Open(point.perSecond())
        : new Arrivals.Closed(users);
  }

  private Result drive(Method method, Arrivals arrivals, Point point, Duration time, Stop stop)
      throws Exception {
    HttpAddress address = HttpAddress.of(provider.uri().resolve(method.key()).toString());
    Plan plan =
        new Plan(Engines.ASYNC, DRIVER_THREADS, arrivals, Plan.MOST_REQUESTS, time, PATIENCE);
    try (HttpTarget target = new HttpTarget(address, TIMEOUT, DRIVER_THREADS)) {
      return new Driver(plan, new PausingTarget(target, point.pauseMillis()), stop, Progress.none())
          .run();
    }
  }

  @Override
  public void close() {
    drivers.shutdownNow();
    try (store) {
      provider.close();
    }
  }
}
