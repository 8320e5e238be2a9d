// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import java.util.List;

/**
 * A row of the original's table; 4 cores, 5 minutes, 10 times our users and their latencies.
 *
 * @param configuration which
 * @param users of the closed load
 * @param perSecond requests a second
 * @param meanMillis of the latency
 * @param maxMillis of the latency
 * @param errorPercent of the requests
 */
record Original(
    Configuration configuration,
    int users,
    double perSecond,
    double meanMillis,
    double maxMillis,
    double errorPercent) {

  /** What the others are compared with. */
  static final Original UNGUARDED = unguarded(200, 854.2, 231, 2_300);

  /** Of its 725 to 814 requests a second at 400 users this has the middle. */
  static final List<Original> ROWS =
      List.of(
          UNGUARDED,
          unguarded(300, 865.7, 343, 2_100),
          unguarded(400, 769.5, 465, 127_000),
          new Original(Configuration.A, 200, 787.2, 251, 3_100, 0),
          new Original(Configuration.B, 200, 883.7, 224, 2_600, 0.70),
          new Original(Configuration.C, 200, 881.9, 224, 15_800, 3.20),
          new Original(Configuration.D, 200, 815.6, 242, 14_500, 3.70));

  /** Ours are a tenth of its users. */
  static final int SCALE = 10;

  private static Original unguarded(int users, double perSecond, double mean, double max) {
    return new Original(Configuration.UNGUARDED, users, perSecond, mean, max, 0);
  }

  double perSecondRatio() {
    return perSecond / UNGUARDED.perSecond;
  }

  double meanRatio() {
    return meanMillis / UNGUARDED.meanMillis;
  }

  double maxToMean() {
    return maxMillis / meanMillis;
  }
}
