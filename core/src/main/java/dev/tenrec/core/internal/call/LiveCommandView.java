// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.gate.SemaphoreUser;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.CommandReading;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandSnapshot;
import dev.tenrec.metrics.view.CommandTotals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What publishers read of a command. */
record LiveCommandView(CommandRuntime runtime) implements CommandDetails, SemaphoreUser {

  @Override
  public String key() {
    return runtime.commandKey;
  }

  @Override
  public String group() {
    return runtime.group;
  }

  @Override
  public @Nullable String threadPoolKey() {
    Plan plan = runtime.plan();
    return plan.settings.isolationStrategy() == IsolationStrategy.THREAD
        ? runtime.bulkheads.poolKey(plan.settings)
        : null;
  }

  @Override
  public @Nullable String sharedSemaphore() {
    return runtime.settings().isolationStrategy() == IsolationStrategy.SEMAPHORE
        ? runtime.bulkheads.sharedSemaphore()
        : null;
  }

  @Override
  public long rollingCount(EventType event) {
    return runtime.metrics.rollingCount(event, now());
  }

  @Override
  public long cumulativeCount(EventType event) {
    return runtime.metrics.cumulativeCount(event);
  }

  @Override
  public CountsSnapshot counts() {
    return runtime.metrics.counts(now());
  }

  @Override
  public HealthSnapshot health() {
    return runtime.metrics.health(now());
  }

  @Override
  public LatencySnapshot executionLatency() {
    return runtime.metrics.executionLatency(now());
  }

  @Override
  public LatencySnapshot callerLatency() {
    return runtime.metrics.callerLatency(now());
  }

  @Override
  public LatencySnapshots latencies() {
    return runtime.metrics.latencies(now());
  }

  @Override
  public CommandTotals totals() {
    return runtime.metrics.totals(runtime.abandonedStages());
  }

  @Override
  public int concurrencyLimit() {
    return runtime.plan().bulkhead.limit();
  }

  @Override
  public int fallbackConcurrency() {
    return runtime.fallbackGate.inUse();
  }

  @Override
  public int fallbackConcurrencyLimit() {
    return runtime.fallbackGate.limit();
  }

  @Override
  public List<Transition> transitions() {
    return runtime.transitions();
  }

  @Override
  public @Nullable Instant nextTrialAt() {
    return switch (runtime.plan().breakerMode) {
      case GUARDING, OBSERVING -> runtime.breaker.nextTrialAt();
      case DISABLED, FORCED_OPEN, FORCED_CLOSED, OVER -> null;
    };
  }

  @Override
  public boolean isCallAllowed() {
    return switch (runtime.plan().breakerMode) {
      case GUARDING, OVER -> runtime.breaker.wouldAdmit(now());
      case FORCED_OPEN -> false;
      case DISABLED, FORCED_CLOSED, OBSERVING -> true;
    };
  }

  @Override
  public List<JournalEntry> journal() {
    List<JournalEntry> all =
        new ArrayList<>(runtime.engine.journal().entriesOf(runtime.commandKey));
    all.addAll(runtime.lastTrouble());
    all.sort(Comparator.comparingLong(JournalEntry::number));
    return all;
  }

  @Override
  public List<JournalEntry> lastTrouble() {
    return runtime.lastTrouble();
  }

  @Override
  public List<EffectiveSetting> settings() {
    return runtime.effective.effective();
  }

  @Override
  public String explain() {
    return Explanation.of(this, runtime.bulkheads, runtime::usedUpBudget);
  }

  @Override
  public int concurrency() {
    return runtime.inFlight();
  }

  @Override
  public int rollingMaxConcurrency() {
    return runtime.metrics.rollingMaxConcurrency(now());
  }

  @Override
  public CircuitState circuitState() {
    return switch (runtime.plan().breakerMode) {
      case DISABLED -> CircuitState.DISABLED;
      case FORCED_OPEN -> CircuitState.FORCED_OPEN;
      case FORCED_CLOSED -> CircuitState.FORCED_CLOSED;
      case GUARDING, OBSERVING, OVER -> runtime.breaker.state();
    };
  }

  @Override
  public int stillBusy() {
    return runtime.busyAfterAnswer();
  }

  @Override
  public long cumulativeAbandonedCount() {
    return runtime.abandonedStages();
  }

  @Override
  public long rollingWouldRefuseCount() {
    return runtime.metrics.rollingWouldRefuseCount(now());
  }

  @Override
  public long cumulativeWouldRefuseCount() {
    return runtime.metrics.cumulativeWouldRefuseCount();
  }

  @Override
  public CommandSnapshot snapshot() {
    CommandReading read = runtime.metrics.read(now(), runtime.abandonedStages());
    return new CommandSnapshot(
        key(),
        group(),
        threadPoolKey(),
        read.counts(),
        read.health(),
        read.latencies(),
        read.totals(),
        concurrency(),
        concurrencyLimit(),
        fallbackConcurrency(),
        fallbackConcurrencyLimit(),
        read.rollingMaxConcurrency(),
        circuitState(),
        stillBusy(),
        read.rollingWouldRefuse());
  }

  private long now() {
    return runtime.engine.ticker().nanoTime();
  }
}
