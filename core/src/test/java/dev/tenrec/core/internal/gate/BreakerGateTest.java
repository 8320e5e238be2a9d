// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.internal.MetricsSettings;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BreakerGateTest {

  private static final long MS = 1_000_000;
  private static final long SLEEP = 5_000 * MS;
  private static final HealthSnapshot BAD = new HealthSnapshot(20, 20, 0);

  private final CommandMetrics metrics =
      new CommandMetrics(
          new MetricsSettings(10_000 * MS, 10, false, 60_000 * MS, 6, 500 * MS), 0, () -> 0);
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          "Get",
          new BreakerRules(20, 50, SLEEP, 1, 60_000 * MS),
          0,
          () -> Instant.EPOCH,
          transition -> {});
  private final List<Long> looks = new ArrayList<>();
  private final BreakerGate gate =
      new BreakerGate(
          "Get",
          breaker,
          metrics,
          now -> {
            looks.add(now);
            breaker.evaluate(breaker.unrefused(), BAD, now);
          });

  private static Plan plan(String... namesAndValues) {
    ManualTime time = new ManualTime();
    return new Plan(
        GateSettings.of(namesAndValues),
        null,
        new BulkheadGate(
            new Permits(1), null, Reason.SEMAPHORE, "Get", new InFlightMonitor(time, time)),
        WorkStarter.ON_CALLER);
  }

  private void open() {
    breaker.evaluate(breaker.unrefused(), BAD, 0);
    assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  /** Errors that no thread looks at: a look is due 50 ms after the last one. */
  private void trouble() {
    metrics.count(EventType.FAILURE);
    assertThat(metrics.claimLook()).isTrue();
  }

  @Test
  void admit_guarding_isTheBreakersWord() {
    assertThat(gate.admit(plan(), 1)).isSameAs(breaker.unrefused());
    open();
    assertThat(gate.admit(plan(), 1)).isInstanceOf(Refused.class);
    assertThat(metrics.cumulativeWouldRefuseCount()).isZero();
    assertThat(looks).isEmpty();
  }

  @Test
  void admit_forcedOpen_refusesAllWithOneObject() {
    Plan forced = plan("circuitBreaker.forceOpen", "true");
    Permission refused = gate.admit(forced, 1);
    assertThat(refused).isInstanceOf(Refused.class);
    assertThat(((Refused) refused).why()).hasMessageContaining("forced");
    assertThat(gate.admit(forced, 2)).isSameAs(refused);
  }

  @Test
  void admit_forcedClosed_letsThroughWhatTheStatesRefuse() {
    Plan forced = plan("circuitBreaker.forceClosed", "true");
    assertThat(gate.admit(forced, 1)).isSameAs(breaker.unrefused());
    open();
    assertThat(gate.admit(forced, 1)).isSameAs(Permission.UNGUARDED);
    assertThat(metrics.cumulativeWouldRefuseCount()).isZero();
    assertThat(CircuitBreaker.isTrial(gate.admit(forced, SLEEP)))
        .as("the states go on underneath")
        .isTrue();
  }

  @Test
  void admit_observing_countsWhatTheStatesWouldRefuse() {
    Plan observing = plan("circuitBreaker.observeOnly", "true");
    assertThat(gate.admit(observing, 1)).isSameAs(breaker.unrefused());
    assertThat(metrics.cumulativeWouldRefuseCount()).isZero();
    open();
    assertThat(gate.admit(observing, 1)).isSameAs(Permission.UNGUARDED);
    assertThat(metrics.cumulativeWouldRefuseCount()).isOne();
  }

  @Test
  void admit_observingAfterASilence_countsInTheBucketOfNow() {
    open();
    assertThat(gate.admit(plan("circuitBreaker.observeOnly", "true"), SLEEP - 100 * MS))
        .isSameAs(Permission.UNGUARDED);
    assertThat(metrics.rollingWouldRefuseCount(14_000 * MS - 1)).isOne();
    assertThat(metrics.rollingWouldRefuseCount(14_000 * MS)).isZero();
  }

  @Test
  void admit_disabled_asksNobody() {
    open();
    assertThat(gate.admit(plan("circuitBreaker.enabled", "false"), 1))
        .isSameAs(Permission.UNGUARDED);
    assertThat(gate.admit(plan("circuitBreaker.enabled", "false"), SLEEP))
        .isSameAs(Permission.UNGUARDED);
    assertThat(breaker.state()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void admit_withTroubleThatNobodyHasSeen_looksFirst() {
    trouble();
    Plan plan = plan();
    assertThat(gate.admit(plan, 50 * MS - 1)).isSameAs(breaker.unrefused());
    assertThat(looks).isEmpty();
    assertThat(gate.admit(plan, 50 * MS)).as("by what the look found").isInstanceOf(Refused.class);
    assertThat(looks).containsExactly(50 * MS);
  }

  @Test
  void admit_ofATrial_looksAtNothing() {
    open();
    trouble();
    assertThat(metrics.isDueBeforeCall(SLEEP)).isTrue();
    assertThat(CircuitBreaker.isTrial(gate.admit(plan(), SLEEP))).isTrue();
    assertThat(looks).isEmpty();
  }

  @Test
  void admit_refused_looksAtNothing() {
    open();
    trouble();
    assertThat(metrics.isDueBeforeCall(SLEEP - 1)).isTrue();
    assertThat(gate.admit(plan(), SLEEP - 1)).isInstanceOf(Refused.class);
    assertThat(looks).isEmpty();
  }

  @Test
  void release_ofATrial_handsItsPlaceBack() {
    open();
    Permission trial = gate.admit(plan(), SLEEP);
    assertThat(gate.admit(plan(), SLEEP)).isInstanceOf(Refused.class);
    gate.release(trial, SLEEP);
    assertThat(CircuitBreaker.isTrial(gate.admit(plan(), SLEEP))).isTrue();
  }
}
