// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.endpoint.app.AppMain;
import dev.tenrec.field.endpoint.service.ServiceMain;
import dev.tenrec.field.kit.ChildProcess;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The application and the service, in JVMs of their own, and a driver before them. */
final class Bench implements AutoCloseable {

  private static final int APPLICATION_MEGABYTES = 256;
  private static final int SERVICE_MEGABYTES = 128;

  /**
   * Without the optimising compiler, which in an application that has just begun is at work for
   * half a minute, and takes more of the processors than the calls do.
   */
  private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1");

  private static final int DRIVER_THREADS = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final long IDLE_NANOS = Duration.ofSeconds(10).toNanos();

  /** More than one: a slot may just be between two requests. */
  private static final int IDLE_LOOKS = 3;

  private static final long LOOK_NANOS = Duration.ofMillis(2).toNanos();

  private final ChildProcess service;
  private final ChildProcess application;
  private final URI address;
  private final Stop stop;
  private final RunClock clock = new RunClock();

  private int runs;

  private Bench(ChildProcess service, ChildProcess application, URI address, Stop stop) {
    this.service = service;
    this.application = application;
    this.address = address;
    this.stop = stop;
  }

  /**
   * Starts both, and waits until they listen.
   *
   * @param port the application's, or 0 for a free one
   * @param properties of the application
   */
  static Bench start(int port, List<String> properties, Stop stop)
      throws IOException, InterruptedException {
    ChildProcess service = start("service", SERVICE_MEGABYTES, ServiceMain.class, List.of());
    try {
      List<String> all = new ArrayList<>(properties);
      all.add("--server.port=" + port);
      all.add("--endpoint.dependency=" + service.awaitReady(ChildProcess.START));
      ChildProcess application = start("application", APPLICATION_MEGABYTES, AppMain.class, all);
      URI address = URI.create(application.awaitReady(ChildProcess.START));
      return new Bench(service, application, address, stop);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      service.close();
      throw failed;
    }
  }

  private static ChildProcess start(
      String name, int heapMegabytes, Class<?> main, List<String> arguments) throws IOException {
    return ChildProcess.start(name, heapMegabytes, OPTIONS, main, arguments);
  }

  /** So that it is not the loading of classes that is measured; then there is a pause. */
  void warmUp(Configuration configuration, int users, int requests, Duration pause)
      throws Exception {
    try (Watched target = target(configuration)) {
      Result unused = drive(target, new Arrivals.Closed(users), requests, WARM_UP, Progress.none());
    }
    awaitIdle(configuration);
    clock.awaitNanos(clock.nanos() + pause.toNanos());
  }

  Run run(Configuration configuration, Arrivals arrivals, Duration longest, Progress progress)
      throws Exception {
    try (Watched target = target(configuration)) {
      return run(
          configuration,
          target,
          () -> drive(target, arrivals, Form.MOST_REQUESTS, longest, progress));
    }
  }

  /** A load that is put on a target. */
  interface Load {
    Result put() throws Exception;
  }

  /** Counts what comes of it. */
  Run run(Configuration configuration, Watched target, Load load) throws Exception {
    runs++;
    Map<String, Long> unused = ask(service, "begin " + runs);
    Map<String, Long> unusedToo = ask(application, "begin " + runs);
    Map<String, Long> before = ask(application, "counts " + configuration.group());
    Duration processorBefore = application.processorTime();
    long beganNanos = clock.nanos();
    Result result = load.put();
    double micros = (clock.nanos() - beganNanos) / 1e3;
    double processorMillis = application.processorTime().minus(processorBefore).toNanos() / 1e6;
    awaitIdle(configuration);
    Map<String, Long> counted = new TreeMap<>();
    ask(application, "counts " + configuration.group())
        .forEach((name, count) -> counted.put(name, count - before.getOrDefault(name, 0L)));
    Map<String, Long> served = ask(service, "counts");
    return new Run(
        configuration,
        result,
        target.degraded(),
        counted,
        served,
        served.getOrDefault("busyMicros", 0L) / micros / ServiceMain.SLOTS,
        processorMillis);
  }

  Watched target(Configuration configuration) {
    String url = address.resolve("/" + configuration.path()).toString();
    return new Watched(new HttpTarget(HttpAddress.of(url), TIMEOUT, DRIVER_THREADS));
  }

  Result drive(Watched target, Arrivals arrivals, int requests, Duration longest, Progress progress)
      throws Exception {
    return drive(target, arrivals, requests, longest, progress, stop);
  }

  /** Another may ask for this one's end. */
  Result drive(
      Watched target,
      Arrivals arrivals,
      int requests,
      Duration longest,
      Progress progress,
      Stop stop)
      throws Exception {
    Plan plan = new Plan(Engines.ASYNC, DRIVER_THREADS, arrivals, requests, longest, PATIENCE);
    return new Driver(plan, target, stop, progress).run();
  }

  private static Map<String, Long> ask(ChildProcess child, String line)
      throws IOException, InterruptedException {
    return child.ask(line, ChildProcess.ANSWER, Long::valueOf);
  }

  /** The pool of a configuration, as it is. */
  Map<String, Long> pool(Configuration configuration) throws IOException, InterruptedException {
    return ask(application, "pool " + configuration.group());
  }

  /** Sets properties in the application's memory: everybody lives by them when this returns. */
  void set(Map<String, String> properties) throws IOException, InterruptedException {
    StringBuilder line = new StringBuilder("set");
    properties.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    Map<String, Long> unused = ask(application, line.toString());
  }

  /** Takes them back. */
  void clear(Map<String, String> properties) throws IOException, InterruptedException {
    Map<String, Long> unused = ask(application, "clear " + String.join(" ", properties.keySet()));
  }

  /** After the last answer: what timed out may still be under way. */
  private void awaitIdle(Configuration configuration) throws IOException, InterruptedException {
    long lastNanos = clock.nanos() + IDLE_NANOS;
    int idle = 0;
    while (clock.nanos() < lastNanos) {
      Map<String, Long> counts = ask(application, "counts " + configuration.group());
      long underWay =
          counts.getOrDefault("asked", 0L)
              - counts.getOrDefault("answered", 0L)
              - counts.getOrDefault("brokenOff", 0L)
              + ask(service, "counts").getOrDefault("pending", 0L);
      idle = underWay == 0 && isPoolIdle(configuration) ? idle + 1 : 0;
      if (idle == IDLE_LOOKS) {
        return;
      }
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    throw new IllegalStateException(
        configuration.title() + ": calls are under way 10 s after the last answer");
  }

  private boolean isPoolIdle(Configuration configuration) throws IOException, InterruptedException {
    if (!configuration.isGuarded()) {
      return true;
    }
    Map<String, Long> pool = pool(configuration);
    return pool.getOrDefault("active", 0L) + pool.getOrDefault("queued", 0L) == 0;
  }

  @Override
  public void close() {
    application.close();
    service.close();
  }
}
