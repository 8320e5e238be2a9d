// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.gateway.proxy.GatewayMain;
import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.service.ServiceCounts;
import dev.tenrec.field.load.service.ServiceProcess;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Puts one load after the other on a service. Used by one thread. */
final class Loads {

  /** Longer than the gateway's own, so that it is the gateway that says what a failure was. */
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int DRIVER_THREADS = 4;
  private static final int WARM_UP_USERS = 20;

  /**
   * So many times a usual warm-up before the first direct load: driver and service have one JVM for
   * all loads, and its optimising compiler is at work for the first ten seconds.
   */
  private static final int FIRST_TIMES = 40;

  private static final int GATEWAY_HEAP_MEGABYTES = 256;

  /**
   * Without the optimising compiler, which in a run of seconds takes more of the processor than the
   * calls do, and takes it from whichever load comes first.
   */
  private static final List<String> GATEWAY_OPTIONS = List.of("-XX:TieredStopAtLevel=1");

  private final Form form;
  private final URI service;
  private final int gatewayPort;
  private final Stop stop;
  private final Progress progress;

  /** Whether driver and service have had their first direct load. */
  private boolean warm;

  /**
   * None yet.
   *
   * @param gatewayPort where gateways listen, or 0 for a free port
   */
  Loads(Form form, URI service, int gatewayPort, Stop stop, Progress progress) {
    this.form = form;
    this.service = service;
    this.gatewayPort = gatewayPort;
    this.stop = stop;
    this.progress = progress;
  }

  /**
   * A gateway has a JVM of its own for each load: open circuits and warm code are not passed on.
   */
  Reading run(Cell cell) throws Exception {
    if (cell.isDirect()) {
      Result before =
          drive(warmUp(cell, warm ? 1 : FIRST_TIMES), upstream(Cell.HELLO), new Explanations());
      warm = true;
      return read(cell, upstream(cell.call()), before);
    }
    List<String> arguments =
        List.of(
            Integer.toString(gatewayPort),
            Integer.toString(form.mostAtOnce()),
            Integer.toString(cell.limit()),
            Integer.toString(cell.threads()),
            Cell.HELLO + "=" + upstream(Cell.HELLO),
            Cell.POST + "=" + upstream(Cell.POST),
            Cell.SLOW + "=" + upstream(Cell.SLOW));
    try (ServiceProcess gateway =
        ServiceProcess.start(
            "gateway", GATEWAY_HEAP_MEGABYTES, GATEWAY_OPTIONS, GatewayMain.class, arguments)) {
      Result before =
          drive(warmUp(cell, 1), gateway.uri().resolve("/" + Cell.HELLO), new Explanations());
      GatewayCounts.reset(gateway.uri());
      Reading reading = read(cell, gateway.uri().resolve("/" + cell.call()), before);
      return new Reading(
          cell,
          reading.result(),
          reading.seconds(),
          reading.explanations(),
          reading.service(),
          GatewayCounts.of(gateway.uri()));
    }
  }

  private Reading read(Cell cell, URI address, Result before) throws Exception {
    if (before.counts().failed() > 0) {
      throw new IllegalStateException("the warm-up failed: " + before.failures());
    }
    ServiceCounts.reset(service);
    Explanations explanations = new Explanations();
    RunClock clock = new RunClock();
    Result result = drive(cell, address, explanations);
    double seconds = clock.nanos() / 1e9;
    return new Reading(cell, result, seconds, explanations, ServiceCounts.of(service), null);
  }

  private Cell warmUp(Cell cell, int times) {
    return new Cell(
        Cell.HELLO,
        cell.limit(),
        new Arrivals.Closed(WARM_UP_USERS),
        times * form.warmUp(),
        cell.threads());
  }

  private URI upstream(String call) {
    return service.resolve("/delay/" + (call.equals(Cell.SLOW) ? Form.DELAY_MILLIS : 0));
  }

  private Result drive(Cell cell, URI address, Explanations explanations) throws Exception {
    Plan plan =
        new Plan(
            Engines.ASYNC,
            DRIVER_THREADS,
            cell.arrivals(),
            cell.requests(),
            form.time(cell),
            PATIENCE);
    try (Target target =
        new HttpTarget(
            HttpAddress.of(address.toString()),
            cell.request(),
            TIMEOUT,
            DRIVER_THREADS,
            explanations::header)) {
      return new Driver(plan, target, stop, progress).run();
    }
  }
}
