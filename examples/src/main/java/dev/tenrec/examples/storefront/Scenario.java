// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What happens when. All moments are shares of the length, so that a short run shows the same as a
 * long one.
 *
 * @param length for how long shoppers come
 * @param visitsPerSecond how many of them in a second; each makes three calls, one in eight a
 *     fourth
 * @param seed decides which service is slow, and which shopper mistypes
 * @param directory where the settings and the report are written
 */
public record Scenario(Duration length, int visitsPerSecond, long seed, Path directory) {

  /** Reviews dies. */
  public Duration outageBegins() {
    return length.dividedBy(5);
  }

  /** Reviews comes back, between two tries of its circuit. */
  public Duration outageEnds() {
    return length.multipliedBy(19).dividedBy(50);
  }

  /** The storefront changes a setting of its own. */
  public Duration changeAt() {
    return length.dividedBy(2);
  }

  /**
   * How long an open circuit waits before it tries again: it tries, and fails, during the outage.
   */
  public Duration sleepWindow() {
    return length.multipliedBy(2).dividedBy(25);
  }

  /** How far back a circuit looks; whole milliseconds in each of ten buckets. */
  public Duration rollingWindow() {
    return length.multipliedBy(2).dividedBy(25);
  }
}
