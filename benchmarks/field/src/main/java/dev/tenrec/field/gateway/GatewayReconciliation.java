// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.load.Counts;
import dev.tenrec.metrics.event.EventType;
import java.util.List;

/**
 * Whether driver, gateway and service agree on one load. A call that failed for the driver may have
 * come further, or not; where none failed, each of these is an equation.
 */
final class GatewayReconciliation {

  private final Reconciliation found = new Reconciliation();

  private GatewayReconciliation() {}

  /** What does not agree; nothing, if all does. */
  static List<String> differences(Reading reading) {
    GatewayReconciliation reconciliation = new GatewayReconciliation();
    reading.result().counts().reconcile("", reconciliation.found);
    GatewayCounts gateway = reading.gateway();
    if (gateway != null) {
      reconciliation.gateway(reading, gateway);
    } else {
      Counts counts = reading.result().counts();
      reconciliation.found.same(
          "refused", counts.refused(), "what a service without limits refuses", 0);
      reconciliation.within(
          "received by the service", reading.service().received(), counts.answered(), counts);
    }
    return reconciliation.found.differences();
  }

  private void gateway(Reading reading, GatewayCounts gateway) {
    Counts counts = reading.result().counts();
    String command = reading.cell().call();
    long success = gateway.count(command, EventType.SUCCESS);
    long rejected = gateway.count(command, EventType.SEMAPHORE_REJECTED);
    long shortCircuited = gateway.count(command, EventType.SHORT_CIRCUITED);
    within(
        "received by the gateway",
        gateway.received(),
        counts.answered() + counts.refused(),
        counts);
    found.same(
        "received by the gateway",
        gateway.received(),
        "ended by the command",
        gateway.ended(command));
    within("the command's successes", success, counts.answered(), counts);
    within("the command's refusals", rejected + shortCircuited, counts.refused(), counts);
    found.same("refused", counts.refused(), "explained", reading.explanations().count(null));
    within("the command's rejections", rejected, reading.noPermit(), counts);
    within("short-circuited by the command", shortCircuited, reading.circuitOpen(), counts);
    limits(reading);
    long started = gateway.ended(command) - rejected - shortCircuited;
    long received = reading.service().received();
    found.between(
        "received by the service",
        received,
        "the command's successes",
        success,
        "all it started",
        started);
  }

  /** Each refusal names the command and the limit it was really under. */
  private void limits(Reading reading) {
    Cell cell = reading.cell();
    for (Explanations.Kind kind : reading.explanations().kinds()) {
      if (!kind.refusal().command().equals(cell.call())) {
        found.add("a refusal names the command " + kind.refusal().command());
      }
      if (kind.refusal().reason().equals(CommandRejectedException.Reason.SEMAPHORE.name())
          && (kind.refusal().limit() != cell.limit() || kind.mostInUse() > cell.limit())) {
        found.add("a refusal names another limit, or more in use than that: " + kind);
      }
    }
  }

  private void within(String what, long count, long known, Counts counts) {
    found.seen(what, count, known, counts.failed());
  }
}
