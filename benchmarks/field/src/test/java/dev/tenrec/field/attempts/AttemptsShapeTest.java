// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.service.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What hedges and deadlines have to bring, by figures of an idle machine. */
@Tag("field")
class AttemptsShapeTest {

  /** Of what is measured, as the share of it that the injector may have added. */
  private static final double SMALL = 1 / 3.0;

  private final Stop stop = Stop.onDemand();

  @Test
  void tail_hedged_isGone_forLittleMoreLoad() throws Exception {
    TailForm form = TailForm.FULL;
    try (ServiceProcess service = ServiceProcess.start(0, 4_000)) {
      TailRun.warmUp(form, service, stop);
      TailRun without = TailRun.measure(form, false, service, stop);
      TailRun with = TailRun.measure(form, true, service, stop);

      assertThat(without.differences()).isEmpty();
      assertThat(with.differences()).isEmpty();
      assertThat(with.result().lag().p99ShareOf(with.result().sinceIntended())).isLessThan(SMALL);
      assertThat(without.p99Millis()).isGreaterThanOrEqualTo(form.slowMillis());
      assertThat(with.p99Millis())
          .isLessThanOrEqualTo(form.hedgeMillis() + TailForm.MEDIANS * without.p50Millis());
      assertThat(with.attemptsForEachCall()).isLessThanOrEqualTo(1.06);
    }
  }

  @Test
  void chain_withDeadlines_beginsNothingThatNobodyWaitsFor() throws Exception {
    ChainRun without = ChainRun.measure(ChainForm.FULL, false, stop);
    ChainRun with = ChainRun.measure(ChainForm.FULL, true, stop);

    assertThat(without.differences()).isEmpty();
    assertThat(with.differences()).isEmpty();
    assertThat(without.late()).isGreaterThan(without.begun() / 10);
    assertThat(with.laterThanItsWay()).isZero();
    assertThat(10 * with.late()).isLessThan(without.late());
    assertThat(with.result().counts().answered())
        .isGreaterThan(without.result().counts().answered());
  }
}
