// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

/**
 * When a circuit trips and how it recovers. A value; a change of settings replaces it while the
 * breaker is in use.
 *
 * @param requestVolumeThreshold how many calls must have ended in the rolling window before the
 *     circuit may trip; inclusive, 0 or more. A window without any call never trips it.
 * @param errorThresholdPercentage from which share of trouble on it trips, in whole per cent;
 *     inclusive, 0 or more. Above 100 it never trips.
 * @param sleepWindowNanos how long an open circuit refuses every call; inclusive: a call exactly so
 *     long after the opening is a trial
 * @param halfOpenTrials how many trials may be in flight, and how many of them must succeed to
 *     close the circuit; 1 or more
 * @param leaseNanos for how long a trial keeps its place without ending; inclusive: from then on
 *     the next call takes the place. More than 0, and more than a trial may well take.
 */
public record BreakerRules(
    int requestVolumeThreshold,
    int errorThresholdPercentage,
    long sleepWindowNanos,
    int halfOpenTrials,
    long leaseNanos) {

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message says which, its
   *     value, and the range
   */
  public BreakerRules {
    atLeast(0, requestVolumeThreshold, "requestVolumeThreshold");
    atLeast(0, errorThresholdPercentage, "errorThresholdPercentage");
    atLeast(0, sleepWindowNanos, "sleepWindowNanos");
    atLeast(1, halfOpenTrials, "halfOpenTrials");
    atLeast(1, leaseNanos, "leaseNanos");
  }

  private static void atLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(
          name + " is " + value + ", expected " + least + " or more");
    }
  }
}
