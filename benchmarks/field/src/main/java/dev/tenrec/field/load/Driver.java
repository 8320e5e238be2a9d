// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engine;
import dev.tenrec.field.load.engine.Target;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Puts a load on a target. Used once, by one thread, which waits until it is over. */
public final class Driver {

  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();
  private static final long STOPPED_PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

  private final Plan plan;
  private final Target target;
  private final Stop stop;
  private final Progress progress;
  private final RunClock clock = new RunClock();
  private final Tally tally;

  /** Numbers handed out to the calls of users, by whoever sends one. */
  private final AtomicLong asked = new AtomicLong();

  /**
   * Calls by schedule that are not over, and users who may call again. Raised before they begin,
   * lowered after all is noted of them.
   */
  private final AtomicLong active = new AtomicLong();

  /** Written by the driving thread, read by users. */
  private volatile boolean over;

  /**
   * A load that has not begun.
   *
   * @param stop ends it early
   * @param progress is told of it now and then
   */
  public Driver(Plan plan, Target target, Stop stop, Progress progress) {
    this.plan = plan;
    this.target = target;
    this.stop = stop;
    this.progress = progress;
    this.tally = new Tally(plan.longest().plus(plan.patience().multipliedBy(2)));
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
    try (Engine engine = plan.engine().start(plan.threads())) {
      clock.began(lateNanos);
      if (plan.arrivals() instanceof Arrivals.Open open) {
        inject(open, engine);
      } else if (plan.arrivals() instanceof Arrivals.Closed closed) {
        begin(closed, engine);
      }
      await(this::isOver, plan.longest().toNanos());
      over = true;
    }
    if (!settle()) {
      target.close();
      if (!settle()) {
        throw new IllegalStateException("broken off, and not ended: " + tally.counts());
      }
    }
    progress.end();
    return tally.result(plan);
  }

  private void inject(Arrivals.Open open, Engine engine) throws InterruptedException {
    for (long number = 0; number < plan.requests(); number++) {
      long dueNanos = open.dueNanos(number);
      if (dueNanos >= plan.longest().toNanos()) {
        return;
      }
      await(() -> false, dueNanos);
      if (stop.asked()) {
        return;
      }
      active.incrementAndGet();
      tally.due(clock.nanos() - dueNanos);
      engine.fire(new TimedShot(target, tally, clock, dueNanos, active::decrementAndGet));
    }
  }

  private void begin(Arrivals.Closed closed, Engine engine) {
    for (int number = 0; number < closed.users(); number++) {
      active.incrementAndGet();
      new User(user -> call(user, engine)).next();
    }
  }

  private void call(User user, Engine engine) {
    if (isTimeOver() || asked.getAndIncrement() >= plan.requests()) {
      active.decrementAndGet();
    } else {
      tally.due(0);
      engine.fire(new TimedShot(target, tally, clock, clock.nanos(), user::next));
    }
  }

  private boolean isTimeOver() {
    return over || stop.asked() || clock.nanos() >= plan.longest().toNanos();
  }

  private boolean isOver() {
    return active.get() == 0;
  }

  /** Gives what is in flight its time, less if somebody waits; whether all has ended. */
  private boolean settle() throws InterruptedException {
    long beganNanos = clock.nanos();
    while (!isOver() && clock.nanos() - beganNanos < patienceNanos()) {
      clock.awaitNanos(clock.nanos() + LOOK_NANOS);
    }
    return isOver();
  }

  private long patienceNanos() {
    long nanos = plan.patience().toNanos();
    return stop.asked() ? Math.min(nanos, STOPPED_PATIENCE_NANOS) : nanos;
  }

  /** Waits until then, or until it is so, or somebody asks for the end. */
  private void await(BooleanSupplier condition, long untilNanos) throws InterruptedException {
    long nowNanos = clock.nanos();
    while (!condition.getAsBoolean() && nowNanos < untilNanos && !stop.asked()) {
      progress.tell(nowNanos, plan, tally.counts());
      clock.awaitNanos(Math.min(nowNanos + LOOK_NANOS, untilNanos));
      nowNanos = clock.nanos();
    }
  }
}
