// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint.service;

import java.time.Duration;
import java.util.Random;

/**
 * How long each piece of work takes: most are short, some long, as with queries of a database. A
 * log-normal distribution, with an end. The same ones in the same order after each beginning, so
 * that every run is asked for the same work. Thread-safe.
 */
final class WorkTimes {

  private static final long SEED = 854;
  private static final double SPREAD = 1.3;
  private static final double MEDIAN_NANOS = 900_000;
  private static final double LONGEST_NANOS = Duration.ofMillis(100).toNanos();

  private Random random = new Random(SEED);

  synchronized void begin() {
    random = new Random(SEED);
  }

  synchronized long nextNanos() {
    double nanos = MEDIAN_NANOS * Math.exp(SPREAD * random.nextGaussian());
    return (long) Math.min(nanos, LONGEST_NANOS);
  }
}
