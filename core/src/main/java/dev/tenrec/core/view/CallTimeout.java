// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import java.time.Duration;

/**
 * How a call timed out: one of perhaps many that did in the same health interval.
 *
 * @param timeout the limit that was passed: of the call, of one attempt at it, or of a stream's
 *     item
 * @param begun whether its work had begun; if not, it waited for a thread all the time
 */
public record CallTimeout(Duration timeout, boolean begun) {

  @Override
  public String toString() {
    return "no answer within "
        + timeout.toNanos() / 1_000_000
        + " ms"
        + (begun ? "" : ", all of which it waited for a thread");
  }
}
