// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.core.view.PoolDetails;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.core.view.RetryBudgetDetails;
import dev.tenrec.core.view.SemaphoreDetails;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.view.CommandSnapshot;
import dev.tenrec.metrics.view.PoolSnapshot;
import dev.tenrec.metrics.view.PoolView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Views as maps of texts and numbers, so that any JSON writer makes the same of them. Times are in
 * ISO 8601, durations in milliseconds.
 */
final class Shown {

  private static final double NANOS_PER_MILLI = 1e6;

  private Shown() {}

  static Map<String, @Nullable Object> command(CommandDetails command) {
    CommandSnapshot now = command.snapshot();
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("key", now.key());
    shown.put("group", now.group());
    shown.put("pool", now.threadPoolKey());
    shown.put("circuit", now.circuitState().name());
    shown.put("nextTrialAt", text(command.nextTrialAt()));
    shown.put("health", health(now.health()));
    shown.put("rolling", counts(now.counts().rolling()));
    shown.put("total", counts(now.counts().cumulative()));
    shown.put("concurrency", now.concurrency());
    shown.put("concurrencyMax", now.rollingMaxConcurrency());
    shown.put("concurrencyLimit", now.concurrencyLimit());
    shown.put("fallbackConcurrency", now.fallbackConcurrency());
    shown.put("fallbackConcurrencyLimit", now.fallbackConcurrencyLimit());
    shown.put("stillBusy", now.stillBusy());
    shown.put("wouldRefuse", now.totals().wouldRefuse());
    shown.put("abandoned", now.totals().abandoned());
    shown.put("executionMillis", latency(now.latencies().execution()));
    shown.put("callerMillis", latency(now.latencies().caller()));
    return shown;
  }

  /** With all that is too much for a list. */
  static Map<String, @Nullable Object> wholeCommand(CommandDetails command) {
    Map<String, @Nullable Object> shown = command(command);
    shown.put("explanation", command.explain());
    shown.put("transitions", command.transitions().stream().map(Shown::transition).toList());
    shown.put("journal", journal(command.journal()));
    shown.put("settings", settings(command.settings()));
    return shown;
  }

  static Map<String, @Nullable Object> pool(PoolDetails pool) {
    PoolSnapshot now = pool.snapshot();
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("key", now.key());
    shown.put("active", now.active());
    shown.put("activeMax", now.rollingMaxActive());
    shown.put("threads", now.threads());
    shown.put("largestThreads", now.largestThreads());
    shown.put("coreSize", now.coreSize());
    shown.put("maximumSize", now.maximumSize());
    shown.put("queued", now.queued());
    boolean bounded = now.queueCapacity() != PoolView.UNBOUNDED;
    shown.put("queueCapacity", bounded ? (Object) now.queueCapacity() : "unbounded");
    shown.put("executed", now.cumulativeExecuted());
    shown.put("completed", now.cumulativeCompleted());
    shown.put("rejected", now.cumulativeRejected());
    shown.put("rollingExecuted", now.rollingExecuted());
    shown.put("rollingRejected", now.rollingRejected());
    return shown;
  }

  static Map<String, @Nullable Object> semaphore(SemaphoreDetails semaphore) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("key", semaphore.name());
    shown.put("concurrency", semaphore.inUse());
    shown.put("concurrencyLimit", semaphore.limit());
    return shown;
  }

  static Map<String, @Nullable Object> rateLimiter(RateLimiterDetails limiter) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("key", limiter.name());
    shown.put("available", limiter.available());
    shown.put("keys", limiter.keys());
    return shown;
  }

  static Map<String, @Nullable Object> retryBudget(RetryBudgetDetails budget) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("key", budget.name());
    shown.put("spent", budget.spent());
    shown.put("available", budget.available());
    shown.put("commands", budget.commands());
    return shown;
  }

  static Map<String, @Nullable Object> collapser(CollapserDetails collapser) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("key", collapser.key());
    shown.put("batches", collapser.cumulativeBatches());
    shown.put("members", collapser.cumulativeMembers());
    shown.put("cacheHits", collapser.cumulativeCacheHits());
    shown.put("rollingBatches", collapser.rollingBatches());
    shown.put("rollingMembers", collapser.rollingMembers());
    shown.put("batchSize", sizes(collapser.batchSize()));
    shown.put("maxRequestsInBatch", collapser.maxRequestsInBatch());
    shown.put("timerDelayMillis", collapser.timerDelayNanos() / NANOS_PER_MILLI);
    shown.put("requestCacheEnabled", collapser.requestCacheEnabled());
    return shown;
  }

  static Map<String, @Nullable Object> withSettings(
      Map<String, @Nullable Object> shown, List<EffectiveSetting> settings) {
    shown.put("settings", settings(settings));
    return shown;
  }

  static List<Map<String, @Nullable Object>> settings(List<EffectiveSetting> settings) {
    return settings.stream()
        .map(
            setting -> {
              Map<String, @Nullable Object> shown = new LinkedHashMap<>();
              shown.put("property", setting.property());
              shown.put("value", setting.value());
              shown.put("level", setting.level().name());
              SettingOrigin origin = setting.origin();
              if (origin != null) {
                shown.put("version", origin.version());
                shown.put("author", origin.author());
              }
              if (setting.refusal() != null) {
                shown.put("refused", setting.refusal().toString());
              }
              return shown;
            })
        .toList();
  }

  static List<Map<String, @Nullable Object>> journal(List<JournalEntry> entries) {
    return entries.stream()
        .map(
            entry -> {
              Map<String, @Nullable Object> shown = new LinkedHashMap<>();
              shown.put("number", entry.number());
              shown.put("at", entry.at().toString());
              shown.put("scope", entry.scope());
              shown.put("key", entry.key());
              shown.put("text", entry.text());
              return shown;
            })
        .toList();
  }

  private static Map<String, @Nullable Object> transition(Transition transition) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("number", transition.number());
    shown.put("at", transition.at().toString());
    shown.put("from", transition.from().name());
    shown.put("to", transition.to().name());
    shown.put("reason", transition.reason().name());
    shown.put("explanation", transition.explanation());
    return shown;
  }

  private static Map<String, Long> counts(EventCounts counts) {
    Map<String, Long> shown = new LinkedHashMap<>();
    for (EventType event : EventType.values()) {
      if (counts.get(event) != 0) {
        shown.put(event.name(), counts.get(event));
      }
    }
    return shown;
  }

  private static Map<String, Long> health(HealthSnapshot health) {
    Map<String, Long> shown = new LinkedHashMap<>();
    shown.put("total", health.total());
    shown.put("errors", health.errors());
    shown.put("slow", health.slow());
    shown.put("rejected", health.rejected());
    shown.put("troublePercentage", (long) health.troublePercentage());
    return shown;
  }

  private static Map<String, Object> latency(LatencySnapshot latency) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("count", latency.count());
    if (latency.count() > 0) {
      shown.put("mean", latency.meanNanos() / NANOS_PER_MILLI);
      for (int percentile : new int[] {50, 90, 99}) {
        shown.put("p" + percentile, latency.valueAtPercentile(percentile) / NANOS_PER_MILLI);
      }
      shown.put("max", latency.maxNanos() / NANOS_PER_MILLI);
    }
    return shown;
  }

  private static Map<String, Object> sizes(SizeSnapshot sizes) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("count", sizes.count());
    if (sizes.count() > 0) {
      shown.put("mean", sizes.mean());
      shown.put("max", sizes.max());
    }
    return shown;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
