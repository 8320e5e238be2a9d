// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Settings that are tried on one of two instances under load, then given to both, or taken back,
 * while both run. Each instance has a store and half of the users of its own. Used by one thread.
 */
final class Canary implements AutoCloseable {

  /** What both have at first. */
  static final PoolSetting BEFORE = Form.SMALL;

  /** More threads, with which the slow method answers more. */
  static final PoolSetting BETTER = PoolSetting.fixed(16, 0);

  /** A queue before as many threads, which answers no more and has its callers wait. */
  static final PoolSetting WORSE = PoolSetting.fixed(16, 50);

  /** What is tried, in this order. */
  static final List<PoolSetting> TRIED = List.of(BETTER, WORSE);

  /** Before, with one instance changed, and with both as it was judged. */
  static final int PHASES = TRIED.size() * 3;

  private static final Method METHOD = Method.FOLLOW;
  private static final double FEWER_ANSWERS = 0.95;
  private static final double LONGER = 1.5;
  private static final double MORE_REFUSED = 0.01;

  /**
   * One phase.
   *
   * @param name before, tried, kept or taken back
   * @param tried what the trial is about
   * @param changed the instance that is changed first
   * @param other the one that is changed last
   */
  record Phase(String name, PoolSetting tried, Measured changed, Measured other) {

    List<Measured> both() {
      return List.of(changed, other);
    }
  }

  private final Bench changed;
  private final Bench other;
  private final ExecutorService drivers =
      Executors.newFixedThreadPool(2, work -> new Thread(work, "driver-of-an-instance"));

  private Canary(Bench changed, Bench other) {
    this.changed = changed;
    this.other = other;
  }

  static Canary start() throws Exception {
    Bench changed = Bench.start(0, Form.USERS);
    try {
      return new Canary(changed, Bench.start(0, Form.USERS));
    } catch (Exception failed) {
      changed.close();
      throw failed;
    }
  }

  /** Has both instances compile what they run. */
  void warmUp(Duration time, Stop stop) throws Exception {
    Phase unused = measure("warming up", BEFORE, BEFORE, BEFORE, time, stop);
  }

  /**
   * All trials.
   *
   * @param time of each phase
   * @param measured is given each phase
   */
  void run(Duration time, Stop stop, Progress progress, Consumer<Phase> measured) throws Exception {
    PoolSetting present = BEFORE;
    for (PoolSetting tried : TRIED) {
      PoolSetting before = present;
      progress.show("canary: both on " + before);
      report(measure("before", tried, before, before, time, stop), progress, measured);
      progress.show("canary: one of two on " + tried);
      Phase trial = measure("tried on one", tried, tried, before, time, stop);
      report(trial, progress, measured);
      if (stop.asked()) {
        return;
      }
      boolean kept = isGood(trial);
      present = kept ? tried : before;
      progress.show("canary: both on " + present);
      String verdict = kept ? "kept, on both" : "taken back";
      report(measure(verdict, tried, present, present, time, stop), progress, measured);
    }
  }

  private static void report(Phase phase, Progress progress, Consumer<Phase> measured) {
    progress.end();
    measured.accept(phase);
  }

  /**
   * Whether the setting that is tried does no worse than the present one beside it: hardly fewer
   * answers, hardly more refusals, and a p99 that is not half as long again.
   */
  static boolean isGood(Phase trial) {
    Measured one = trial.changed();
    Measured two = trial.other();
    return one.perSecond(METHOD) >= FEWER_ANSWERS * two.perSecond(METHOD)
        && one.p99Millis(METHOD) <= LONGER * two.p99Millis(METHOD)
        && one.refusedShare(METHOD) <= two.refusedShare(METHOD) + MORE_REFUSED;
  }

  private Phase measure(
      String name, PoolSetting tried, PoolSetting one, PoolSetting two, Duration time, Stop stop)
      throws Exception {
    Future<Measured> beside = drivers.submit(run(other, two, time, stop));
    Measured first = run(changed, one, time, stop).call();
    try {
      return new Phase(name, tried, first, beside.get());
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }

  private static Callable<Measured> run(Bench bench, PoolSetting pool, Duration time, Stop stop) {
    Point point = Point.of(Part.CANARY, METHOD, Form.USERS / 2, pool, Form.PAUSE_MILLIS);
    return () -> bench.run(point, time, stop);
  }

  @Override
  public void close() {
    drivers.shutdownNow();
    try (changed) {
      other.close();
    }
  }
}
