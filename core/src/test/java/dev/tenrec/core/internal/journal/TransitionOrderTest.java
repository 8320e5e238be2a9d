// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransitionOrderTest {

  private final List<Transition> last = new ArrayList<>();
  private final TransitionOrder order = new TransitionOrder(() -> last);

  private static Transition transition(long number) {
    return new Transition(
        number,
        CircuitState.CLOSED,
        CircuitState.OPEN,
        0,
        Instant.EPOCH,
        TransitionReason.THRESHOLD_REACHED,
        HealthSnapshot.EMPTY,
        new BreakerRules(20, 50, 5_000_000_000L, 1, 1_000));
  }

  /** What the circuit remembers. */
  private void remembered(long... numbers) {
    last.clear();
    for (long number : numbers) {
      last.add(transition(number));
    }
  }

  private List<Long> taken(long number) {
    return order.take(transition(number)).stream().map(Transition::number).toList();
  }

  @Test
  void take_oneAfterTheOther_givesEachOne() {
    for (long number = 1; number <= 3; number++) {
      remembered(number);
      assertThat(taken(number)).containsExactly(number);
    }
  }

  @Test
  void take_laterOneFirst_takesTheOthersAlongOnce() {
    remembered(1, 2, 3);
    assertThat(taken(2)).containsExactly(1L, 2L, 3L);
    assertThat(taken(1)).isEmpty();
    assertThat(taken(3)).isEmpty();
    remembered(2, 3, 4);
    assertThat(taken(4)).containsExactly(4L);
  }

  @Test
  void take_forgottenByTheCircuit_givesItAllTheSame() {
    remembered(5, 6);
    assertThat(taken(3)).containsExactly(3L, 5L, 6L);
    assertThat(taken(2)).containsExactly(2L);
    assertThat(taken(2)).isEmpty();
    assertThat(taken(4)).containsExactly(4L);
    assertThat(taken(6)).isEmpty();
    remembered();
    assertThat(taken(9)).containsExactly(9L);
    assertThat(taken(8)).containsExactly(8L);
    assertThat(taken(1)).containsExactly(1L);
    assertThat(taken(7)).containsExactly(7L);
  }
}
