// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.isolation.Permits;

/**
 * In the place of a permission: the breaker let the call through, the bulkhead did not.
 *
 * @param figures what it was decided on, as {@link Permits#take} has it
 */
record Rejected(long figures) implements Permission {

  private static final int KEPT = 256;

  /**
   * One for each of the last figures, so that a refusal costs no object: a limit is mostly refused
   * at with as many in flight. Races lose one, and it is made again.
   */
  private static final Rejected[] LAST = new Rejected[KEPT];

  static Rejected on(long figures) {
    int at = (int) (figures ^ figures >>> 32 << 4) & KEPT - 1;
    Rejected last = LAST[at];
    if (last == null || last.figures != figures) {
      last = new Rejected(figures);
      LAST[at] = last;
    }
    return last;
  }
}
