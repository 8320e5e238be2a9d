// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import java.time.Duration;

/**
 * How large a load on a chain of services is.
 *
 * @param perSecond calls due
 * @param millis for how long
 * @param patienceMillis how long the caller of the first service waits
 * @param hopMillis the time-out of each call of one service by another, and of each piece of work
 * @param workMillis how long a piece of work of the last service takes
 * @param places how many of them it does at once
 * @param queue how many wait for that
 * @param pauseEveryMillis how often the last service stands still, the first time at once
 * @param pauseMillis for how long
 */
record ChainForm(
    int perSecond,
    int millis,
    int patienceMillis,
    int hopMillis,
    int workMillis,
    int places,
    int queue,
    int pauseEveryMillis,
    int pauseMillis) {

  /** 60 calls a second, of at most 100. */
  static final ChainForm FULL = of(20_000);

  static final ChainForm DEMO = of(8_000);

  static final ChainForm SHORT = of(2_000);

  private static ChainForm of(int millis) {
    return new ChainForm(60, millis, 300, 2_000, 20, 2, 200, 4_000, 1_000);
  }

  Duration patience() {
    return Duration.ofMillis(patienceMillis);
  }

  Duration hop() {
    return Duration.ofMillis(hopMillis);
  }

  long calls() {
    return (long) perSecond * millis / 1_000;
  }
}
