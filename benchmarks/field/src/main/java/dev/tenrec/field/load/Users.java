// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.kit.Stop;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The users of a closed load, who meet at a barrier. Each makes one call, and is held back until
 * all have begun theirs. Then the window begins, and each goes on when answered. So no user spends
 * calls another was to make, and nothing is measured of a crowd that has not gathered. With a ramp
 * there is no barrier: they begin one after the other and go on, and the window begins with the
 * last.
 *
 * <p>One thread has them begin and gives turns; calls may end on any.
 */
final class Users {

  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

  private final Plan plan;
  private final Arrivals.Closed arrivals;
  private final int number;
  private final MeasuringWindow window;
  private final RunClock clock;
  private final Stop stop;

  /** Users who may call again. Raised before they begin, lowered after all is noted of them. */
  private final AtomicLong active;

  /** What users are to do who are held back, or were answered at once too often. */
  private final BlockingQueue<Runnable> later = new LinkedBlockingQueue<>();

  /** Calls after the first of each user. */
  private final AtomicLong repeated = new AtomicLong();

  /** Written by the driving thread before the users may go on, read by them. */
  private volatile boolean gathered;

  /** Written by the driving thread, read by users: when there are no more calls. */
  private volatile long endNanos;

  Users(
      Plan plan,
      Arrivals.Closed arrivals,
      MeasuringWindow window,
      AtomicLong active,
      RunClock clock,
      Stop stop) {
    this.plan = plan;
    this.arrivals = arrivals;
    this.number = arrivals.users();
    this.gathered = !arrivals.ramp().isZero();
    this.window = window;
    this.active = active;
    this.clock = clock;
    this.stop = stop;
    Duration begin = plan.isOneCallEach() ? Duration.ZERO : plan.patience();
    this.endNanos = plan.longestWithRamp().plus(begin).toNanos();
  }

  /** What becomes of a call that is due. */
  interface Calls {

    /**
     * Sends one.
     *
     * @param dueNanos when it was due, since the load began
     * @param ended is run when it is over
     */
    void send(long dueNanos, Runnable ended);

    /** Notes one that was due, and is not sent because the time is over. */
    void drop(long dueNanos);
  }

  /**
   * Has all begin, and opens the window.
   *
   * @param look is done now and then meanwhile
   */
  void begin(Calls calls, Runnable look) throws InterruptedException {
    int begun = 0;
    while (begun < Math.min(number, plan.requests()) && !isOver()) {
      long leftNanos = arrivals.beginNanos(begun) - clock.nanos();
      if (leftNanos > 0) {
        look.run();
        giveTurns(Math.min(leftNanos, LOOK_NANOS));
        continue;
      }
      active.incrementAndGet();
      new User(user -> round(user, calls), later::add, clock).next();
      begun++;
    }
    if (begun == number && !plan.isOneCallEach()) {
      long nowNanos = clock.nanos();
      endNanos = nowNanos + plan.longest().toNanos();
      window.begin(nowNanos, endNanos);
    }
    gathered = true;
  }

  private void round(User user, Calls calls) {
    if (user.begins()) {
      // where each calls once, all were to call at the beginning, however long it takes to send
      boolean allAtOnce = plan.isOneCallEach() && arrivals.ramp().isZero();
      calls.send(allAtOnce ? 0 : clock.nanos(), user::next);
    } else if (!gathered) {
      user.holdBack();
    } else if (isOver()) {
      if (user.isWaiting() && window.hasBegun()) {
        calls.drop(dueNanos(user));
      }
      leave();
    } else if (repeated.getAndIncrement() >= plan.requests() - number) {
      leave();
    } else {
      calls.send(dueNanos(user), user::next);
    }
  }

  /** What the barrier held back is due when the window begins. */
  private long dueNanos(User user) {
    long since = user.takeDueNanos();
    return arrivals.ramp().isZero() ? Math.max(since, window.beganNanos()) : since;
  }

  private void leave() {
    end();
    active.decrementAndGet();
  }

  /** Whether the time is over. */
  boolean isOver() {
    return stop.asked() || clock.nanos() >= endNanos;
  }

  /** Closes the window, if it is not closed. */
  void end() {
    if (!plan.isOneCallEach()) {
      window.end(Math.min(clock.nanos(), endNanos));
    }
  }

  /** Gives turns to users that wait for one; waits so long if there are none. */
  void giveTurns(long nanos) throws InterruptedException {
    Runnable turn = later.poll(nanos, TimeUnit.NANOSECONDS);
    long lastNanos = clock.nanos() + nanos;
    while (turn != null) {
      turn.run();
      turn = clock.nanos() < lastNanos ? later.poll() : null;
    }
  }
}
