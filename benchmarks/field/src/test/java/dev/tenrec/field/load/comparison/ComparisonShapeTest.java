// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.service.ServiceProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shapes of system 5, by ratios; each figure is the median of three runs. */
@Tag("field")
class ComparisonShapeTest {

  private static final int RUNS = 3;
  private static ServiceProcess service;

  @BeforeAll
  static void start() throws Exception {
    service = ServiceProcess.start(0, 5_000);
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @Test
  void pool_againstAQuickService_hasAFlatteringMean() throws Exception {
    List<Figures> pool = runs(512, 0, Engines.POOL, 1_000, 0);
    List<Figures> async = runs(512, 0, Engines.ASYNC, 1_000, 0);

    // as it was sent, and as it was wanted
    assertThat(median(async, "sinceSentMeanMillis") / median(pool, "sinceSentMeanMillis"))
        .isGreaterThan(4);
    assertThat(median(pool, "sinceIntendedMeanMillis") / median(pool, "sinceSentMeanMillis"))
        .isGreaterThan(4);
  }

  @Test
  void pool_againstASlowService_isExposed() throws Exception {
    List<Figures> pool = runs(512, 500, Engines.POOL, 1_000, 1_000);
    List<Figures> async = runs(512, 500, Engines.ASYNC, 1_000, 1_000);

    assertThat(median(pool, "serviceMostInFlight")).isEqualTo(Cell.THREADS);
    assertThat(median(async, "serviceMostInFlight")).isGreaterThan(900);
    assertThat(median(async, "perSecond") / median(pool, "perSecond")).isGreaterThan(10);
    // what it shows is as good as anybody's; what its users wait is 25 times that
    assertThat(median(pool, "sinceSentMeanMillis") / 500).isLessThan(1.2);
    assertThat(median(pool, "sinceIntendedMeanMillis") / median(pool, "sinceSentMeanMillis"))
        .isGreaterThan(15);
  }

  @Test
  void async_inTheSmallHeap_holdsFiveThousand() throws Exception {
    List<Figures> async = runs(128, 500, Engines.ASYNC, 5_000, 5_000);
    List<Figures> thread = runs(128, 500, Engines.THREAD, 5_000, 5_000);

    assertThat(median(async, "answered")).isEqualTo(5_000);
    assertThat(median(async, "threads")).isLessThan(100);
    // a thread for each call costs memory beside the heap, or the run
    if (thread.stream().allMatch(Figures::isMeasured)) {
      assertThat(median(thread, "residentMegabytes") / median(async, "residentMegabytes"))
          .isGreaterThan(1.3);
    }
  }

  @Test
  void virtual_againstASlowService_comesCloseToAsync() throws Exception {
    assumeTrue(Engines.VIRTUAL.isSupported());
    List<Figures> virtual = runs(512, 500, Engines.VIRTUAL, 2_000, 2_000);
    List<Figures> async = runs(512, 500, Engines.ASYNC, 2_000, 2_000);

    assertThat(median(virtual, "answered")).isEqualTo(2_000);
    assertThat(median(virtual, "perSecond") / median(async, "perSecond")).isGreaterThan(0.5);
  }

  private static List<Figures> runs(int heap, int delay, Engines engine, int users, int requests)
      throws Exception {
    Cell cell = new Cell(heap, delay, engine, users, requests, 0);
    List<Figures> runs = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      Figures figures = CellProcess.run(cell, service.uri(), Form.FULL.time(cell), Stop.onDemand());
      assertThat(CellReconciliation.differences(cell, figures)).as("%s", cell).isEmpty();
      assertThat(figures.isMeasured() && figures.presence(cell).isOff())
          .as("%s: %s", cell, figures)
          .isFalse();
      runs.add(figures);
    }
    return runs;
  }

  private static double median(List<Figures> runs, String name) {
    return runs.stream()
        .mapToDouble(run -> run.value(name))
        .sorted()
        .skip(RUNS / 2)
        .findFirst()
        .orElseThrow();
  }
}
