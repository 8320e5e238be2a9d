// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.isolation.Permits;

/** In the place of a permission: the bulkhead was full. */
public final class RejectedByBulkhead extends Rejected {

  private static final int KEPT = 256;

  /**
   * One for each of the last figures, so that a refusal costs no object: at most refusals, as many
   * calls are in flight as the limit allows. Races lose one, and it is made again.
   */
  private static final RejectedByBulkhead[] LAST = new RejectedByBulkhead[KEPT];

  private final long figures;

  private RejectedByBulkhead(long figures) {
    this.figures = figures;
  }

  /** What it was decided on, as {@link Permits#take} has it. */
  public long figures() {
    return figures;
  }

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
