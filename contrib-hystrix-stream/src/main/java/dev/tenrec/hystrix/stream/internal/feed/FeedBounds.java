// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import java.time.Duration;

/** What a feed may be described as, whichever server has it. */
public final class FeedBounds {

  private static final int MOST_CLIENTS = 1_000;
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofHours(1);

  private FeedBounds() {}

  /**
   * This number of clients.
   *
   * @throws IllegalArgumentException if it is less than 1 or more than 1,000
   */
  public static int maxClients(int clients) {
    if (clients < 1 || clients > MOST_CLIENTS) {
      throw new IllegalArgumentException(
          "maxClients: " + clients + ", expected 1 to " + MOST_CLIENTS);
    }
    return clients;
  }

  /**
   * This time.
   *
   * @param what its name
   * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
   */
  public static Duration time(String what, Duration given) {
    if (given.compareTo(SHORTEST) < 0 || given.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          what + ": " + given + ", expected " + SHORTEST + " to " + LONGEST);
    }
    return given;
  }
}
