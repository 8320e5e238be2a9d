// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Reconciliation;
import java.util.List;

/** Whether driver, consumers with their commands, and provider agree on one run. */
final class RunReconciliation {

  private final Reconciliation found = new Reconciliation();

  private RunReconciliation() {}

  static List<String> differences(SteadyRun run) {
    RunReconciliation reconciliation = new RunReconciliation();
    if (!run.result().counts().balance()) {
      reconciliation.found.add("the driver's counts do not balance: " + run.result().counts());
    }
    return reconciliation.found.differences();
  }

  /** What does not agree; nothing, if all does. */
  static List<String> differences(SurgeRun run) {
    RunReconciliation reconciliation = new RunReconciliation();
    Total driver = run.total();
    if (!driver.balances()) {
      reconciliation.found.add("the driver's counts do not balance: " + driver);
    }
    if (run.remark().equals(SurgeRun.NEVER_QUIET)) {
      reconciliation.found.add("consumers or provider still had something to do when it was ended");
    }
    if (run.remark().equals(SurgeRun.NEVER_QUIET) || run.remark().equals(SurgeRun.STOPPED)) {
      return reconciliation.found.differences();
    }
    reconciliation.consumers(run, driver);
    if (run.setup().guarded()) {
      reconciliation.commands(run);
    } else {
      reconciliation.found.same("refused", run.count("c.refused"), "what nobody refuses", 0);
      reconciliation.found.same(
          "answered", run.count("c.answered"), "calls that succeeded", succeeded(run));
    }
    if (!run.remark().equals(SurgeRun.PROVIDER_DIED)) {
      reconciliation.provider(run);
    }
    return reconciliation.found.differences();
  }

  /** Of a call that the driver has no reply to, a consumer may know, or not. */
  private void consumers(SurgeRun run, Total driver) {
    long received = run.count("c.received");
    long replied = driver.answered() + driver.refused() + driver.failedByStatus();
    found.same(
        "received",
        received,
        "answered + refused + failed",
        run.count("c.answered") + run.count("c.refused") + run.count("c.failed"));
    found.between(
        "received", received, "replies the driver has", replied, "calls it sent", driver.sent());
    long lost = driver.failed() - driver.failedByStatus();
    within("answered", run.count("c.answered"), driver.answered(), lost);
    within("refused", run.count("c.refused"), driver.refused(), lost);
    within("failed", run.count("c.failed"), driver.failedByStatus(), lost);
  }

  private void commands(SurgeRun run) {
    found.same("answered", run.count("c.answered"), "SUCCESS", run.count("command.SUCCESS"));
    found.same(
        "refused",
        run.count("c.refused"),
        "THREAD_POOL_REJECTED + SHORT_CIRCUITED",
        run.count("command.THREAD_POOL_REJECTED") + run.count("command.SHORT_CIRCUITED"));
    long further = run.count("command.RETRY") + run.count("command.HEDGE");
    long outrun = run.count("command.ATTEMPT_OUTRUN");
    found.same(
        further == 0 ? "failed" : "failed + RETRY + HEDGE",
        run.count("c.failed") + further,
        further == 0 ? "FAILURE + TIMEOUT" : "FAILURE + TIMEOUT + ATTEMPT_OUTRUN",
        run.count("command.FAILURE") + run.count("command.TIMEOUT") + outrun);
    // those that came in time, and those that came although the call had ended without them
    found.between(
        "calls that succeeded",
        succeeded(run),
        "SUCCESS",
        run.count("command.SUCCESS"),
        "SUCCESS + TIMEOUT + ATTEMPT_OUTRUN",
        run.count("command.SUCCESS") + run.count("command.TIMEOUT") + outrun);
  }

  private void provider(SurgeRun run) {
    found.same(
        "calls the provider began", run.count("p.begun"), "those it did", run.count("p.done"));
    found.between(
        "calls the provider did",
        run.count("p.done"),
        "calls that succeeded",
        succeeded(run),
        "calls that went out to it",
        run.count("c.attempts"));
  }

  private static long succeeded(SurgeRun run) {
    return run.count("c.succeeded");
  }

  private void within(String ending, long consumers, long driver, long lost) {
    found.between(
        ending + " by the consumers",
        consumers,
        "what the driver has of it",
        driver,
        "that and the calls it has no reply to",
        driver + lost);
  }
}
