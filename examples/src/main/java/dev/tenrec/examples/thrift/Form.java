// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift;

import java.time.Duration;
import java.util.List;

/**
 * How large a run is.
 *
 * @param additions how many random numbers the provider adds in each call
 * @param users levels of the closed load on one consumer; the first is what a capacity is
 * @param levelMillis how long each of them lasts
 * @param warmUpMillis how long JVMs are warmed up that have just begun
 * @param calmWindows windows of the open load before the surge
 * @param surgeWindows windows of the surge
 * @param afterWindows windows after it
 * @param windowSeconds how long a window is
 * @param threads of each consumer
 * @param callMillis how long a consumer waits for the provider, each attempt
 * @param callerMillis how long the driver waits for a consumer
 * @param mostPerSecond the load is never more than that, however fast the machine is
 */
record Form(
    int additions,
    List<Integer> users,
    int levelMillis,
    int warmUpMillis,
    int calmWindows,
    int surgeWindows,
    int afterWindows,
    int windowSeconds,
    int threads,
    int callMillis,
    int callerMillis,
    int mostPerSecond) {

  /** As the original was, at a size for two cores: some five minutes. */
  static final Form FULL =
      new Form(
          200_000,
          List.of(10, 20, 50, 100, 200, 500),
          4_000,
          3_000,
          3,
          3,
          18,
          2,
          250,
          500,
          5_000,
          2_400);

  /** Whether it runs, and the books agree. */
  static final Form SHORT =
      new Form(100_000, List.of(10), 400, 300, 1, 1, 1, 1, 60, 200, 1_500, 400);

  /** 1 kB and 100 kB. */
  static final List<Integer> PAYLOADS = List.of(1_000, 100_000);

  /** Connections of the consumer alone, as the original had. */
  static final int STEADY_THREADS = 10;

  /** Calls of a guarded consumer that are with the provider at once. */
  static final int PERMITS = 10;

  /** At once, as in the original, where it takes two to have the provider collapse. */
  static final int CONSUMERS = 2;

  static final int PROVIDER_HEAP_MEGABYTES = 96;
  static final int CONSUMER_HEAP_MEGABYTES = 512;

  /** What the load is, of what the provider can do. */
  static final double CALM_SHARE = 0.3;

  static final double SURGE_SHARE = 2.5;

  Duration callerTimeout() {
    return Duration.ofMillis(callerMillis);
  }

  /** Connections the driver may need at once. */
  int mostCallers() {
    int most = mostPerSecond * callerMillis / 1_000;
    return Math.max(most, users.stream().mapToInt(level -> level).max().orElse(1));
  }
}
