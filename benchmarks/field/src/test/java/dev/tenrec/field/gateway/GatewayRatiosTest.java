// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.ProcessMeter;
import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.SomeResult;
import dev.tenrec.field.load.service.ServiceCounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reckoning, with figures given to it. */
class GatewayRatiosTest {

  private static final Arrivals FEW = new Arrivals.Closed(50);
  private static final Arrivals MORE = new Arrivals.Closed(200);
  private static final Arrivals MANY = new Arrivals.Closed(500);
  private static final Arrivals SCHEDULE = new Arrivals.Open(1_000);

  @Test
  void of_allThatIsNeeded_dividesIt() {
    List<Shape> shapes =
        Ratios.of(
            List.of(
                direct(Cell.HELLO, FEW, 2_000),
                gateway(Cell.HELLO, 1_000, FEW, 1_500, 0, 1),
                direct(Cell.HELLO, MANY, 3_000),
                gateway(Cell.HELLO, 1_000, MANY, 1_200, 0, 1),
                gateway(Cell.HELLO, 100, MANY, 400, 1_200, 1),
                gateway(new Cell(Cell.HELLO, 100, MORE, 1_000, Form.CONTAINER), 900, 100, 1),
                direct(Cell.POST, FEW, 2_000),
                gateway(Cell.POST, 1_000, FEW, 1_800, 0, 1),
                direct(Cell.SLOW, FEW, 250),
                gateway(Cell.SLOW, 1_000, FEW, 240, 0, 1),
                direct(Cell.SLOW, MORE, 1_000),
                gateway(Cell.SLOW, 100, MORE, 100, 9_900, 1),
                direct(Cell.SLOW, MANY, 2_500),
                gateway(Cell.SLOW, 1_000, MANY, 2_000, 0, 0.5),
                gateway(Cell.SLOW, 100, MANY, 0, 10_000, 1),
                gateway(Cell.SLOW, 1_000, SCHEDULE, 1_000, 0, 0.4),
                gateway(Cell.SLOW, Form.BY_FORMULA, SCHEDULE, 1_000, 0, 0.4),
                gateway(Cell.SLOW, 100, SCHEDULE, 20, 980, 0.1)));

    assertThat(shapes)
        .extracting(shape -> shape.here().text())
        .containsExactly(
            "1,500 ÷ 2,000 calls/s = 0.75 (50 users); 1,200 ÷ 3,000 calls/s = 0.40 (500 users)",
            "240 ÷ 250 calls/s = 0.96",
            "2,500 ÷ 250 calls/s = 10",
            "9,900 ÷ 10,000 = 0.99 (200 users); 10,000 ÷ 10,000 = 1 (500 users)",
            "10,000 ÷ 1,000 calls/s = 10",
            "1 ÷ 0.50 cores = 2; 100 ÷ 250 µs = 0.40",
            "0.10 ÷ 0.40 cores = 0.25",
            "0 of 7,740",
            "0 ÷ 1,000 = 0 (limit 238); 980 ÷ 1,000 = 0.98 (limit 100)",
            "321; 19",
            "1,200 ÷ 1,600 = 0.75 (500 users)",
            "100 ÷ 1,000 = 0.10 (200 users)",
            "1,800 ÷ 2,000 calls/s = 0.90");
  }

  @Test
  void of_whatWasNotRun_isNotMeasured() {
    assertThat(Ratios.of(List.of()))
        .hasSize(13)
        .extracting(Shape::here)
        .containsOnly(Ratio.NOT_MEASURED);
    assertThat(Ratios.of(List.of(direct(Cell.SLOW, FEW, 250))))
        .extracting(Shape::here)
        .containsOnly(Ratio.NOT_MEASURED);
  }

  /** All in one second. */
  private static Reading direct(String call, Arrivals arrivals, int answered) {
    Cell cell = new Cell(call, Cell.DIRECT, arrivals, answered);
    return new Reading(
        cell,
        new SomeResult(arrivals, answered, 0, 0).result(),
        1,
        new Explanations(),
        new ServiceCounts(answered, 1, new ProcessMeter.Figures(0, 0, 0)),
        null);
  }

  private static Reading gateway(
      String call, int limit, Arrivals arrivals, int answered, int refused, double cores) {
    return gateway(new Cell(call, limit, arrivals, answered + refused), answered, refused, cores);
  }

  private static Reading gateway(Cell cell, int answered, int refused, double cores) {
    return new Reading(
        cell,
        new SomeResult(cell.arrivals(), answered, 0, refused).result(),
        1,
        new Explanations(),
        new ServiceCounts(answered, 1, new ProcessMeter.Figures(0, 0, 0)),
        new GatewayCounts(
            Map.of(
                "received",
                (long) answered + refused,
                "cpuNanos",
                (long) (cores * 1e9),
                "mostInFlight",
                321L,
                "threads",
                19L)));
  }
}
