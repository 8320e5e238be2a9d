// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import java.time.Duration;
import java.util.List;

/**
 * How much is run.
 *
 * @param users the levels of the closed runs; the first is that of the guarded ones
 * @param run how long one takes
 * @param openRun how long one with arrivals by schedule takes
 * @param phase how long a phase of the live change takes
 * @param warmUpRequests before the first run of an application, and a quarter of them before others
 * @param forgotten how long after that nothing is asked, so that the circuit breaker, whose window
 *     is a second, knows nothing of it
 * @param restarts whether each configuration has an application of its own, newly started;
 *     otherwise there is one, and what {@code Sizing} says is set in its memory
 */
record Form(
    List<Integer> users,
    Duration run,
    Duration openRun,
    Duration phase,
    int warmUpRequests,
    Duration forgotten,
    boolean restarts) {

  /** A tenth of the original's users, and much less of its five minutes. */
  static final Form FULL =
      new Form(
          List.of(20, 30, 40),
          Duration.ofSeconds(15),
          Duration.ofSeconds(20),
          Duration.ofSeconds(6),
          6_000,
          Duration.ofMillis(1_200),
          true);

  /** What shows the shape: under a minute. One application has all configurations. */
  static final Form DEMO =
      new Form(
          List.of(20, 30, 40),
          Duration.ofMillis(2_500),
          Duration.ofSeconds(4),
          Duration.ofMillis(1_500),
          2_000,
          Duration.ofMillis(1_200),
          false);

  /** Whether it runs, and all counts agree. */
  static final Form SHORT =
      new Form(
          List.of(20, 30, 40),
          Duration.ofMillis(150),
          Duration.ofMillis(300),
          Duration.ofMillis(200),
          60,
          Duration.ZERO,
          false);

  /** The most one run may send, however short its answers are. */
  static final int MOST_REQUESTS = 200_000;

  int mostUsers() {
    return users.stream().mapToInt(level -> level).max().orElse(1);
  }
}
