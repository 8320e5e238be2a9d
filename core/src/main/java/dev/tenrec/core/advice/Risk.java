// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import java.util.Locale;

/**
 * Which calls would not get their work's answer.
 *
 * @param timedOut the share of calls that would time out, 0 to 1: in the queue, or at work
 * @param refused the share of calls that would find no room, 0 to 1
 */
public record Risk(double timedOut, double refused) {

  /** As {@code 0.50 % time out, 0.02 % refused}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.2f %% time out, %.2f %% refused", timedOut * 100, refused * 100);
  }
}
