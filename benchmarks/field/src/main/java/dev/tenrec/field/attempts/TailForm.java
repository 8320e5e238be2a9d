// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import java.time.Duration;

/**
 * How large a load on a service with a slow tail is.
 *
 * @param fastMillis how long most calls take in the service
 * @param slowMillis how long the others take
 * @param slowPercent how many of a hundred attempts are slow, each by a draw of its own
 * @param hedgeMillis after how long a hedge begins
 * @param perSecond calls due
 * @param millis for how long
 */
record TailForm(
    int fastMillis, int slowMillis, int slowPercent, int hedgeMillis, int perSecond, int millis) {

  static final TailForm FULL = new TailForm(5, 500, 2, 20, 400, 20_000);

  static final TailForm DEMO = new TailForm(5, 500, 2, 20, 400, 8_000);

  /** So far apart that a machine with something else to do takes none for the other. */
  static final TailForm SHORT = new TailForm(5, 3_000, 4, 300, 100, 2_000);

  /** The budget of hedges, of a hundred calls; and in a second besides. */
  static final int BUDGET_PERCENT = 5;

  static final int BUDGET_PER_SECOND = 1;

  /** What is wanted of the 99th percentile: the hedge's delay, and so often the median. */
  static final int MEDIANS = 3;

  Duration hedgeAfter() {
    return Duration.ofMillis(hedgeMillis);
  }

  Duration patience() {
    return Duration.ofMillis(10L * slowMillis);
  }

  long calls() {
    return (long) perSecond * millis / 1_000;
  }
}
