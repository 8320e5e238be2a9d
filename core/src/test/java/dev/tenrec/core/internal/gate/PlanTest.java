// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.gate.Plan.BreakerMode;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {

  private static final long MS = 1_000_000;

  private static Plan plan(String... namesAndValues) {
    return plan(Reason.SEMAPHORE, WorkStarter.ON_CALLER, namesAndValues);
  }

  private static Plan plan(Reason reason, WorkStarter starter, String... namesAndValues) {
    ManualTime time = new ManualTime();
    return new Plan(
        GateSettings.of(namesAndValues),
        null,
        new BulkheadGate(new Permits(1), null, reason, "Get", new InFlightMonitor(time, time)),
        starter);
  }

  @ParameterizedTest
  @CsvSource({
    "false, true,  true,  true,  DISABLED",
    "true,  true,  true,  true,  FORCED_OPEN",
    "true,  false, true,  true,  FORCED_CLOSED",
    "true,  false, false, true,  OBSERVING",
    "true,  false, false, false, GUARDING"
  })
  void breakerMode_always_isOfTheStrongestSetting(
      String enabled, String open, String closed, String observe, BreakerMode mode) {
    assertThat(
            plan(
                    "circuitBreaker.enabled", enabled,
                    "circuitBreaker.forceOpen", open,
                    "circuitBreaker.forceClosed", closed,
                    "circuitBreaker.observeOnly", observe)
                .breakerMode)
        .isEqualTo(mode);
  }

  @ParameterizedTest
  @CsvSource({"false, DISABLED", "true, OVER"})
  void breakerMode_ofAClosedCommand_asksNobody(String enabled, BreakerMode mode) {
    for (String property : new String[] {"forceOpen", "forceClosed", "observeOnly"}) {
      CommandSettings settings =
          GateSettings.of("circuitBreaker.enabled", enabled, "circuitBreaker." + property, "true");
      assertThat(Plan.closed(settings, plan().bulkhead).breakerMode).isEqualTo(mode);
    }
  }

  @Test
  void times_thatAreSet_areTheSettings() {
    Plan plan =
        plan(
            "execution.isolation.thread.timeoutInMilliseconds", "7",
            "execution.stream.betweenItemsTimeoutInMilliseconds", "1",
            "circuitBreaker.slowCallDurationInMilliseconds", "1");
    assertThat(plan.timeoutNanos).isEqualTo(7 * MS);
    assertThat(plan.betweenItemsNanos).isEqualTo(MS);
    assertThat(plan.slowNanos).isEqualTo(MS);
  }

  @Test
  void times_thatAreSwitchedOff_areNever() {
    Plan plan =
        plan(
            "execution.timeout.enabled", "false",
            "execution.stream.betweenItemsTimeoutInMilliseconds", "0",
            "circuitBreaker.slowCallDurationInMilliseconds", "0");
    assertThat(plan.timeoutNanos).isEqualTo(Plan.NEVER).isEqualTo(Long.MAX_VALUE);
    assertThat(plan.betweenItemsNanos).isEqualTo(Plan.NEVER);
    assertThat(plan.slowNanos).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void switches_always_areTheSettings() {
    assertThat(plan().fallbackEnabled).isTrue();
    assertThat(plan("fallback.enabled", "false").fallbackEnabled).isFalse();
    assertThat(plan().deadlines).isFalse();
    assertThat(plan("deadline.enabled", "true").deadlines).isTrue();
  }

  @Test
  void runsInLocals_onTheCallerWithoutATimeoutOfEachAttempt_only() {
    assertThat(plan().runsOnCaller).isTrue();
    assertThat(plan().runsInLocals).isTrue();
    Plan limited = plan("retry.attemptTimeoutInMilliseconds", "5");
    assertThat(limited.runsOnCaller).isTrue();
    assertThat(limited.runsInLocals).isFalse();
    Plan elsewhere = plan(Reason.THREAD_POOL, Launchable::run);
    assertThat(elsewhere.runsOnCaller).isFalse();
    assertThat(elsewhere.runsInLocals).isFalse();
  }

  @Test
  void rejection_always_isNamedAfterWhatRefused() {
    Rejected byBulkhead = RejectedByBulkhead.on(0);
    assertThat(plan().rejection(byBulkhead)).isEqualTo(EventType.SEMAPHORE_REJECTED);
    assertThat(plan(Reason.THREAD_POOL, WorkStarter.ON_CALLER).rejection(byBulkhead))
        .isEqualTo(EventType.THREAD_POOL_REJECTED);
    RateGate rate = RateGate.of("Get", false, GateSettings.of().rate(), 0);
    assertThat(plan().rejection(new RejectedByRate(rate, 1))).isEqualTo(EventType.RATE_LIMITED);
  }

  @Test
  void lateness_belowTheTimeout_isOfTheDeadline() {
    Plan plan = plan("execution.isolation.thread.timeoutInMilliseconds", "7");
    assertThat(plan.lateness(7 * MS - 1)).isEqualTo(EventType.DEADLINE_EXCEEDED);
    assertThat(plan.lateness(7 * MS)).isEqualTo(EventType.TIMEOUT);
  }
}
