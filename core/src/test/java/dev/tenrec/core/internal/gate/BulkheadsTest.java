// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.config.PoolSettings;
import dev.tenrec.core.internal.isolation.DaemonThreads;
import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.isolation.ThreadStartRetry;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.internal.isolation.WorkerPool;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.internal.launch.PoolRuntime;
import dev.tenrec.core.internal.launch.VirtualStarter;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BulkheadsTest {

  private final ManualTime time = new ManualTime();
  private final AtomicInteger wakings = new AtomicInteger();
  private final InFlightMonitor closing =
      new InFlightMonitor(
          time,
          new Waiter() {
            @Override
            public void awaitUntil(long deadlineNanos) {}

            @Override
            public void wake(Thread thread) {
              wakings.incrementAndGet();
            }
          });
  private final Map<String, PoolRuntime> pools = new HashMap<>();
  private final VirtualStarter virtual = new VirtualStarter(closing);
  private final SharedSemaphore shared = new SharedSemaphore("Shared", new Permits(2));
  private final Bulkheads own = bulkheads(null, null);
  private final Bulkheads sharing = bulkheads(shared, null);

  private Bulkheads bulkheads(@Nullable SharedSemaphore semaphore, @Nullable RateGate rate) {
    return new Bulkheads(
        "Get",
        "Pool",
        semaphore,
        rate,
        key -> pools.computeIfAbsent(key, this::pool),
        virtual,
        closing);
  }

  private PoolRuntime pool(String key) {
    PoolSettings settings = GateSettings.ofPool();
    DaemonThreads threads = new DaemonThreads(key, time, time);
    ThreadStartRetry aid =
        new ThreadStartRetry() {
          @Override
          public boolean later(Runnable attempt) {
            return false;
          }

          @Override
          public void failed(String what, Throwable thrown) {}
        };
    WorkerPool workers =
        new WorkerPool(key, PoolRuntime.limits(settings), threads, time, time, aid);
    return new PoolRuntime(key, settings, workers, threads, time);
  }

  private static CommandSettings semaphore(int permits) {
    return GateSettings.of(
        "execution.isolation.strategy",
        "SEMAPHORE",
        "execution.isolation.semaphore.maxConcurrentRequests",
        "" + permits);
  }

  private static CommandSettings thread() {
    return GateSettings.of("execution.isolation.strategy", "THREAD");
  }

  private static CommandSettings rated(String permits) {
    return GateSettings.of(
        "execution.isolation.strategy", "SEMAPHORE",
        "rateLimiter.enabled", "true",
        "rateLimiter.permits", permits);
  }

  private static void assertEnters(BulkheadGate gate) {
    assertThat(gate.enter()).isEqualTo(Permits.TAKEN);
  }

  // By which they are bounded.

  @Test
  void plan_ofASemaphore_boundsByPermitsOfItsOwn() {
    Plan plan = own.plan(semaphore(2), 0);
    assertThat(plan.starter).isSameAs(WorkStarter.ON_CALLER);
    assertThat(plan.rate).isNull();
    assertThat(plan.bulkhead.name()).isEqualTo("Get");
    assertThat(plan.bulkhead.reason()).isEqualTo(Reason.SEMAPHORE);
    assertThat(plan.bulkhead.rejection()).isEqualTo(EventType.SEMAPHORE_REJECTED);
    assertThat(plan.bulkhead.limit()).isEqualTo(2);
    assertThat(plan.bulkhead.own()).isNull();
    assertEnters(plan.bulkhead);
    assertThat(own.plan(semaphore(2), 0).bulkhead.permits()).isSameAs(plan.bulkhead.permits());
    assertThat(own.inUse()).isOne();
    assertThat(own.inUseOnCallers()).isOne();
  }

  @Test
  void plan_ofAPool_boundsByThePoolsPermits_andCountsItsOwn() {
    Plan plan = own.plan(thread(), 0);
    PoolRuntime pool = pools.get("Pool");
    assertThat(plan.starter).isSameAs(pool);
    assertThat(plan.bulkhead.permits()).isSameAs(pool.permits());
    assertThat(plan.bulkhead.name()).isEqualTo("Pool");
    assertThat(plan.bulkhead.reason()).isEqualTo(Reason.THREAD_POOL);
    assertThat(plan.bulkhead.rejection()).isEqualTo(EventType.THREAD_POOL_REJECTED);
    assertThat(pool.permits().tryTake()).as("another command's").isTrue();
    assertEnters(plan.bulkhead);
    assertThat(own.inUse()).isOne();
    assertThat(own.inUseOnCallers()).isZero();
    assertThat(own.plan(thread(), 0).bulkhead.own()).isSameAs(plan.bulkhead.own());
  }

  @Test
  void poolKey_overridden_isTheSettings() {
    assertThat(own.poolKey(thread())).isEqualTo("Pool");
    CommandSettings overridden = GateSettings.with(thread(), "threadPoolKeyOverride", "Other");
    assertThat(own.poolKey(overridden)).isEqualTo("Other");
    assertThat(own.plan(overridden, 0).bulkhead.name()).isEqualTo("Other");
  }

  @Test
  void plan_ofASharedSemaphore_boundsByThat_andCountsItsOwn() {
    Plan plan = sharing.plan(semaphore(9), 0);
    assertThat(plan.bulkhead.permits()).isSameAs(shared.permits());
    assertThat(plan.bulkhead.name()).isEqualTo("Shared");
    assertThat(shared.permits().tryTake()).as("another command's").isTrue();
    assertEnters(plan.bulkhead);
    assertThat(sharing.inUse()).isOne();
    assertThat(sharing.inUseOnCallers()).isOne();
    assertThat(plan.bulkhead.enter()).isNotEqualTo(Permits.TAKEN);
    assertThat(sharing.inUse()).as("what is refused is not counted").isOne();
    plan.bulkhead.leave();
    assertThat(sharing.inUse()).isZero();
    assertThat(shared.permits().inUse()).isOne();
  }

  @Test
  void plan_ofVirtualThreads_boundsByPermitsOfItsOwn_whereThereAreAny() {
    CommandSettings chosen =
        GateSettings.with(
            GateSettings.of("execution.isolation.virtualThread.maxConcurrentRequests", "2"),
            "isolationStrategy",
            IsolationStrategy.VIRTUAL_THREAD);
    if (!VirtualThreads.supported()) {
      assertThatThrownBy(() -> own.plan(chosen, 0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("Get: VIRTUAL_THREAD");
      return;
    }
    Plan plan = own.plan(chosen, 0);
    assertThat(plan.starter).isSameAs(virtual);
    assertThat(plan.bulkhead.limit()).isEqualTo(2);
    assertThat(plan.bulkhead.reason()).isEqualTo(Reason.VIRTUAL_THREAD);
    assertThat(plan.bulkhead.rejection()).isEqualTo(EventType.SEMAPHORE_REJECTED);
    assertThat(own.plan(chosen, 0).bulkhead.permits()).isSameAs(plan.bulkhead.permits());
    assertEnters(plan.bulkhead);
    assertThat(own.inUse()).isOne();
    assertThat(own.takeMaximum()).isOne();
    own.resize(
        GateSettings.with(
            GateSettings.of("execution.isolation.virtualThread.maxConcurrentRequests", "3"),
            "isolationStrategy",
            IsolationStrategy.VIRTUAL_THREAD),
        0);
    assertThat(plan.bulkhead.limit()).isEqualTo(3);
    own.shut();
    assertThat(own.isQuiet()).isFalse();
    plan.bulkhead.leave();
    assertThat(own.isQuiet()).isTrue();
  }

  @Test
  void plan_afterAnotherChoice_letsCallsLeaveWhereTheyEntered() {
    Plan before = own.plan(semaphore(2), 0);
    assertEnters(before.bulkhead);
    assertEnters(before.bulkhead);
    Plan after = own.plan(thread(), 0);
    assertEnters(after.bulkhead);
    assertThat(own.inUse()).isEqualTo(3);
    assertThat(own.takeMaximum()).isEqualTo(3);
    before.bulkhead.leave();
    after.bulkhead.leave();
    assertThat(own.inUse()).isOne();
    assertThat(pools.get("Pool").permits().inUse()).isZero();
    assertThat(own.takeMaximum()).as("since it was asked last").isEqualTo(3);
    assertThat(own.takeMaximum()).isOne();
  }

  @Test
  void inUseOnCallers_afterAnotherChoice_isWhatEnteredThere() {
    BulkheadGate onCallers = sharing.plan(semaphore(9), 0).bulkhead;
    assertEnters(onCallers);
    BulkheadGate onPool = sharing.plan(thread(), 0).bulkhead;
    assertThat(sharing.inUseOnCallers()).isOne();
    assertEnters(onPool);
    assertEnters(onPool);
    sharing.plan(semaphore(9), 0);
    assertThat(sharing.inUseOnCallers()).isOne();
    assertThat(sharing.inUse()).isEqualTo(3);
    onCallers.leave();
    assertThat(sharing.inUseOnCallers()).isZero();
    assertThat(sharing.inUse()).isEqualTo(2);
    sharing.shut();
    assertThat(sharing.isQuiet()).isFalse();
    onPool.leave();
    onPool.leave();
    assertThat(sharing.isQuiet()).isTrue();
    assertThat(sharing.takeMaximum()).isEqualTo(3);
  }

  // What a gate says of itself.

  @Test
  void isAlone_withOneInside_isTrue_withTwoNot() {
    BulkheadGate gate = own.plan(semaphore(3), 0).bulkhead;
    assertThat(gate.isAlone()).isTrue();
    assertEnters(gate);
    assertThat(gate.isAlone()).isTrue();
    assertEnters(gate);
    assertThat(gate.isAlone()).isFalse();
  }

  @Test
  void leave_always_notifiesTheClosingThread() {
    BulkheadGate gate = own.plan(semaphore(3), 0).bulkhead;
    assertEnters(gate);
    assertEnters(gate);
    gate.leave();
    assertThat(wakings).as("nobody closes").hasValue(0);

    closing.await(
        () -> {
          gate.leave();
          return true;
        },
        0);

    assertThat(wakings).hasValue(1);
  }

  @Test
  void refusal_always_saysWhatWasFullAndHow() {
    BulkheadGate gate = own.plan(semaphore(1), 0).bulkhead;
    assertEnters(gate);
    CommandRejectedException refusal =
        gate.refusal("Get", RejectedByBulkhead.on(gate.enter()), false);
    assertThat(refusal.reason()).isEqualTo(Reason.SEMAPHORE);
    assertThat(refusal.commandKey()).isEqualTo("Get");
    assertThat(refusal.limit()).isOne();
    assertThat(refusal.inUse()).isOne();
    assertThat(refusal.getStackTrace()).isEmpty();
    assertThat(gate.refusal("Get", RejectedByBulkhead.on(gate.enter()), true).getStackTrace())
        .isNotEmpty();
  }

  // Rates.

  @Test
  void plan_withARate_hasOneOfItsOwn_andKeepsIt() {
    Plan plan = own.plan(rated("5"), 0);
    assertThat(plan.rate).isNotNull();
    assertThat(plan.rate.name()).isEqualTo("Get");
    assertThat(plan.rate.isShared()).isFalse();
    assertThat(plan.rate.permits()).isEqualTo(5);
    assertThat(own.plan(rated("5"), 0).rate).isSameAs(plan.rate);
    assertThat(own.plan(semaphore(1), 0).rate).as("switched off").isNull();
  }

  @Test
  void resize_withARate_changesItsOwn_unlessItIsSwitchedOff() {
    Plan plan = own.plan(rated("5"), 0);
    assertThat(plan.rate).isNotNull();
    own.resize(GateSettings.of("rateLimiter.enabled", "false", "rateLimiter.permits", "6"), 0);
    assertThat(plan.rate.permits()).isEqualTo(5);
    own.resize(rated("7"), 0);
    assertThat(plan.rate.permits()).isEqualTo(7);
  }

  @Test
  void resize_withASharedRate_leavesItToItsOwnSettings() {
    RateGate rate = RateGate.of("Rate", true, rated("5").rate(), 0);
    Bulkheads sharingRate = bulkheads(null, rate);
    assertThat(sharingRate.plan(rated("7"), 0).rate).isSameAs(rate);
    sharingRate.resize(rated("7"), 0);
    assertThat(rate.permits()).isEqualTo(5);
  }

  // Sizes.

  @Test
  void resize_ofASemaphore_countsForPlansThereAre() {
    own.resize(semaphore(5), 0); // before there is one
    BulkheadGate gate = own.plan(semaphore(1), 0).bulkhead;
    own.resize(thread(), 0);
    assertThat(gate.limit()).isOne();
    own.resize(semaphore(3), 0);
    assertThat(gate.limit()).isEqualTo(3);
  }

  // Closing.

  @Test
  void closed_always_refusesEverything() {
    Plan closed = own.closed(semaphore(5));
    assertThat(closed.starter).isSameAs(WorkStarter.ON_CALLER);
    assertThat(closed.rate).isNull();
    assertThat(closed.bulkhead.enter()).isNotEqualTo(Permits.TAKEN);
    assertThat(closed.bulkhead.reason()).isEqualTo(Reason.CLOSED);
    assertThat(closed.bulkhead.name()).isEqualTo("Get");
  }

  /** Else it would never say that it is closed, where its circuit is open. */
  @Test
  void closed_always_asksNoCircuit() {
    assertThat(own.closed(semaphore(5)).breakerMode).isEqualTo(Plan.BreakerMode.OVER);
  }

  @Test
  void shut_withACallInside_isQuietOnceThatHasLeft() {
    BulkheadGate gate = own.plan(semaphore(2), 0).bulkhead;
    assertEnters(gate);
    own.shut();
    assertThat(gate.enter()).isNotEqualTo(Permits.TAKEN);
    assertThat(own.isQuiet()).isFalse();
    gate.leave();
    assertThat(own.isQuiet()).isTrue();
  }

  @Test
  void shut_withACallOnAPool_isQuietOnceThatHasLeft() {
    BulkheadGate gate = own.plan(thread(), 0).bulkhead;
    assertEnters(gate);
    own.shut();
    assertThat(own.isQuiet()).isFalse();
    gate.leave();
    assertThat(own.isQuiet()).isTrue();
  }

  @Test
  void isQuiet_withASharedSemaphore_waitsForTheOthersOnlyIfItIsShutToo() {
    BulkheadGate gate = sharing.plan(semaphore(2), 0).bulkhead;
    assertThat(shared.permits().tryTake()).as("another command's").isTrue();
    sharing.shut();
    assertThat(shared.permits().limit()).as("for its other users").isEqualTo(2);
    assertThat(sharing.isQuiet()).isTrue();
    assertEnters(gate);
    assertThat(sharing.isQuiet()).isFalse();
    gate.leave();
    shared.permits().resize(0);
    assertThat(sharing.isQuiet()).isFalse();
    shared.permits().give();
    assertThat(sharing.isQuiet()).isTrue();
  }

  @Test
  void shut_withNothingChosenYet_isQuiet() {
    own.shut();
    assertThat(own.isQuiet()).isTrue();
    assertThat(own.inUse()).isZero();
    assertThat(own.takeMaximum()).isZero();
    assertThat(own.inUseOnCallers()).isZero();
  }
}
