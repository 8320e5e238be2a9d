// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;

/**
 * A load. Bounded twice: it ends with the last request or with its time, whichever comes first. A
 * closed load whose label is a number of users should be ended by its time: see {@link #closed}.
 *
 * @param engine what sends
 * @param threads of a bounded pool, and of asynchronous I/O
 * @param arrivals when calls are due
 * @param requests how many at most, 1 to 10 million
 * @param longest for how long at most after a ramp, up to an hour; what is queued then is not sent.
 *     Of a closed load it counts from when all users have begun, for which there is the time of the
 *     ramp, this time and the patience
 * @param patience how long calls in flight may take after that before they are broken off
 */
public record Plan(
    Engines engine,
    int threads,
    Arrivals arrivals,
    long requests,
    Duration longest,
    Duration patience) {

  /** The most one run may send. */
  public static final int MOST_REQUESTS = 10_000_000;

  /** The longest one run may take, in seconds. */
  public static final int MOST_SECONDS = 3_600;

  /** Checks the bounds. */
  public Plan {
    if (requests < 1 || requests > MOST_REQUESTS) {
      throw new IllegalArgumentException(
          "there are " + requests + " requests, expected 1 to " + MOST_REQUESTS);
    }
    if (longest.compareTo(Duration.ofSeconds(MOST_SECONDS)) > 0) {
      throw new IllegalArgumentException("the load takes " + longest + ", expected up to PT1H");
    }
  }

  /**
   * Users that call for this time, as often as they can.
   *
   * @param patience how long calls in flight may take after that before they are broken off
   */
  public static Plan closed(
      Engines engine, int threads, int users, Duration time, Duration patience) {
    return new Plan(engine, threads, new Arrivals.Closed(users), MOST_REQUESTS, time, patience);
  }

  /** For how long at most, with its ramp. */
  Duration longestWithRamp() {
    return longest.plus(arrivals.ramp());
  }

  /** Whether it is a closed load in which no user calls twice, so that not all need be there. */
  public boolean isOneCallEach() {
    return arrivals instanceof Arrivals.Closed closed && requests <= closed.users();
  }

  /**
   * How many connections it may have at once, if each call takes as long as it may.
   *
   * @param timeout how long that is
   */
  public long mostInFlight(Duration timeout) {
    long due =
        arrivals instanceof Arrivals.Open open
            ? open.perSecond() * Math.max(1, Math.min(timeout.toSeconds(), longest.toSeconds()))
            : ((Arrivals.Closed) arrivals).users();
    long most = Math.min(due, requests);
    return engine == Engines.POOL ? Math.min(most, threads) : most;
  }
}
