// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The shape of a full outage, by counts, which no machine is too slow for. */
class OutageTest {

  private static final int CALLS = 1_000;

  /** So long that no attempt is left out for want of time. */
  private static final Duration ATTEMPT = Duration.ofSeconds(60);

  @Test
  void run_withoutRetries_triesEachCallOnce() throws Exception {
    Outage outage = run(Strategy.NONE);

    assertThat(outage.connects()).isEqualTo(CALLS);
    assertThat(outage.counts()).containsEntry("command.FAILURE", (long) CALLS);
  }

  @Test
  void run_onABudgetThatNeverRefuses_triesMostCallsThreeTimes() throws Exception {
    Outage outage = run(Strategy.UNBOUNDED);

    assertThat(outage.connects())
        .isEqualTo(CALLS + outage.counts().get("command.RETRY"))
        .isGreaterThan(2 * CALLS);
    assertThat(outage.counts()).containsEntry("command.RETRY_BUDGET_EXHAUSTED", 0L);
  }

  @Test
  void run_onTheDefaultBudget_costsAFifthMoreAndTheFixedRate() throws Exception {
    Outage outage = run(Strategy.BUDGETED);

    assertThat(outage.connects())
        .isEqualTo(CALLS + outage.counts().get("command.RETRY"))
        .isGreaterThan(CALLS)
        .isLessThanOrEqualTo(Outage.most(CALLS, 20, 3, 1, outage.seconds()));
    assertThat(outage.counts().get("command.RETRY_BUDGET_EXHAUSTED")).isPositive();
  }

  @Test
  void run_withAHedge_triesEachCallOnce_forItFailsBeforeTheHedgeIsDue() throws Exception {
    Outage outage = run(Strategy.HEDGED);

    assertThat(outage.connects()).isEqualTo(CALLS);
  }

  @Test
  void most_isTheShareAndTheFixedNumberOfEachWindow() {
    assertThat(Outage.most(1_000, 20, 3, 1, 9.9)).isEqualTo(1_230);
    assertThat(Outage.most(1_000, 20, 3, 2, 10)).isEqualTo(1_320);
    assertThat(Outage.most(1_000, 0, 0, 1, 99)).isEqualTo(1_000);
  }

  private static Outage run(Strategy strategy) throws Exception {
    Outage outage = Outage.run(strategy, CALLS, ATTEMPT, Stop.onDemand());

    assertThat(outage.calls()).isEqualTo(CALLS);
    return outage;
  }
}
