// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.gateway.proxy.Refusal;
import org.junit.jupiter.api.Test;

class ExplanationsTest {

  private final Explanations explanations = new Explanations();

  @Test
  void header_ofRefusalsByOneLimit_areOneKindWithARangeOfUse() {
    explanations.header("refused: command=slow; reason=SEMAPHORE; limit=100; in-use=100");
    explanations.header("Refused: command=slow; reason=SEMAPHORE; limit=100; in-use=97");
    explanations.header("Refused: command=slow; reason=CIRCUIT_OPEN; why=3 of 4 failed");

    assertThat(explanations.count(null)).isEqualTo(3);
    assertThat(explanations.count("SEMAPHORE")).isEqualTo(2);
    assertThat(explanations.count(Refusal.CIRCUIT_OPEN)).isEqualTo(1);
    assertThat(explanations.kinds().get(0))
        .isEqualTo(new Explanations.Kind(new Refusal("slow", "SEMAPHORE", 100, 0, ""), 2, 97, 100));
  }

  @Test
  void header_thatExplainsNothing_isNotCounted() {
    explanations.header("Content-Length: 3");
    explanations.header("Refused: because");

    assertThat(explanations.count(null)).isZero();
  }

  @Test
  void header_ofManyOpenings_areCountedAsOneBeyondSome() {
    for (int opening = 0; opening < 100; opening++) {
      explanations.header("Refused: command=slow; reason=CIRCUIT_OPEN; why=number " + opening);
    }

    assertThat(explanations.count(null)).isEqualTo(100);
    assertThat(explanations.kinds()).hasSize(13);
    assertThat(explanations.kinds().get(0).refusal().why()).isEqualTo("other numbers");
    assertThat(explanations.kinds().get(0).count()).isEqualTo(88);
  }
}
