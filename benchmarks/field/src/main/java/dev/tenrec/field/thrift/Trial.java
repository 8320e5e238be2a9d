// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.InTurn;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.thrift.process.Sample;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Puts loads on fleets, each of them new. */
class Trial {

  private static final Ticker TICKER = Ticker.system();
  private static final Duration STEADY_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration QUIET_PATIENCE = Duration.ofSeconds(60);
  private static final int ASYNC_THREADS = 2;
  private static final int WARM_UP_USERS = 20;

  /** Those of a consumer and of a provider that are reported at the end. */
  private static final List<String> CONSUMER_COUNTS =
      List.of(
          "received",
          "answered",
          "refused",
          "failed",
          "attempts",
          "succeeded",
          "opened",
          "command.SUCCESS",
          "command.FAILURE",
          "command.TIMEOUT",
          "command.THREAD_POOL_REJECTED",
          "command.SHORT_CIRCUITED",
          "command.ATTEMPT_OUTRUN",
          "command.RETRY",
          "command.RETRY_BUDGET_EXHAUSTED",
          "command.HEDGE",
          "command.HEDGE_REFUSED",
          "circuit.trips",
          "circuit.closings",
          "circuit.closed");

  private final Form form;
  private final int port;
  private final Stop stop;

  /**
   * A trial.
   *
   * @param port where providers listen, or 0 for a free one
   */
  Trial(Form form, int port, Stop stop) {
    this.form = form;
    this.port = port;
    this.stop = stop;
  }

  /**
   * One consumer with few connections, at these levels of a closed load.
   *
   * @param ended gets each as it ends, lest it be lost with a later one
   */
  List<SteadyRun> steady(int payloadBytes, List<Integer> users, Consumer<SteadyRun> ended)
      throws Exception {
    Setup setup =
        new Setup(
            payloadBytes,
            Guard.NONE,
            Setup.USUAL_ATTEMPTS,
            1,
            Form.STEADY_THREADS,
            Setup.USUAL_PERMITS);
    List<SteadyRun> runs = new ArrayList<>();
    try (Fleet fleet = Fleet.start(setup, form, port);
        InTurn target = Callers.of(fleet.ports(), STEADY_TIMEOUT)) {
      Result unused = closed(target, Form.STEADY_THREADS, form.warmUpMillis());
      for (int level : users) {
        if (!stop.asked()) {
          long beginNanos = TICKER.nanoTime();
          long beginMillis = fleet.provider("cpuMillis");
          Result result = closed(target, level, form.levelMillis());
          double cpuPercent =
              (fleet.provider("cpuMillis") - beginMillis) * 1e8 / (TICKER.nanoTime() - beginNanos);
          fleet.requireConsumers();
          SteadyRun run = new SteadyRun(setup, level, result, cpuPercent);
          runs.add(run);
          ended.accept(run);
        }
      }
    }
    return runs;
  }

  /** All consumers, with a surge, in shares of what the provider can do. */
  SurgeRun surge(Setup setup, double capacityPerSecond) throws Exception {
    Schedule schedule =
        new Schedule(
            form,
            perSecond(capacityPerSecond * Form.CALM_SHARE),
            perSecond(capacityPerSecond * Form.SURGE_SHARE));
    try (Fleet fleet = Fleet.start(setup, form, port);
        InTurn target = Callers.of(fleet.ports(), form.callerTimeout())) {
      Result warmUp = closed(target, WARM_UP_USERS, form.warmUpMillis());
      RunClock clock = new RunClock();
      long beginNanos = TICKER.nanoTime();
      List<Window> windows = schedule.run(target, clock, stop);
      boolean quiet = fleet.awaitQuiet(QUIET_PATIENCE, stop);
      long quietNanos = Math.max(0, clock.nanos() - form.beginNanos(windows.size()));
      String remark =
          !fleet.isProviderAlive()
              ? SurgeRun.PROVIDER_DIED
              : quiet ? "" : stop.asked() ? SurgeRun.STOPPED : SurgeRun.NEVER_QUIET;
      return new SurgeRun(
          setup,
          form,
          warmUp,
          windows,
          since(beginNanos, fleet.providerSamples()),
          counts(fleet),
          remark.isEmpty() ? quietNanos / 1e9 : -1,
          remark);
    }
  }

  private int perSecond(double wanted) {
    return (int) Math.max(1, Math.min(wanted, form.mostPerSecond()));
  }

  private Result closed(Target target, int users, int millis) throws Exception {
    Plan plan =
        new Plan(
            Engines.ASYNC,
            ASYNC_THREADS,
            new Arrivals.Closed(users),
            Plan.MOST_REQUESTS,
            Duration.ofMillis(millis),
            STEADY_TIMEOUT);
    return new Driver(plan, target, stop, Progress.none()).run();
  }

  private static List<Sample> since(long beginNanos, List<Sample> samples) {
    return samples.stream()
        .map(sample -> new Sample(sample.nanos() - beginNanos, sample.gauges()))
        .filter(sample -> sample.nanos() >= 0)
        .toList();
  }

  private static Map<String, Long> counts(Fleet fleet) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    for (String name : CONSUMER_COUNTS) {
      counts.put(name.contains(".") ? name : "c." + name, fleet.consumers(name));
    }
    counts.put("p.begun", fleet.provider("begun"));
    counts.put("p.done", fleet.provider("done"));
    return counts;
  }
}
