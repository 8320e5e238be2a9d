// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.time.Duration;

/** When calls are due. */
public sealed interface Arrivals {

  /** For every place where a figure of the run is shown. */
  String label();

  /** For how long the load grows before it is measured; zero for not at all. */
  Duration ramp();

  /**
   * By schedule, however many still wait: as the world calls a service.
   *
   * @param perSecond calls a second, evenly, at least 1
   * @param ramp for how long that number grows evenly from 0 before
   */
  record Open(int perSecond, Duration ramp) implements Arrivals {

    /** Checks it. */
    public Open {
      require(perSecond, "calls a second");
      requireRamp(ramp);
    }

    /** With no ramp. */
    public Open(int perSecond) {
      this(perSecond, Duration.ZERO);
    }

    /**
     * When the call of this number is due, counting from 0, since the load began. In a ramp of T to
     * R calls a second, n = R t² ÷ 2T of them are due until t, which is half of what they are
     * later.
     */
    public long dueNanos(long number) {
      long rampNanos = ramp.toNanos();
      double inRamp = perSecond * (rampNanos / 1e9) / 2;
      if (number < inRamp) {
        return (long) (rampNanos * Math.sqrt(number / inRamp));
      }
      if (rampNanos == 0) {
        return evenly(number);
      }
      long first = (long) Math.ceil(inRamp);
      return rampNanos + (long) ((first - inRamp) * 1e9 / perSecond) + evenly(number - first);
    }

    private long evenly(long number) {
      return number / perSecond * 1_000_000_000L + number % perSecond * 1_000_000_000L / perSecond;
    }

    @Override
    public String label() {
      return "open model, " + perSecond + " calls/s" + after(ramp);
    }
  }

  /**
   * Each user calls again as soon as he has his answer, which goes easy on a service just when it
   * is slow: most figures of such a run flatter it.
   *
   * @param users how many there are, at least 1
   * @param ramp for how long they begin one after the other; zero to have all begin at a barrier
   */
  record Closed(int users, Duration ramp) implements Arrivals {

    /** Checks it. */
    public Closed {
      require(users, "users");
      requireRamp(ramp);
    }

    /** With no ramp. */
    public Closed(int users) {
      this(users, Duration.ZERO);
    }

    /** When the user of this number begins, counting from 0, since the load began. */
    public long beginNanos(int number) {
      return (long) ((double) ramp.toNanos() * number / users);
    }

    @Override
    public String label() {
      return "closed model, " + users + " users" + after(ramp);
    }
  }

  private static String after(Duration ramp) {
    return ramp.isZero() ? "" : " after a ramp of " + ramp.toMillis() / 1e3 + " s";
  }

  private static void requireRamp(Duration ramp) {
    if (ramp.isNegative()) {
      throw new IllegalArgumentException("the ramp takes " + ramp + ", expected at least PT0S");
    }
  }

  private static void require(int number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "there are " + number + " " + what + ", expected at least 1");
    }
  }
}
