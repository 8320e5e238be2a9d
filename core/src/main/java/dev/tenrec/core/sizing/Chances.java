// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import java.math.BigDecimal;

/** What chance does to calls that come and fail at random. In doubles. */
final class Chances {

  /** Erlang's formula takes a step for each permit. */
  private static final int MOST_PERMITS = 10_000_000;

  private Chances() {}

  /**
   * The fewest permits that refuse no more than a share of calls, by Erlang's loss formula.
   *
   * @param offered calls that would be in flight on average if none were refused
   */
  static int permits(BigDecimal offered, BigDecimal refusedShare) {
    // what is let in is in flight, so no fewer can do
    BigDecimal letIn = offered.multiply(BigDecimal.ONE.subtract(refusedShare));
    double load = offered.doubleValue();
    double refused = 1; // by no permit at all
    int permits = 0;
    do {
      if (permits == MOST_PERMITS || letIn.compareTo(BigDecimal.valueOf(MOST_PERMITS)) > 0) {
        throw new IllegalArgumentException(
            offered.toPlainString() + " in flight need more than " + MOST_PERMITS + " permits");
      }
      permits++;
      refused = load * refused / (permits + load * refused);
    } while (refused > refusedShare.doubleValue());
    return permits;
  }

  /**
   * From how many calls on their share of errors reaches a threshold with this chance at most.
   *
   * @param healthy the share of errors that they have
   * @param threshold above that
   */
  static int volume(BigDecimal healthy, BigDecimal threshold, BigDecimal chance) {
    double calls = -Math.log(chance.doubleValue()) / divergence(threshold, healthy);
    if (!(calls >= 0 && calls < Integer.MAX_VALUE)) { // by rounding, D may be 0 or below
      throw new IllegalArgumentException(
          "no number of calls can tell a healthy share of errors of "
              + healthy.toPlainString()
              + " from a threshold of "
              + threshold.toPlainString()
              + " with a chance of "
              + chance.toPlainString());
    }
    return Math.max(1, (int) Math.ceil(calls));
  }

  /** Kullback and Leibler's, of two shares: what each call says against the lower one. */
  private static double divergence(BigDecimal threshold, BigDecimal healthy) {
    double high = threshold.doubleValue();
    double low = healthy.doubleValue();
    double errors = high * Math.log(high / low);
    return high == 1 ? errors : errors + (1 - high) * Math.log((1 - high) / (1 - low));
  }
}
