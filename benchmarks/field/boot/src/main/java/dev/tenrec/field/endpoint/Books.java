// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.load.Counts;
import java.util.ArrayList;
import java.util.List;

/** Whether driver, command, application and service tell the same of one run. */
final class Books {

  private final Run run;
  private final List<String> differences = new ArrayList<>();

  private Books(Run run) {
    this.run = run;
  }

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Run run) {
    Books books = new Books(run);
    Counts counts = run.result().counts();
    books.same("due", counts.due(), "sent + never sent", counts.sent() + counts.dropped());
    books.same(
        "sent",
        counts.sent(),
        "answered + failed + refused",
        counts.answered() + counts.failed() + counts.refused());
    if (run.configuration().isGuarded()) {
      books.command(counts);
    } else {
      books.same(
          "the driver's sent", counts.sent(), "what the client was asked", run.counted("asked"));
      books.same(
          "the driver's answered", counts.answered(), "the client's", run.counted("answered"));
      books.same("answers of a fallback", run.degraded(), "what there is without one", 0);
    }
    books.dependency();
    return books.differences;
  }

  private void command(Counts counts) {
    long ran = run.counted("SUCCESS") + run.counted("FAILURE") + run.counted("TIMEOUT");
    long kept = run.counted("SHORT_CIRCUITED") + run.counted("THREAD_POOL_REJECTED");
    same("the driver's sent", counts.sent(), "the command's executions", ran + kept);
    same(
        "the driver's answered",
        counts.answered(),
        "the command's successes + its fallbacks' ones",
        run.counted("SUCCESS") + run.counted("FALLBACK_SUCCESS"));
    same(
        "the driver's failed + refused",
        counts.failed() + counts.refused(),
        "the command's exceptions",
        run.counted("EXCEPTION_THROWN"));
    same(
        "fallbacks the driver saw",
        run.degraded(),
        "those the command counted",
        run.counted("FALLBACK_SUCCESS"));
    // what timed out in the queue never ran; what timed out running may have been answered
    between("what the client was asked", run.counted("SUCCESS"), run.counted("asked"), ran);
    between(
        "what the client was answered",
        run.counted("SUCCESS"),
        run.counted("answered"),
        run.counted("SUCCESS") + run.counted("TIMEOUT"));
  }

  private void dependency() {
    same(
        "what the client was asked",
        run.counted("asked"),
        "answered + broken off",
        run.counted("answered") + run.counted("brokenOff"));
    long received = run.service().getOrDefault("received", 0L);
    same(
        "what the service received",
        received,
        "answered + gone",
        run.service().getOrDefault("answered", 0L) + run.service().getOrDefault("gone", 0L));
    // a call that was broken off may have reached it, or not
    between("what the service received", run.counted("answered"), received, run.counted("asked"));
  }

  private void same(String one, long oneCount, String other, long otherCount) {
    if (oneCount != otherCount) {
      differences.add(one + " is " + oneCount + ", but " + other + " is " + otherCount);
    }
  }

  private void between(String what, long least, long count, long most) {
    if (count < least || count > most) {
      differences.add(what + " is " + count + ", expected " + least + " to " + most);
    }
  }
}
