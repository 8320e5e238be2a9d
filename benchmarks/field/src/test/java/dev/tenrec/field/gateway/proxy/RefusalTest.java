// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalTest {

  private final CommandRejectedException full =
      new CommandRejectedException(
          "slow", CommandRejectedException.Reason.SEMAPHORE, "slow", 100, 99, false);
  private final CircuitOpenException open =
      CircuitOpenException.shared(
          "slow", "30 of 40 calls failed (75 %; limit 50 %)", Instant.EPOCH, Instant.EPOCH);

  @Test
  void text_ofARejection_namesCommandLimitAndUse() {
    Refusal refusal = Refusal.of(full);

    assertThat(refusal).isNotNull();
    assertThat(refusal.text()).isEqualTo("command=slow; reason=SEMAPHORE; limit=100; in-use=99");
    assertThat(Refusal.parse(refusal.text())).isEqualTo(refusal);
  }

  @Test
  void text_ofAnOpenCircuit_reportsTheNumbersItOpenedOn() {
    Refusal refusal = Refusal.of(open);

    assertThat(refusal).isNotNull();
    assertThat(refusal.text())
        .isEqualTo(
            "command=slow; reason=CIRCUIT_OPEN; why=30 of 40 calls failed (75 %; limit 50 %)");
    assertThat(Refusal.parse(refusal.text())).isEqualTo(refusal);
  }

  @Test
  void of_whatIsNoRefusal_isNull() {
    assertThat(Refusal.of(new IllegalStateException("broken"))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "no", "command=slow; reason=SEMAPHORE", "command=slow; limit=1; in-use=1"})
  void parse_whatExplainsNothing_isNull(String text) {
    assertThat(Refusal.parse(text)).isNull();
  }
}
