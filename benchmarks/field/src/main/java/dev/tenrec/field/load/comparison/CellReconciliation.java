// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Reconciliation;
import java.util.List;

/** Whether driver, commands and service agree on one cell. */
final class CellReconciliation {

  private CellReconciliation() {}

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Cell cell, Figures figures) {
    Reconciliation found = new Reconciliation();
    if (figures.broken()) {
      found.add(figures.remark());
    }
    if (figures.isMeasured()) {
      compare(cell, figures, found);
    }
    return found.differences();
  }

  private static void compare(Cell cell, Figures figures, Reconciliation found) {
    long sent = figures.count("sent");
    long answered = figures.count("answered");
    long failed = figures.count("failed");
    long refused = figures.count("refused");
    found.same("due", figures.count("due"), "sent + never sent", sent + figures.count("neverSent"));
    found.same("sent", sent, "answered + failed + refused", answered + failed + refused);
    if (cell.permits() > 0) {
      found.same("answered", answered, "the command's successes", figures.count("command.SUCCESS"));
      found.same("failed", failed, "the command's failures", figures.count("command.FAILURE"));
      found.same(
          "refused",
          refused,
          "the command's rejections",
          figures.count("command.SEMAPHORE_REJECTED"));
    } else {
      found.same("refused", refused, "what a service without limits refuses", 0);
    }
    found.seen("received by the service", figures.count("serviceReceived"), answered, failed);
  }
}
