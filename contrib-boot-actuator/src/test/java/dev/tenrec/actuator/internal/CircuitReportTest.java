// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.published.FollowingSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What health says of circuits, and of where the settings come from. */
class CircuitReportTest {

  private static final String FORCE_OPEN = "tenrec.command.Quotes.circuitBreaker.forceOpen";

  @Test
  void circuit_thatIsOpenOrForced_isShownWithTheReasonItHasNow() {
    try (Tenrec tenrec = Tenrec.create()) {
      Command<Integer, Integer> command =
          tenrec
              .command("Quotes", (Integer i) -> Integer.parseInt("down"))
              .isolation(Isolation.semaphore(1))
              .errorThreshold(1, 1)
              .sleepWindow(Duration.ofHours(1))
              .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
              .fallbackValue(0)
              .build();
      await()
          .atMost(PatientWaits.patience())
          .until(
              () -> {
                command.execute(1);
                return command.view().circuitState() == CircuitState.OPEN;
              });
      Transition opening = command.transitions().get(0);
      assertThat(CircuitReport.of(tenrec).status()).isEqualTo(CircuitReport.CIRCUIT_OPEN);
      assertThat(quotes(tenrec))
          .containsEntry("state", CircuitState.OPEN)
          .containsEntry("since", opening.at().toString())
          .containsEntry("reason", opening.explanation())
          .containsEntry("nextTrialAt", opening.at().plus(Duration.ofHours(1)).toString());

      assertThat(command.closeCircuit("it is back")).isTrue();
      tenrec.set(FORCE_OPEN, "true");
      assertThat(quotes(tenrec))
          .isEqualTo(
              Map.of(
                  "state",
                  CircuitState.FORCED_OPEN,
                  "reason",
                  "forced by circuitBreaker.forceOpen=true"));
      tenrec.clear(FORCE_OPEN);
      assertThat(CircuitReport.of(tenrec).status()).isEqualTo("UP");
    }
  }

  private static Map<Object, Object> quotes(Tenrec tenrec) {
    Map<?, ?> circuits = (Map<?, ?>) CircuitReport.of(tenrec).details().get("circuits");
    return new HashMap<>((Map<?, ?>) circuits.get("Quotes"));
  }

  @Test
  void instance_thatIsCutOffFromItsSettings_saysSoAndIsUp() {
    FollowingSource source = new FollowingSource();
    try (Tenrec steered = Tenrec.builder().remoteSource(source).build();
        Tenrec plain = Tenrec.create()) {
      assertThat(CircuitReport.of(steered).details().get("settings"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsEntry("connected", true)
          .containsEntry("instance", "shop-7")
          .containsEntry("version", 17L)
          .containsEntry("author", "alice")
          .containsEntry("alarms", List.of())
          .doesNotContainKeys("zone", "canary");
      source.setAway(true);
      CircuitReport away = CircuitReport.of(steered);
      assertThat(away.status()).isEqualTo("UP");
      assertThat(away.details().get("settings"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsEntry("connected", false)
          .containsEntry("alarms", List.of("the store was begun anew"));
      assertThat(CircuitReport.of(plain).details()).doesNotContainKey("settings");
    }
  }
}
