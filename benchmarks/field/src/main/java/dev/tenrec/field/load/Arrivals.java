// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

/** When calls are due. */
public sealed interface Arrivals {

  /** For every place where a figure of the run is shown. */
  String label();

  /**
   * By schedule, whoever is still waiting: as the world calls a service.
   *
   * @param perSecond calls a second, evenly, at least 1
   */
  record Open(int perSecond) implements Arrivals {

    /** Checks it. */
    public Open {
      require(perSecond, "calls a second");
    }

    /** When the call of this number is due, counting from 0, since the load began. */
    public long dueNanos(long number) {
      return number / perSecond * 1_000_000_000L + number % perSecond * 1_000_000_000L / perSecond;
    }

    @Override
    public String label() {
      return "open model, " + perSecond + " calls/s";
    }
  }

  /**
   * Each user calls again as soon as he has his answer, which goes easy on a service just when it
   * is slow: most figures of such a run flatter it.
   *
   * @param users how many there are, at least 1
   */
  record Closed(int users) implements Arrivals {

    /** Checks it. */
    public Closed {
      require(users, "users");
    }

    @Override
    public String label() {
      return "closed model, " + users + " users";
    }
  }

  private static void require(int number, String what) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "there are " + number + " " + what + ", expected at least 1");
    }
  }
}
