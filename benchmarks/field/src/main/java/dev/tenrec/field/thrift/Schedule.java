// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.engine.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An open load whose rate changes. Each window has a driver of its own, which begins by the clock,
 * however many still wait of the windows before: so each call is known by when it was due.
 */
final class Schedule {

  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final Duration GRACE = Duration.ofSeconds(4);
  private static final int ASYNC_THREADS = 2;

  private final Form form;
  private final int calmPerSecond;
  private final int surgePerSecond;

  Schedule(Form form, int calmPerSecond, int surgePerSecond) {
    this.form = form;
    this.calmPerSecond = calmPerSecond;
    this.surgePerSecond = surgePerSecond;
  }

  /** Runs it. Every call is over when this returns. */
  List<Window> run(Target target, RunClock clock, Stop stop) throws Exception {
    ExecutorService settling = Executors.newCachedThreadPool();
    List<Future<Window>> running = new ArrayList<>();
    try {
      for (int number = 0; number < form.windows() && await(number, clock, stop); number++) {
        int beginning = number;
        running.add(settling.submit(() -> window(beginning, target, clock, stop)));
      }
      List<Window> done = new ArrayList<>();
      for (Future<Window> window : running) {
        done.add(window.get());
      }
      return done;
    } finally {
      settling.shutdownNow();
    }
  }

  private boolean await(int number, RunClock clock, Stop stop) throws InterruptedException {
    long beginNanos = form.beginNanos(number);
    while (!stop.asked() && clock.nanos() < beginNanos) {
      clock.awaitNanos(Math.min(beginNanos, clock.nanos() + LOOK_NANOS));
    }
    return !stop.asked();
  }

  private Window window(int number, Target target, RunClock clock, Stop stop) throws Exception {
    Phase phase = phase(number);
    int perSecond = phase == Phase.SURGE ? surgePerSecond : calmPerSecond;
    Plan plan =
        new Plan(
            Engines.ASYNC,
            ASYNC_THREADS,
            new Arrivals.Open(perSecond),
            Math.max(1, (long) perSecond * form.windowMillis() / 1_000),
            Duration.ofMillis(form.windowMillis()),
            form.callerTimeout().plus(GRACE));
    Driver driver = new Driver(plan, target, stop, Progress.none());
    // by the schedule's clock: a thread that began late has its calls late
    Result result = driver.run(clock.nanos() - form.beginNanos(number));
    return new Window(phase, number, perSecond, result);
  }

  private Phase phase(int number) {
    if (number < form.calmWindows()) {
      return Phase.CALM;
    }
    return number < form.calmWindows() + form.surgeWindows() ? Phase.SURGE : Phase.AFTER;
  }
}
