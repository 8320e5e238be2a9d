// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.SomeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reckoning, with figures given to it. */
class ThriftRatiosTest {

  /** 1 s each, so that what is answered is the rate. */
  private final List<SteadyRun> steady =
      List.of(
          steady(1_000, 10, 800, 11), steady(1_000, 50, 1_000, 50), steady(1_000, 500, 900, 500));

  private final List<SurgeRun> surges =
      List.of(
          surge(Guard.NONE, 2, List.of(100, 5, 10, 96, 97), 5_000, 4_000, 300, 240),
          surge(Guard.NONE, 1, List.of(100, 10, 96, 96, 97), 4_000, 2_000, 200, 40),
          surge(Guard.FULL, 2, List.of(100, 25, 99, 100, 100), 80, 40, 100, 0),
          surge(Guard.NO_CIRCUIT, 2, List.of(100, 50, 98, 100, 100), 160, 40, 100, 0));

  @Test
  void of_allThatIsNeeded_dividesIt() {
    List<Shape> shapes = Ratios.of(new Measured(9, steady, surges));

    assertThat(here(shapes, "more users, no more answers"))
        .isEqualTo("900 ÷ 1,000 answers/s = 0.90");
    assertThat(here(shapes, "they only wait longer")).isEqualTo("500 ÷ 50.0 ms = 10.0");
    assertThat(here(shapes, "two consumers: seconds where milliseconds were"))
        .isEqualTo("5,001 ÷ 5.00 ms = 1,000 (1 kB)");
    assertThat(here(shapes, "*ours:* where the seconds come from"))
        .isEqualTo("5,001 ÷ 3,000 ms = 1.67 (1 kB)");
    assertThat(here(shapes, "calls fail")).isEqualTo("5.0 and 67.7 % (1 kB)");
    assertThat(here(shapes, "its CPU falls from 171 to 17 %")).isEqualTo("240 ÷ 300 = 0.80 (1 kB)");
    assertThat(here(shapes, "it recovers, slowly")).isEqualTo("2 s; 0 s (1 kB)");
    assertThat(here(shapes, "*wanted:* own latency bounded"))
        .isEqualTo("80.1 ÷ 500 ms = 0.16 (1 kB)");
    assertThat(here(shapes, "*wanted:* shed, not pile up")).isEqualTo("4,000 ÷ 40 = 100 (1 kB)");
    assertThat(here(shapes, "*wanted:* the provider recovers"))
        .isEqualTo("99.7 %; 0 ÷ 100 = 0 (1 kB)");
    assertThat(here(shapes, "*wanted:* back without a restart")).isEqualTo("3, 3, 2 of 2 (1 kB)");
    assertThat(here(shapes, "*ours:* the second attempt"))
        .isEqualTo(
            "310 ÷ 210 = 1.48; 240 ÷ 300 = 0.80 (two); 40 ÷ 200 = 0.20 (one); 2 s (two); 0 s (one)");
    assertThat(here(shapes, "*ours:* the circuit beside the limit"))
        .isEqualTo("25 ÷ 50 = 0.50; 80.1 ÷ 160 ms = 0.50; 99.7 and 99.3 %");
    assertThat(here(shapes, "*ours:* what the guard gives away"))
        .isEqualTo(
            "12.5 ÷ 800 answers/s = 0.02 (guarded); 25 ÷ 800 answers/s = 0.03 (guarded, no"
                + " circuit)");
  }

  @Test
  void of_whatWasNotRun_isNotMeasured() {
    assertThat(here(Ratios.of(new Measured(9, steady, surges)), "100 kB cost more than 1 kB"))
        .isEqualTo("not measured");
    assertThat(Ratios.of(new Measured(9, List.of(), List.of())))
        .hasSize(15)
        .extracting(Shape::here)
        .containsOnly(Ratio.NOT_MEASURED);
  }

  @Test
  void of_aSurgeThatWasStopped_isNotMeasured() {
    List<SurgeRun> cutShort =
        List.of(surge(Guard.NONE, 2, List.of(100, 5, 10), 5_000, 4_000, 300, 240));

    assertThat(Ratios.of(new Measured(9, List.of(), cutShort)))
        .extracting(Shape::here)
        .containsOnly(Ratio.NOT_MEASURED);
  }

  @Test
  void surges_ofEachForm_tryOneAttemptAndNoCircuitOnce() {
    assertThat(Form.FULL.surges(1_000))
        .extracting(Setup::toString)
        .containsExactly(
            "1 kB, unguarded",
            "1 kB, unguarded, attempts: 1",
            "1 kB, guarded",
            "1 kB, guarded, no circuit");
    assertThat(Form.FULL.surges(100_000))
        .extracting(Setup::toString)
        .containsExactly("100 kB, unguarded", "100 kB, guarded");
    assertThat(Form.GUARDS.surges(1_000))
        .extracting(Setup::guard)
        .contains("guarded", "guarded, no circuit, permits: 3", "guarded, permits: 80");
    assertThat(Form.SHORT.surges(1_000)).extracting(Setup::guarded).containsExactly(false);
    assertThat(Form.SHORT.surges(100_000)).extracting(Setup::guarded).containsExactly(true);
  }

  private static String here(List<Shape> shapes, String shape) {
    return shapes.stream()
        .filter(row -> row.shape().equals(shape))
        .map(row -> row.here().text())
        .findFirst()
        .orElseThrow();
  }

  private static SteadyRun steady(int payload, int users, int answered, int millis) {
    return new SteadyRun(
        new Setup(payload, Guard.NONE, 2, 1, 10, Setup.USUAL_PERMITS),
        users,
        new SomeResult(new Arrivals.Closed(users), answered, 0, 0).answeredAfter(millis).result(),
        100);
  }

  /** Of so many windows of 2 seconds: one before the surge, one of it, three after it. */
  private static SurgeRun surge(
      Guard around,
      int attempts,
      List<Integer> answered,
      int surgeMillis,
      int mostInFlight,
      long done,
      long forNobody) {
    List<Window> windows = new ArrayList<>();
    for (int number = 0; number < answered.size(); number++) {
      boolean surge = number == 1;
      SomeResult result =
          new SomeResult(new Arrivals.Open(50), answered.get(number), 100 - answered.get(number), 0)
              .waited(surge ? surgeMillis : 5)
              .mostInFlight(surge ? mostInFlight : 1);
      Phase phase = surge ? Phase.SURGE : number == 0 ? Phase.CALM : Phase.AFTER;
      windows.add(new Window(phase, number, 50, result.result()));
    }
    Form form = new Form(1, List.of(10), 1, 1, 1, 1, 3, 2_000, 10, 500, 5_000, 100, true);
    return new SurgeRun(
        form.surge(1_000, around, attempts),
        form,
        new SomeResult(new Arrivals.Closed(1), 0, 0, 0).result(),
        windows,
        List.of(),
        Map.of(
            "p.done",
            done,
            "c.answered",
            done - forNobody,
            "c.attempts",
            done + 10,
            "circuit.trips",
            3L,
            "circuit.closings",
            3L,
            "circuit.closed",
            2L),
        0,
        "");
  }
}
