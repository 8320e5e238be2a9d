// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.core.outcome.MissingFallbackException;
import dev.tenrec.core.work.FallbackValue;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import org.junit.jupiter.api.Test;

class FallbackGateTest {

  private static final Object FALLBACK = new Object();
  private static final Object VALUE = new FallbackValue<String, String>("x");

  private final Plan plan = plan("true");
  private final FallbackGate gate = new FallbackGate(2);

  private static Plan plan(String enabled) {
    ManualTime time = new ManualTime();
    return new Plan(
        GateSettings.of("fallback.enabled", enabled),
        null,
        new BulkheadGate(
            new Permits(1), null, Reason.SEMAPHORE, "Get", new InFlightMonitor(time, time)),
        WorkStarter.ON_CALLER);
  }

  @Test
  void enter_upToTheLimit_andThenRefused() {
    assertThat(gate.inUse()).isZero();
    assertThat(gate.limit()).isEqualTo(2);
    assertThat(gate.enter(plan, FALLBACK)).isNull();
    assertThat(gate.enter(plan, FALLBACK)).isNull();
    FallbackRefusal refusal = gate.enter(plan, FALLBACK);
    assertThat(refusal).isNotNull();
    assertThat(refusal.event()).isEqualTo(EventType.FALLBACK_REJECTION);
    assertThat(gate.inUse()).isEqualTo(2);
    CommandRejectedException error = refusal.error("Get", false);
    assertThat(error).isNotNull();
    assertThat(error.reason()).isEqualTo(Reason.FALLBACK);
    assertThat(error.limit()).isEqualTo(2);
    assertThat(error.inUse()).isEqualTo(2);
    assertThat(error.bulkhead()).isEqualTo("Get");
    assertThat(error.getStackTrace()).isEmpty();

    gate.leave(FALLBACK);
    assertThat(gate.inUse()).isOne();
    assertThat(gate.enter(plan, FALLBACK)).isNull();
  }

  @Test
  void enter_withAValue_takesNoPermit() {
    for (int i = 0; i < 3; i++) {
      assertThat(gate.enter(plan, VALUE)).isNull();
    }
    assertThat(gate.inUse()).isZero();
    gate.leave(VALUE);
    assertThat(gate.inUse()).isZero();
    assertThat(gate.enter(plan, FALLBACK)).isNull();
    gate.leave(VALUE);
    assertThat(gate.inUse()).isOne();
  }

  @Test
  void enter_withoutFallback_isMissing_evenWhereItIsDisabled() {
    assertThat(gate.enter(plan, null)).isSameAs(FallbackRefusal.MISSING);
    assertThat(gate.enter(plan("false"), null)).isSameAs(FallbackRefusal.MISSING);
    assertThat(gate.enter(plan("false"), FALLBACK)).isSameAs(FallbackRefusal.DISABLED);
    assertThat(gate.enter(plan("false"), VALUE)).isSameAs(FallbackRefusal.DISABLED);
    assertThat(FallbackRefusal.MISSING.error("Get", false)).isNull();
    assertThat(FallbackRefusal.DISABLED.error("Get", false)).isNull();
    assertThat(gate.inUse()).isZero();
  }

  @Test
  void refuse_withAFreePermit_isForWantOfAThread_andKeepsNone() {
    FallbackRefusal refusal = gate.refuse(plan, FALLBACK);
    assertThat(refusal).isSameAs(FallbackRefusal.NOBODY);
    assertThat(gate.inUse()).isZero();
    CommandRejectedException error = refusal.error("Get", true);
    assertThat(error).isNotNull();
    assertThat(error.reason()).isEqualTo(Reason.CALLBACK_EXECUTOR);
    assertThat(error.getStackTrace()).isNotEmpty();
  }

  @Test
  void refuse_whereItWouldNotRunAnyway_saysWhy() {
    gate.resize(0);
    assertThat(gate.refuse(plan, FALLBACK)).as("full").isSameAs(FallbackRefusal.NOBODY);
    assertThat(gate.refuse(plan, null)).isSameAs(FallbackRefusal.MISSING);
    assertThat(gate.refuse(plan("false"), FALLBACK)).isSameAs(FallbackRefusal.DISABLED);
    assertThat(gate.inUse()).isZero();
  }

  @Test
  void resize_beforeAndAfterTheFirstFallback_counts() {
    gate.resize(1);
    assertThat(gate.limit()).isOne();
    assertThat(gate.enter(plan, FALLBACK)).isNull();
    assertThat(gate.enter(plan, FALLBACK)).isNotNull();
    gate.resize(3);
    assertThat(gate.limit()).isEqualTo(3);
    assertThat(gate.enter(plan, FALLBACK)).isNull();
    assertThat(gate.enter(plan, FALLBACK)).isNull();
    assertThat(gate.enter(plan, FALLBACK)).isNotNull();
  }

  @Test
  void eventOf_aFallbackThatThrew_isAFailure_unlessItSaysThatThereIsNone() {
    assertThat(FallbackRefusal.eventOf(new MissingFallbackException("none")))
        .isEqualTo(EventType.FALLBACK_MISSING);
    assertThat(FallbackRefusal.eventOf(new IllegalStateException()))
        .isEqualTo(EventType.FALLBACK_FAILURE);
  }
}
