// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.isolation.Permits;

/**
 * In the place of a permission: the breaker let the call through, the bulkhead did not.
 *
 * @param figures what it was decided on, as {@link Permits#take} has it
 */
public record RejectedByBulkhead(long figures) implements Permission {

  private static final int KEPT = 256;

  /**
   * One for each of the last figures, so that a refusal costs no object: at most refusals, as many
   * calls are in flight as the limit allows. Races lose one, and it is made again.
   */
  private static final RejectedByBulkhead[] LAST = new RejectedByBulkhead[KEPT];

  public static RejectedByBulkhead on(long figures) {
    int at = (int) (figures ^ figures >>> 32 << 4) & KEPT - 1;
    RejectedByBulkhead last = LAST[at];
    if (last == null || last.figures != figures) {
      last = new RejectedByBulkhead(figures);
      LAST[at] = last;
    }
    return last;
  }
}
