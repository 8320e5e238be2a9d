// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.load.Counts;
import java.util.List;

/** Whether driver, command, application and service agree on one run. */
final class EndpointReconciliation {

  private final Run run;
  private final Reconciliation found = new Reconciliation();

  private EndpointReconciliation(Run run) {
    this.run = run;
  }

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Run run) {
    EndpointReconciliation reconciliation = new EndpointReconciliation(run);
    Counts counts = run.result().counts();
    counts.reconcile("", reconciliation.found);
    if (run.configuration().isGuarded()) {
      reconciliation.command(counts);
    } else {
      reconciliation.found.same(
          "the driver's sent", counts.sent(), "what the client was asked", run.counted("asked"));
      reconciliation.found.same(
          "the driver's answered", counts.answered(), "the client's", run.counted("answered"));
      reconciliation.found.same(
          "answers of a fallback", run.degraded(), "what there is without one", 0);
    }
    reconciliation.dependency();
    return reconciliation.found.differences();
  }

  private void command(Counts counts) {
    long ran = run.counted("SUCCESS") + run.counted("FAILURE") + run.counted("TIMEOUT");
    long kept = run.counted("SHORT_CIRCUITED") + run.counted("THREAD_POOL_REJECTED");
    found.same("the driver's sent", counts.sent(), "the command's executions", ran + kept);
    found.same(
        "the driver's answered",
        counts.answered(),
        "the command's successes + its fallbacks' ones",
        run.counted("SUCCESS") + run.counted("FALLBACK_SUCCESS"));
    found.same(
        "the driver's failed + refused",
        counts.failed() + counts.refused(),
        "the command's exceptions",
        run.counted("EXCEPTION_THROWN"));
    found.same(
        "fallbacks the driver saw",
        run.degraded(),
        "those the command counted",
        run.counted("FALLBACK_SUCCESS"));
    // what timed out in the queue never ran; what timed out running may have been answered
    found.between(
        "what the client was asked",
        run.counted("asked"),
        "SUCCESS",
        run.counted("SUCCESS"),
        "what ran",
        ran);
    found.between(
        "what the client was answered",
        run.counted("answered"),
        "SUCCESS",
        run.counted("SUCCESS"),
        "SUCCESS + TIMEOUT",
        run.counted("SUCCESS") + run.counted("TIMEOUT"));
  }

  private void dependency() {
    found.same(
        "what the client was asked",
        run.counted("asked"),
        "answered + broken off",
        run.counted("answered") + run.counted("brokenOff"));
    long received = run.service().getOrDefault("received", 0L);
    found.same(
        "what the service received",
        received,
        "answered + gone",
        run.service().getOrDefault("answered", 0L) + run.service().getOrDefault("gone", 0L));
    // a call that was broken off may have reached it, or not; one whose kept connection turns out
    // to be closed is sent once more by the JDK's client, of itself
    found.between(
        "what the service received for the first time",
        received - run.service().getOrDefault("repeated", 0L),
        "what the client was answered",
        run.counted("answered"),
        "what it was asked",
        run.counted("asked"));
  }
}
