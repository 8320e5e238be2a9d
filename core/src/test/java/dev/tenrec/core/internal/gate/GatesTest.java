// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.Launchable;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandMetrics;
import dev.tenrec.metrics.internal.MetricsSettings;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a call holds after each gate that refuses it. */
class GatesTest {

  private static final long MS = 1_000_000;
  private static final long SLEEP = 5_000 * MS;

  private final ManualTime time = new ManualTime();
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
  private final Permits permits = new Permits(1);
  private final List<Long> refused = new ArrayList<>();
  private final WorkStarter starter =
      new WorkStarter() {
        @Override
        public void start(Launchable execution) {
          execution.run();
        }

        @Override
        public void refused(long now) {
          refused.add(now);
        }
      };

  private Gates<String> gates(@Nullable Function<String, @Nullable Object> rateKey) {
    return new Gates<>(new BreakerGate("Get", breaker, metrics, now -> {}), rateKey);
  }

  private Plan plan(@Nullable RateGate rate) {
    return new Plan(
        GateSettings.of(),
        rate,
        new BulkheadGate(permits, null, Reason.SEMAPHORE, "Get", new InFlightMonitor(time, time)),
        starter);
  }

  private static RateGate rate(String permits) {
    return RateGate.of(
        "Rate",
        true,
        GateSettings.of("rateLimiter.permits", permits, "rateLimiter.periodInMilliseconds", "1000")
            .rate(),
        0);
  }

  /** So that a call is the one trial there may be. */
  private void open() {
    breaker.evaluate(breaker.unrefused(), new HealthSnapshot(20, 20, 0), 0);
  }

  private void assertThatNoTrialIsOut(long now) {
    Permission next = breaker.admit(now);
    assertThat(CircuitBreaker.isTrial(next)).isTrue();
    breaker.released(next, now);
  }

  @Test
  void enter_throughAll_holdsAPermit() {
    Gates<String> gates = gates(null);
    assertThat(gates.enter(plan(rate("1")), "a", 0)).isSameAs(breaker.unrefused());
    assertThat(permits.inUse()).isOne();
    assertThat(gates.limitRateByKey()).isFalse();
    assertThat(gates(key -> key).limitRateByKey()).isTrue();
  }

  @Test
  void enter_refusedByTheBreaker_spendsNothing() {
    open();
    RateGate rate = rate("1");
    assertThat(gates(null).enter(plan(rate), "a", 1)).isInstanceOf(Refused.class);
    assertThat(rate.left(1)).isOne();
    assertThat(permits.inUse()).isZero();
  }

  @Test
  void enter_refusedByTheRate_handsTheTrialBack() {
    open();
    RateGate rate = rate("1");
    assertThat(rate.enter(SLEEP)).isNull();
    Permission permission = gates(null).enter(plan(rate), "a", SLEEP + 1);
    assertThat(permission)
        .isInstanceOfSatisfying(
            RejectedByRate.class,
            rejected -> {
              assertThat(rejected.gate()).isSameAs(rate);
              assertThat(rejected.waitNanos()).isEqualTo(1_000 * MS - 1);
            });
    assertThat(permits.inUse()).isZero();
    assertThatNoTrialIsOut(SLEEP + 1);
    assertThat(refused).isEmpty();
  }

  @Test
  void enter_byKey_asksTheRateOfTheKey() {
    Gates<String> gates = gates(argument -> argument.substring(0, 1));
    RateGate rate = rate("1");
    Plan plan = plan(rate);
    assertThat(gates.enter(plan, "a1", 0)).isSameAs(breaker.unrefused());
    permits.give();
    assertThat(gates.enter(plan, "a2", 0)).isInstanceOf(RejectedByRate.class);
    assertThat(gates.enter(plan, "b1", 0)).isSameAs(breaker.unrefused());
    assertThat(rate.left(0)).as("of calls without a key").isOne();
    assertThat(rate.keyCount()).isEqualTo(2);
  }

  @Test
  void enter_whoseKeyThrows_handsTheTrialBack() {
    open();
    Gates<String> gates =
        gates(
            argument -> {
              throw new IllegalStateException("of the key");
            });
    assertThatThrownBy(() -> gates.enter(plan(rate("1")), "a", SLEEP)).hasMessage("of the key");
    assertThat(permits.inUse()).isZero();
    assertThatNoTrialIsOut(SLEEP);
  }

