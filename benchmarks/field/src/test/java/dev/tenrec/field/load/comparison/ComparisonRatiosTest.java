// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Ratio;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.engine.Engines;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reckoning, with figures given to it. */
class ComparisonRatiosTest {

  private final Map<Cell, Figures> measured = new LinkedHashMap<>();

  @Test
  void of_allThatIsNeeded_dividesIt() {
    add(512, 0, Engines.POOL, 1_000, 20_000, 40_000, 0.4, 20);
    add(512, 0, Engines.ASYNC, 1_000, 20_000, 40_000, 18, 18);
    add(512, 500, Engines.POOL, 1_000, 1_000, 40, 500, 12_750);
    add(512, 500, Engines.ASYNC, 1_000, 1_000, 1_600, 500, 500);
    add(128, 500, Engines.ASYNC, 5_000, 5_000, 6_000, 500, 500);
    add(128, 500, Engines.THREAD, 2_000, 2_000, 3_000, 500, 500);
    add(128, 500, Engines.ASYNC, 2_000, 2_000, 3_000, 500, 500);
    add(512, 500, Engines.VIRTUAL, 2_000, 2_000, 2_700, 500, 600);
    add(512, 500, Engines.ASYNC, 2_000, 2_000, 3_000, 500, 500);
    measured.put(
        new Cell(128, 500, Engines.THREAD, 5_000, 5_000, 0), Figures.none("died: out of memory"));

    assertThat(Ratios.of(measured))
        .extracting(shape -> shape.here().text())
        .containsExactly(
            "18 ÷ 0.40 ms = 45",
            "20 ÷ 0.40 ms = 50",
            "1,600 ÷ 40 answers/s = 40",
            "20",
            "12,750 ÷ 500 ms = 25.5",
            "5,000",
            "2,000 of 2,000 (2,000 users); died: out of memory (5,000 users);"
                + " 200 ÷ 80 MB = 2.50",
            "2,700 ÷ 3,000 answers/s = 0.90 (512 MB)");
  }

  @Test
  void of_whatWasNotRun_isNotMeasured() {
    assertThat(Ratios.of(measured))
        .hasSize(8)
        .extracting(Shape::here)
        .containsOnly(Ratio.NOT_MEASURED);
  }

  @Test
  void of_aCellCutShort_orWithoutItsJdk_isNotMeasured() {
    add(512, 500, Engines.POOL, 1_000, 1_000, 40, 500, 12_750);
    add(512, 500, Engines.ASYNC, 1_000, 900, 1_600, 500, 500);
    add(512, 500, Engines.ASYNC, 2_000, 2_000, 3_000, 500, 500);
    measured.put(
        new Cell(512, 500, Engines.VIRTUAL, 2_000, 2_000, 0), Figures.none("needs JDK 21"));

    List<Shape> shapes = Ratios.of(measured);

    assertThat(shapes.get(2).here()).isEqualTo(Ratio.NOT_MEASURED);
    assertThat(shapes.get(7).here()).isEqualTo(Ratio.NOT_MEASURED);
  }

  @Test
  void of_theDemo_hasFiveLinesToSay() {
    for (Cell cell : Form.DEMO.cells()) {
      add(
          cell.heapMegabytes(),
          cell.delayMillis(),
          cell.engine(),
          cell.users(),
          cell.users(),
          9,
          9,
          9);
    }

    assertThat(Ratios.of(measured).stream().filter(shape -> shape.here().isMeasured()))
        .hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void of_aRowWithoutItsUsers_isNotMeasured() {
    add(512, 0, Engines.ASYNC, 1_000, 20_000, 40_000, 18, 18);
    Cell pool = new Cell(512, 0, Engines.POOL, 1_000, 0, 0);
    measured.put(
        pool, new Figures(figures(0, Engines.POOL, 880, 20_000, 40_000, 0.4, 20), "", false));

    assertThat(measured.get(pool).presence(pool).said()).isEqualTo("0.88 OFF");
    assertThat(Ratios.of(measured).get(0).here()).isEqualTo(Ratio.NOT_MEASURED);
  }

  private void add(
      int heap,
      int delay,
      Engines engine,
      int users,
      int sent,
      double perSecond,
      double sinceSent,
      double sinceIntended) {
    int requests = delay == 0 ? 0 : users;
    measured.put(
        new Cell(heap, delay, engine, users, requests, 0),
        new Figures(
            figures(delay, engine, users, sent, perSecond, sinceSent, sinceIntended), "", false));
  }

  private static Map<String, Double> figures(
      int delay,
      Engines engine,
      double there,
      double sent,
      double perSecond,
      double sinceSent,
      double sinceIntended) {
    Map<String, Double> figures = new HashMap<>();
    figures.put("sent", sent);
    figures.put("answered", sent);
    figures.put("perSecond", perSecond);
    figures.put("sinceSentMeanMillis", sinceSent);
    figures.put("sinceIntendedMeanMillis", sinceIntended);
    figures.put("serviceMostInFlight", 20.0);
    figures.put("residentMegabytes", engine == Engines.THREAD ? 200.0 : 80.0);
    if (delay == 0) {
      figures.put("windowSeconds", 3.0);
      figures.put("usersThere", there);
    }
    return figures;
  }
}
