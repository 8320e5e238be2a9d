// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void markdown_ofARow_hasRatiosToFloorAndPeers() {
    Results results = Results.parse(Canned.list(Canned.FLOOR, Canned.TENREC, Canned.RESILIENCE));

    assertThat(new Table(results).markdown())
        .contains(
            "| SemaphoreExecution.tenrec | 1 | 62.5 | 5 % of 2 | 0.0 | 1.21 |  | 0.59 |  |  |  |")
        .contains("| SemaphoreExecution.resilience4j | 1 | 106 | 1 fork | 8.0 | 2.06 |");
  }

  @Test
  void floor_ofSeveralThreads_isTheOneWithoutPermit() {
    Results results =
        Results.parse(
            Canned.list(
                Canned.entry("SemaphoreExecution.tenrec", 2, "", "[[67]]", "0"),
                Canned.entry("SemaphoreExecution.floor", 2, "", "[[150]]", "0"),
                Canned.entry("SemaphoreExecution.floorNoPermit", 2, "", "[[66]]", "0")));
    Measurement tenrec = results.find("SemaphoreExecution.tenrec@2").orElseThrow();

    assertThat(new Table(results).floor(tenrec).orElseThrow().nanos()).isEqualTo(66);
  }
}
