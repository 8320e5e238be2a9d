// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Counts;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.service.ServiceProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shapes of system 3, by ratios; each figure is the median of three runs. */
@Tag("field")
class GatewayShapeTest {

  private static final int RUNS = 3;
  private static final Form FORM = Form.DEFAULT;
  private static final Arrivals MANY = new Arrivals.Closed(500);
  private static ServiceProcess service;
  private static Loads loads;

  @BeforeAll
  static void start() throws Exception {
    service = ServiceProcess.start(0, FORM.mostAtOnce());
    loads = new Loads(FORM, service.uri(), 0, Stop.onDemand(), Progress.none());
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @Test
  void limitThatFits_refusesNothing_andHoldsHundredsOnFewThreads() throws Exception {
    List<Reading> slow = runs(Cell.SLOW, Form.FITTING, MANY, Plan.MOST_REQUESTS);
    List<Reading> hello = runs(Cell.HELLO, Form.FITTING, MANY, Plan.MOST_REQUESTS);

    for (List<Reading> runs : List.of(slow, hello)) {
      for (Reading reading : runs) {
        Counts counts = reading.result().counts();
        assertThat(counts.answered()).isGreaterThan(500).isEqualTo(counts.sent());
      }
    }
    assertThat(median(slow, reading -> gateway(reading).mostInFlight())).isGreaterThan(450);
    assertThat(median(slow, reading -> gateway(reading).process().threads())).isLessThan(40);
  }

  @Test
  void gateway_withTimeToSpare_costsTheSlowCallLittle() throws Exception {
    Arrivals few = new Arrivals.Closed(50);
    List<Reading> direct = runs(Cell.SLOW, Cell.DIRECT, few, Plan.MOST_REQUESTS);
    List<Reading> through = runs(Cell.SLOW, Form.FITTING, few, Plan.MOST_REQUESTS);

    assertThat(median(through, Reading::callsPerSecond) / median(direct, Reading::callsPerSecond))
        .isGreaterThan(0.9);
  }

  @Test
  void limitOfTheOriginal_refusesMost_andARefusalIsCheaperThanACall() throws Exception {
    List<Reading> fitting = runs(Cell.SLOW, Form.FITTING, MANY, Plan.MOST_REQUESTS);
    List<Reading> tight = runs(Cell.SLOW, Form.ORIGINAL, MANY, Plan.MOST_REQUESTS);

    assertThat(median(tight, GatewayShapeTest::refusedShare)).isGreaterThan(0.9);
    assertThat(median(tight, reading -> (double) reading.circuitOpen())).isPositive();
    assertThat(
            median(tight, Reading::cpuMicrosPerCall) / median(fitting, Reading::cpuMicrosPerCall))
        .isLessThan(0.7);
    // what the original claims: the whole gateway under a closed load
    assertThat(median(tight, Reading::cores) / median(fitting, Reading::cores)).isGreaterThan(2);
  }

  @Test
  void openCircuits_underTheSameArrivals_takeLoadOffTheGateway() throws Exception {
    Arrivals schedule = new Arrivals.Open(FORM.perSecond());
    List<Reading> fitting = runs(Cell.SLOW, Form.FITTING, schedule, 10_000);
    List<Reading> sized = runs(Cell.SLOW, Form.BY_FORMULA, schedule, 10_000);
    List<Reading> tight = runs(Cell.SLOW, Form.ORIGINAL, schedule, 10_000);

    for (List<Reading> runs : List.of(fitting, sized, tight)) {
      // or it is the injector that was measured
      assertThat(
              median(runs, reading -> reading.result().lag().p99ShareOf(reading.result().waited())))
          .as("%s: the injector's lag ÷ what callers waited, p99 of each", runs.get(0).cell())
          .isLessThan(0.25);
    }
    assertThat(median(tight, reading -> reading.circuitOpen() / 10_000.0)).isGreaterThan(0.3);
    // rate × service time, and what the original had
    assertThat(median(sized, GatewayShapeTest::refusedShare)).isLessThan(0.01);
    assertThat(median(tight, GatewayShapeTest::refusedShare)).isGreaterThan(0.5);
    assertThat(median(tight, Reading::cores) / median(fitting, Reading::cores)).isLessThan(0.8);
  }

  private static List<Reading> runs(String call, int limit, Arrivals arrivals, int requests)
      throws Exception {
    List<Reading> runs = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      Cell cell = new Cell(call, limit, arrivals, requests);
      Reading reading = loads.run(cell);
      assertThat(GatewayReconciliation.differences(reading)).as("%s", cell).isEmpty();
      assertThat(reading.result().presence().isOff())
          .as("%s: %s", cell, reading.result().presence())
          .isFalse();
      runs.add(reading);
    }
    return runs;
  }

  private static double refusedShare(Reading reading) {
    return (double) reading.result().counts().refused() / reading.result().counts().sent();
  }

  private static GatewayCounts gateway(Reading reading) {
    return Objects.requireNonNull(reading.gateway());
  }

  private static double median(List<Reading> runs, ToDoubleFunction<Reading> figure) {
    return runs.stream().mapToDouble(figure).sorted().skip(RUNS / 2).findFirst().orElseThrow();
  }
}
