// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.view.PoolSnapshot;
import dev.tenrec.metrics.view.PoolView;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;

/** Of pools, collapsers, what commands share by name, and of the whole. */
final class OtherInstruments {

  private final ObservableLongMeasurement poolThreads;
  private final ObservableLongMeasurement poolQueued;
  private final ObservableLongMeasurement poolSize;
  private final ObservableLongMeasurement poolExecuted;
  private final ObservableLongMeasurement poolCompleted;
  private final ObservableLongMeasurement poolRejected;
  private final ObservableLongMeasurement semaphoreConcurrency;
  private final ObservableLongMeasurement semaphoreLimit;
  private final ObservableLongMeasurement limiterAvailable;
  private final ObservableLongMeasurement limiterKeys;
  private final ObservableLongMeasurement budgetSpent;
  private final ObservableLongMeasurement budgetAvailable;
  private final ObservableLongMeasurement batches;
  private final ObservableLongMeasurement members;
  private final ObservableLongMeasurement cacheHits;
  private final ObservableLongMeasurement commands;
  private final ObservableLongMeasurement threads;
  private final ObservableLongMeasurement settingsRefused;
  private final ObservableLongMeasurement callbacksRefused;
  private final ObservableLongMeasurement settingsConnected;
  private final ObservableLongMeasurement settingsVersion;
  private final ObservableLongMeasurement settingsAlarms;

  OtherInstruments(Instruments make) {
    poolThreads = make.gauge("tenrec.pool.threads", "{thread}", "Threads, at work and idle");
    poolQueued =
        make.gauge("tenrec.pool.queued", "{execution}", "Executions that wait for a thread");
    poolSize =
        make.gauge(
            "tenrec.pool.size",
            "{place}",
            "How large it may get: core and maximum of the threads, and the queue if it has a"
                + " bound");
    poolExecuted =
        make.counter("tenrec.pool.executed", "{execution}", "Executions that a thread took up");
    poolCompleted =
        make.counter("tenrec.pool.completed", "{execution}", "Executions whose work has stopped");
    poolRejected =
        make.counter("tenrec.pool.rejected", "{execution}", "Executions that found the pool full");
    semaphoreConcurrency =
        make.gauge("tenrec.semaphore.concurrency", "{permit}", "Permits that are taken");
    semaphoreLimit =
        make.gauge("tenrec.semaphore.concurrency.limit", "{permit}", "How many permits there are");
    limiterAvailable =
        make.gauge(
            "tenrec.ratelimiter.available",
            "{permit}",
            "Permits that are saved up, of calls without a key");
    limiterKeys =
        make.gauge("tenrec.ratelimiter.keys", "{key}", "Keys that have a rate of their own");
    budgetSpent =
        make.gauge(
            "tenrec.retrybudget.spent",
            "{attempt}",
            "Retries and hedges that were drawn in the last ten seconds");
    budgetAvailable =
        make.gauge(
            "tenrec.retrybudget.available",
            "{attempt}",
            "Retries and hedges that could be drawn now");
    batches = make.counter("tenrec.collapser.batches", "{batch}", "Batches started");
    members =
        make.counter("tenrec.collapser.members", "{call}", "Calls that batches were started for");
    cacheHits =
        make.counter(
            "tenrec.collapser.cache.hits", "{call}", "Calls that the request cache answered");
    commands = make.gauge("tenrec.commands", "{command}", "How many commands there are");
    threads = make.gauge("tenrec.threads", "{thread}", "Threads that Tenrec has started");
    settingsRefused =
        make.counter("tenrec.settings.refused", "{setting}", "Values that were not taken over");
    callbacksRefused =
        make.counter("tenrec.callbacks.refused", "{task}", "Fallbacks that found no thread");
    settingsConnected =
        make.gauge("tenrec.settings.connected", "1", "1 while the settings' store is reached");
    settingsVersion =
        make.gauge("tenrec.settings.version", "1", "The version of its settings in force");
    settingsAlarms = make.gauge("tenrec.settings.alarms", "{alarm}", "What is wrong there");
  }

  void record(Tenrec tenrec) {
    tenrec.pools().forEach(this::record);
    tenrec.semaphores().forEach(this::record);
    tenrec.rateLimiters().forEach(this::record);
    tenrec.retryBudgets().forEach(this::record);
    tenrec.collapsers().forEach(this::record);
    commands.record(tenrec.commands().size());
    threads.record(tenrec.liveThreads());
    settingsRefused.record(tenrec.refusedSettings());
    callbacksRefused.record(tenrec.refusedCallbacks());
    tenrec.sourceStatus().ifPresent(this::record);
  }

  private void record(SourceStatus status) {
    settingsConnected.record(status.connected() ? 1 : 0);
    settingsVersion.record(status.version());
    settingsAlarms.record(status.alarms().size());
  }

  private void record(PoolDetails pool) {
    PoolSnapshot now = pool.snapshot();
    String key = Names.value(now.key());
    Attributes own = Attributes.of(Names.POOL, key);
    poolThreads.record(now.active(), Attributes.of(Names.POOL, key, Names.STATE, "active"));
    poolThreads.record(
        Math.max(0, now.threads() - now.active()), // two readings of a pool that works meanwhile
        Attributes.of(Names.POOL, key, Names.STATE, "idle"));
    poolQueued.record(now.queued(), own);
    poolSize.record(now.coreSize(), Attributes.of(Names.POOL, key, Names.KIND, "core"));
    poolSize.record(now.maximumSize(), Attributes.of(Names.POOL, key, Names.KIND, "maximum"));
    if (now.queueCapacity() != PoolView.UNBOUNDED) {
      poolSize.record(now.queueCapacity(), Attributes.of(Names.POOL, key, Names.KIND, "queue"));
    }
    poolExecuted.record(now.cumulativeExecuted(), own);
    poolCompleted.record(now.cumulativeCompleted(), own);
    poolRejected.record(now.cumulativeRejected(), own);
  }

  private void record(SemaphoreDetails semaphore) {
    Attributes own = Attributes.of(Names.SEMAPHORE, Names.value(semaphore.name()));
    semaphoreConcurrency.record(semaphore.inUse(), own);
    semaphoreLimit.record(semaphore.limit(), own);
  }

  private void record(RateLimiterDetails limiter) {
    Attributes own = Attributes.of(Names.RATE_LIMITER, Names.value(limiter.name()));
    limiterAvailable.record(limiter.available(), own);
    limiterKeys.record(limiter.keys(), own);
  }

  private void record(RetryBudgetDetails budget) {
    Attributes own = Attributes.of(Names.RETRY_BUDGET, Names.value(budget.name()));
    budgetSpent.record(budget.spent(), own);
    budgetAvailable.record(budget.available(), own);
  }

  private void record(CollapserDetails collapser) {
    Attributes own = Attributes.of(Names.COLLAPSER, Names.value(collapser.key()));
    batches.record(collapser.cumulativeBatches(), own);
    members.record(collapser.cumulativeMembers(), own);
    cacheHits.record(collapser.cumulativeCacheHits(), own);
  }
}
