// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import org.junit.jupiter.api.Test;

class CanaryTest {

  /** Both take 4 ms for each answer, within a second. */
  private static Canary.Phase trial(long answered, long refused, long others, long othersRefused) {
    return new Canary.Phase(
        "tried on one",
        Canary.BETTER,
        new SomeMeasured(Part.CANARY, Method.FOLLOW, Canary.BETTER, answered, refused).measured(),
        new SomeMeasured(Part.CANARY, Method.FOLLOW, Canary.BEFORE, others, othersRefused)
            .measured());
  }

  @Test
  void isGood_ifItDoesNoWorse() {
    assertThat(Canary.isGood(trial(200, 10, 100, 20))).isTrue();
    assertThat(Canary.isGood(trial(96, 0, 100, 0))).isTrue();
  }

  @Test
  void isGood_notWithFewerAnswers() {
    assertThat(Canary.isGood(trial(94, 0, 100, 0))).isFalse();
  }

  @Test
  void isGood_notWithMoreRefusals() {
    assertThat(Canary.isGood(trial(1_000, 30, 1_000, 10))).isFalse();
  }

  @Test
  void isGood_notWithLongerWaits() {
    SomeMeasured slower = new SomeMeasured(Part.CANARY, Method.FOLLOW, Canary.WORSE, 100, 0);
    slower.measured().result(Method.FOLLOW).sinceIntended().micros().recordValueWithCount(6_100, 9);

    assertThat(
            Canary.isGood(
                new Canary.Phase(
                    "tried on one", Canary.WORSE, slower.measured(), trial(1, 0, 100, 0).other())))
        .isFalse();
  }
}
