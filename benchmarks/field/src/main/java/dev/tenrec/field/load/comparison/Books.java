// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import java.util.ArrayList;
import java.util.List;

/** Whether driver, commands and service tell the same of one cell. */
final class Books {

  private Books() {}

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Cell cell, Figures figures) {
    List<String> differences = new ArrayList<>();
    if (figures.broken()) {
      differences.add(figures.remark());
    }
    if (!figures.isMeasured()) {
      return differences;
    }
    long sent = figures.count("sent");
    long answered = figures.count("answered");
    long failed = figures.count("failed");
    long refused = figures.count("refused");
    same(
        differences,
        "due",
        figures.count("due"),
        "sent + never sent",
        sent + figures.count("neverSent"));
    same(differences, "sent", sent, "answered + failed + refused", answered + failed + refused);
    if (cell.permits() > 0) {
      same(
          differences,
          "answered",
          answered,
          "the command's successes",
          figures.count("command.SUCCESS"));
      same(
          differences,
          "failed",
          failed,
          "the command's failures",
          figures.count("command.FAILURE"));
      same(
          differences,
          "refused",
          refused,
          "the command's rejections",
          figures.count("command.SEMAPHORE_REJECTED"));
    } else {
      same(differences, "refused", refused, "what a service without limits refuses", 0);
    }
    long received = figures.count("serviceReceived");
    // a call that failed may have reached the service, or not
    if (received < answered || received > answered + failed) {
      differences.add(
          "the service received "
              + received
              + ", expected the answered "
              + answered
              + " and at most the failed "
              + failed
              + " besides");
    }
    return differences;
  }

  private static void same(
      List<String> differences, String one, long oneCount, String other, long otherCount) {
    if (oneCount != otherCount) {
      differences.add(one + " is " + oneCount + ", but " + other + " is " + otherCount);
    }
  }
}