  @Test
  void enter_refusedByTheBulkhead_handsTheTrialBack() {
    open();
    assertThat(permits.tryTake()).isTrue();
    Permission permission = gates(null).enter(plan(null), "a", SLEEP);
    assertThat(permission)
        .isInstanceOfSatisfying(
            RejectedByBulkhead.class,
            rejected -> {
              assertThat(Permits.limitOf(rejected.figures())).isOne();
              assertThat(Permits.inUseOf(rejected.figures())).isOne();
            });
    assertThatNoTrialIsOut(SLEEP);
    assertThat(refused).as("the starter counts it").containsExactly(SLEEP);
  }

  @Test
  void leaveBreaker_ofATrial_handsItsPlaceBack() {
    open();
    Gates<String> gates = gates(null);
    Permission trial = gates.enter(plan(null), "a", SLEEP);
    gates.leaveBreaker(trial, SLEEP);
    assertThatNoTrialIsOut(SLEEP);
  }

  // What refusals say.

  @Test
  void refusal_byTheRate_saysWhenTheNextPermitComes() {
    CommandRejectedException refusal =
        new RejectedByRate(rate("4"), 250 * MS).refusal("Get", false);
    assertThat(refusal.reason()).isEqualTo(Reason.RATE_LIMITER);
    assertThat(refusal.bulkhead()).isEqualTo("Rate");
    assertThat(refusal.limit()).isEqualTo(4);
    assertThat(refusal.untilNextPermit()).isEqualTo(Duration.ofMillis(250));
    assertThat(refusal.commandKey()).isEqualTo("Get");
    assertThat(refusal.getStackTrace()).isEmpty();
    assertThat(new RejectedByRate(rate("4"), 1).refusal("Get", true).getStackTrace()).isNotEmpty();
  }

  @Test
  void refusals_withTheSameFigures_areOneObject() {
    RejectedByBulkhead first = RejectedByBulkhead.on(5L << 32 | 5);
    assertThat(first.figures()).isEqualTo(5L << 32 | 5);
    assertThat(RejectedByBulkhead.on(5L << 32 | 5)).isSameAs(first);
    for (long limit = 0; limit < 600; limit++) {
      for (long inUse = limit; inUse < limit + 2; inUse++) {
        long figures = limit << 32 | inUse;
        RejectedByBulkhead refused = RejectedByBulkhead.on(figures);
        assertThat(refused.figures()).isEqualTo(figures);
        assertThat(RejectedByBulkhead.on(figures)).isSameAs(refused);
      }
    }
  }

  /** As where several commands are refused in turn. */
  @Test
  void refusals_ofSmallLimitsInTurn_areNotMadeAnew() {
    List<RejectedByBulkhead> kept = new ArrayList<>();
    for (long limit = 1; limit <= 15; limit++) {
      kept.add(RejectedByBulkhead.on(limit << 32 | limit));
    }
    for (long limit = 1; limit <= 15; limit++) {
      assertThat(RejectedByBulkhead.on(limit << 32 | limit)).isSameAs(kept.get((int) limit - 1));
    }
  }

  @Test
  void change_ofARate_countsFromThen() {
    RateGate rate = rate("1");
    assertThat(rate.permits()).isOne();
    rate.change(
        GateSettings.of(
                "rateLimiter.permits", "3",
                "rateLimiter.periodInMilliseconds", "1000",
                "rateLimiter.maxKeys", "1")
            .rate(),
        0);
    assertThat(rate.permits()).isEqualTo(3);
    assertThat(rate.left(0)).isEqualTo(3);
    assertThat(rate.enter("a", 0)).isNull();
    assertThat(rate.enter("b", 0)).isNull();
    assertThat(rate.keyCount()).isOne();
  }

  @Test
  void enter_ofOneKey_isRefusedUntilItsNextPermit() {
    RateGate rate = rate("1");
    assertThat(rate.enter("a", 0)).isNull();
    RejectedByRate rejected = rate.enter("a", 1);
    assertThat(rejected).isNotNull();
    assertThat(rejected.waitNanos()).isEqualTo(1_000 * MS - 1);
  }
}
