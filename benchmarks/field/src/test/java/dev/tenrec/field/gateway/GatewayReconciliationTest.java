// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.ProcessMeter;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Presence;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.service.ServiceCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class GatewayReconciliationTest {

  private static final Arrivals USERS = new Arrivals.Closed(10);

  private final Cell direct = new Cell(Cell.SLOW, Cell.DIRECT, USERS, 100);
  private final Cell guarded = new Cell(Cell.SLOW, 5, USERS, 100);
  private final Explanations explanations = new Explanations();
  private final Map<String, Long> gateway =
      new HashMap<>(
          Map.of(
              "received",
              100L,
              "slow.SUCCESS",
              80L,
              "slow.SEMAPHORE_REJECTED",
              2L,
              "slow.SHORT_CIRCUITED",
              18L));

  @Test
  void differences_ofWhatAgrees_areNone() {
    explain(2, 5, 18);

    assertThat(GatewayReconciliation.differences(guarded(counts(80, 0, 20), 80))).isEmpty();
    assertThat(GatewayReconciliation.differences(direct(counts(100, 0, 0), 100))).isEmpty();
    // a call that failed may have come as far as the service, or not
    assertThat(GatewayReconciliation.differences(direct(counts(90, 10, 0), 95))).isEmpty();
  }

  @Test
  void differences_ofTheDriver_areNamed() {
    Counts counts = new Counts(90, 0, 0, 5, 91, 100, 0);

    assertThat(GatewayReconciliation.differences(direct(counts, 91)))
        .containsExactly(
            "due is 100, but sent + never sent is 96",
            "sent is 91, but answered + failed + refused is 90",
            "received by the service is 91, expected at least 90 (the driver's) and at most 90"
                + " (these and the failed)");
  }

  @Test
  void differences_ofTheGatewayAndItsCommand_areNamed() {
    explain(2, 5, 18);
    gateway.put("received", 99L);
    gateway.put("slow.SUCCESS", 81L);

    assertThat(GatewayReconciliation.differences(guarded(counts(80, 0, 20), 82)))
        .containsExactly(
            "received by the gateway is 99, expected at least 100 (the driver's) and at most 100"
                + " (these and the failed)",
            "received by the gateway is 99, but ended by the command is 101",
            "the command's successes is 81, expected at least 80 (the driver's) and at most 80"
                + " (these and the failed)",
            "received by the service is 82, expected at least 81 (the command's successes) and at"
                + " most 81 (all it started)");
  }

  @Test
  void differences_ofRefusalsNotExplainedOrExplainedWrongly_areNamed() {
    explain(2, 6, 17);

    assertThat(GatewayReconciliation.differences(guarded(counts(80, 0, 20), 80)))
        .hasSize(3)
        .contains(
            "refused is 20, but explained is 19",
            "short-circuited by the command is 18, expected at least 17 (the driver's) and at most"
                + " 17 (these and the failed)")
        .last()
        .asString()
        .startsWith("a refusal names another limit, or more in use than that");
  }

  private void explain(int rejected, int inUse, int shortCircuited) {
    for (int refusal = 0; refusal < rejected; refusal++) {
      explanations.header("Refused: command=slow; reason=SEMAPHORE; limit=5; in-use=" + inUse);
    }
    for (int refusal = 0; refusal < shortCircuited; refusal++) {
      explanations.header("Refused: command=slow; reason=CIRCUIT_OPEN; why=so it is");
    }
  }

  private static Counts counts(long answered, long failed, long refused) {
    return new Counts(answered, failed, refused, 0, 100, 100, 0);
  }

  private Reading direct(Counts counts, long received) {
    return new Reading(
        direct,
        result(counts),
        1,
        explanations,
        new ServiceCounts(received, 1, new ProcessMeter.Figures(0, 0, 0)),
        null);
  }

  private Reading guarded(Counts counts, long received) {
    return new Reading(
        guarded,
        result(counts),
        1,
        explanations,
        new ServiceCounts(received, 1, new ProcessMeter.Figures(0, 0, 0)),
        new GatewayCounts(gateway));
  }

  private static Result result(Counts counts) {
    Plan plan = new Plan(Engines.ASYNC, 1, USERS, 100, Duration.ofSeconds(1), Duration.ZERO);
    Latency none = new Latency(new Histogram(3));
    return new Result(
        plan, counts, 10, 1, none, none, none, none, Presence.OPEN, Map.of(), List.of());
  }
}
