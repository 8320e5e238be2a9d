// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engine;
import dev.tenrec.field.load.engine.Target;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts a load on a target. Used once, by one thread, which waits until it is over. A closed load is
 * measured from when all its users have begun until the first of them ends.
 */
public final class Driver {

  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();
  private static final long STOPPED_PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

  /** A call that is broken off ends at once, if its thread gets a processor. */
  private static final long BROKEN_OFF_PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

  private final IllegalStateException noTurn =
      new IllegalStateException("the driver had not got to it when the load ended");

  private final Plan plan;
  private final Target target;
  private final Stop stop;
  private final Progress progress;
  private final RunClock clock;
  private final Tally tally;

  private final MeasuringWindow window = new MeasuringWindow();

  /**
   * Calls by schedule that are not over, and users who may call again. Raised before they begin,
   * lowered after all is noted of them.
   */
  private final AtomicLong active = new AtomicLong();

  /**
   * A load that has not begun.
   *
   * @param stop ends it early
   * @param progress shows it now and then
   */
  public Driver(Plan plan, Target target, Stop stop, Progress progress) {
    this(plan, target, stop, progress, new RunClock());
  }

  /** By another clock. */
  Driver(Plan plan, Target target, Stop stop, Progress progress, RunClock clock) {
    this.clock = clock;
    this.plan = plan;
    this.target = target;
    this.stop = stop;
    this.progress = progress;
    this.tally = new Tally(window);
  }

  /** Runs it, as if it began just in time. */
  public Result run() throws Exception {
    return run(0);
  }

  /**
   * Runs it. Every call is over when this returns. If the load had to be cut short, the target is
   * closed.
   *
   * @param lateNanos how long ago it was to begin; its first calls are late by that
   * @throws IllegalStateException if this JVM does not have the engine, or if a call has not ended
   *     although it was broken off
   * @throws InterruptedException if the thread is interrupted
   */
  public Result run(long lateNanos) throws Exception {
    Users users =
        plan.arrivals() instanceof Arrivals.Closed closed
            ? new Users(plan, closed, window, active, clock, stop)
            : null;
    try (Engine engine = plan.engine().start(plan.threads())) {
      clock.began(lateNanos);
      if (users == null || plan.isOneCallEach()) {
        window.begin(users == null ? plan.arrivals().ramp().toNanos() : 0);
      }
      if (users != null) {
        drive(users, engine);
      } else if (plan.arrivals() instanceof Arrivals.Open open) {
        inject(open, engine);
        await(this::isOver, plan.longestWithRamp().toNanos());
      }
    }
    if (!settle(users, patienceNanos())) {
      target.close();
      if (!settle(users, BROKEN_OFF_PATIENCE_NANOS)) {
        throw new IllegalStateException("broken off, and not ended: " + tally.counts());
      }
    }
    progress.end();
    return tally.result(plan, clock.nanos());
  }

  private void inject(Arrivals.Open open, Engine engine) throws InterruptedException {
    for (long number = 0; number < plan.requests(); number++) {
      long dueNanos = open.dueNanos(number);
      if (dueNanos >= plan.longestWithRamp().toNanos()) {
        return;
      }
      await(() -> false, dueNanos);
      tally.look(clock.nanos());
      if (stop.asked()) {
        return;
      }
      active.incrementAndGet();
      tally.due(clock.nanos() - dueNanos);
      engine.fire(new TimedShot(target, tally, clock, dueNanos, active::decrementAndGet));
    }
  }

  private void drive(Users users, Engine engine) throws InterruptedException {
    users.begin(
        new Users.Calls() {
          @Override
          public void send(long dueNanos, Runnable ended) {
            tally.due(0);
            engine.fire(new TimedShot(target, tally, clock, dueNanos, ended));
          }

          @Override
          public void drop(long dueNanos) {
            tally.due(0);
            tally.dropped(noTurn, dueNanos, clock.nanos());
          }
        },
        this::look);
    while (!isOver() && !users.isOver()) {
      look();
      users.giveTurns(LOOK_NANOS);
    }
    users.end();
  }

  private void look() {
    long nowNanos = clock.nanos();
    tally.look(nowNanos);
    progress.show(nowNanos, plan, tally.counts());
  }

  private boolean isOver() {
    return active.get() == 0;
  }

  /** Gives what is in flight so much time; whether all has ended. */
  private boolean settle(@Nullable Users users, long patienceNanos) throws InterruptedException {
    long beganNanos = clock.nanos();
    while (!isOver() && clock.nanos() - beganNanos < patienceNanos) {
      tally.look(clock.nanos());
      if (users == null) {
        clock.awaitNanos(clock.nanos() + LOOK_NANOS);
      } else {
        // those that wait for a turn have to learn that it is over
        users.giveTurns(LOOK_NANOS);
      }
    }
    return isOver();
  }

  /** Less if somebody waits for the end. */
  private long patienceNanos() {
    long nanos = plan.patience().toNanos();
    return stop.asked() ? Math.min(nanos, STOPPED_PATIENCE_NANOS) : nanos;
  }

  /** Waits until then, or until it is so, or somebody asks for the end. */
  private void await(BooleanSupplier condition, long untilNanos) throws InterruptedException {
    long nowNanos = clock.nanos();
    while (!condition.getAsBoolean() && nowNanos < untilNanos && !stop.asked()) {
      look();
      clock.awaitNanos(Math.min(nowNanos + LOOK_NANOS, untilNanos));
      nowNanos = clock.nanos();
    }
  }
}
