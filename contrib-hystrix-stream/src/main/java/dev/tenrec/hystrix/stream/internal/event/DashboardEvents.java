// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CollapserSnapshot;
import dev.tenrec.metrics.view.CommandSnapshot;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.function.DoubleToLongFunction;

/** An event of each command, then of each pool, then of each collapser. */
public final class DashboardEvents {

  private static final double[] PERCENTILES = {0, 25, 50, 75, 90, 95, 99, 99.5, 100};

  /** A counted event and its field. */
  private record Count(EventType event, String field) {}

  /** In Hystrix's order. It has none of the other events. */
  private static final List<Count> COUNTS =
      List.of(
          new Count(EventType.BAD_REQUEST, "rollingCountBadRequests"),
          new Count(EventType.COLLAPSED, "rollingCountCollapsedRequests"),
          new Count(EventType.EMIT, "rollingCountEmit"),
          new Count(EventType.EXCEPTION_THROWN, "rollingCountExceptionsThrown"),
          new Count(EventType.FAILURE, "rollingCountFailure"),
          new Count(EventType.FALLBACK_EMIT, "rollingCountFallbackEmit"),
          new Count(EventType.FALLBACK_FAILURE, "rollingCountFallbackFailure"),
          new Count(EventType.FALLBACK_MISSING, "rollingCountFallbackMissing"),
          new Count(EventType.FALLBACK_REJECTION, "rollingCountFallbackRejection"),
          new Count(EventType.FALLBACK_SUCCESS, "rollingCountFallbackSuccess"),
          new Count(EventType.RESPONSE_FROM_CACHE, "rollingCountResponsesFromCache"),
          new Count(EventType.SEMAPHORE_REJECTED, "rollingCountSemaphoreRejected"),
          new Count(EventType.SHORT_CIRCUITED, "rollingCountShortCircuited"),
          new Count(EventType.SUCCESS, "rollingCountSuccess"),
          new Count(EventType.THREAD_POOL_REJECTED, "rollingCountThreadPoolRejected"),
          new Count(EventType.TIMEOUT, "rollingCountTimeout"));

  private DashboardEvents() {}

  /** As bytes of the wire; empty while there is no command. */
  public static byte[] of(Tenrec tenrec, long nowMillis) {
    EventWriter events = new EventWriter();
    for (CommandView command : tenrec.commands()) {
      CommandSnapshot snapshot = command.snapshot();
      events.event(json -> command(json, snapshot, new InForce(tenrec, snapshot.key()), nowMillis));
    }
    tenrec
        .pools()
        .forEach(
            pool -> {
              PoolSnapshot snapshot = pool.snapshot();
              events.event(
                  json -> pool(json, snapshot, new InForce(tenrec, snapshot.key()), nowMillis));
            });
    tenrec
        .collapsers()
        .forEach(
            collapser -> {
              CollapserSnapshot snapshot = collapser.snapshot();
              events.event(json -> collapser(json, snapshot, nowMillis));
            });
    return events.bytes();
  }

  private static void command(
      JsonGenerator json, CommandSnapshot command, InForce settings, long nowMillis)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "HystrixCommand");
    json.writeStringField("name", CleanName.of(command.key()));
    json.writeStringField("group", CleanName.of(command.group()));
    json.writeNumberField("currentTime", nowMillis);
    json.writeBooleanField("isCircuitBreakerOpen", isOpen(command.circuitState()));
    HealthSnapshot health = command.health();
    json.writeNumberField("errorPercentage", health.errorPercentage());
    json.writeNumberField("errorCount", health.errors());
    json.writeNumberField("requestCount", health.total());
    EventCounts rolling = command.counts().rolling();
    for (Count count : COUNTS) {
      json.writeNumberField(count.field(), rolling.get(count.event()));
    }
    json.writeNumberField("currentConcurrentExecutionCount", command.concurrency());
    json.writeNumberField("rollingMaxConcurrentExecutionCount", command.rollingMaxConcurrency());
    latency(json, "latencyExecute", command.latencies().execution());
    latency(json, "latencyTotal", command.latencies().caller());
    properties(json, settings);
    json.writeNumberField("reportingHosts", 1);
    json.writeStringField("threadPool", CleanName.ofPool(command));
    json.writeEndObject();
  }

  private static boolean isOpen(CircuitState state) {
    return state == CircuitState.OPEN
        || state == CircuitState.HALF_OPEN
        || state == CircuitState.FORCED_OPEN;
  }

  private static void latency(JsonGenerator json, String name, LatencySnapshot latency)
      throws IOException {
    json.writeNumberField(name + "_mean", Math.round(latency.meanNanos() / 1e6));
    json.writeObjectFieldStart(name);
    percentiles(json, 0, at -> Math.round(latency.valueAtPercentile(at) / 1e6));
    json.writeEndObject();
  }

  private static void percentiles(JsonGenerator json, int first, DoubleToLongFunction value)
      throws IOException {
    for (int i = first; i < PERCENTILES.length; i++) {
      double at = PERCENTILES[i];
      String name = at == Math.rint(at) ? Long.toString((long) at) : Double.toString(at);
      json.writeNumberField(name, value.applyAsLong(at));
    }
  }

  private static void properties(JsonGenerator json, InForce settings) throws IOException {
    String p = "propertyValue_";
    json.writeNumberField(
        p + "circuitBreakerRequestVolumeThreshold",
        settings.count(CommandProperties.REQUEST_VOLUME_THRESHOLD));
    json.writeNumberField(
        p + "circuitBreakerSleepWindowInMilliseconds",
        settings.millis(CommandProperties.SLEEP_WINDOW));
    json.writeNumberField(
        p + "circuitBreakerErrorThresholdPercentage",
        settings.count(CommandProperties.ERROR_THRESHOLD_PERCENTAGE));
    json.writeBooleanField(
        p + "circuitBreakerForceOpen", settings.flag(CommandProperties.FORCE_OPEN));
    json.writeBooleanField(
        p + "circuitBreakerForceClosed", settings.flag(CommandProperties.FORCE_CLOSED));
    json.writeBooleanField(
        p + "circuitBreakerEnabled", settings.flag(CommandProperties.BREAKER_ENABLED));
    json.writeStringField(p + "executionIsolationStrategy", settings.hystrixIsolation());
    json.writeNumberField(
        p + "executionIsolationThreadTimeoutInMilliseconds",
        settings.millis(CommandProperties.TIMEOUT));
    json.writeNumberField(
        p + "executionTimeoutInMilliseconds", settings.millis(CommandProperties.TIMEOUT));
    json.writeBooleanField(
        p + "executionIsolationThreadInterruptOnTimeout",
        settings.flag(CommandProperties.INTERRUPT_ON_TIMEOUT));
    String override = settings.orNull(CommandProperties.THREAD_POOL_KEY_OVERRIDE);
    json.writeStringField(
        p + "executionIsolationThreadPoolKeyOverride",
        override == null ? null : CleanName.of(override));
    json.writeNumberField(
        p + "executionIsolationSemaphoreMaxConcurrentRequests", settings.permits());
    json.writeNumberField(
        p + "fallbackIsolationSemaphoreMaxConcurrentRequests",
        settings.count(CommandProperties.FALLBACK_MAX_CONCURRENT));
    json.writeNumberField(
        p + "metricsRollingStatisticalWindowInMilliseconds",
        settings.millis(CommandProperties.ROLLING_WINDOW));
    json.writeBooleanField(
        p + "requestCacheEnabled", settings.flag(CommandProperties.REQUEST_CACHE_ENABLED));
    json.writeBooleanField(
        p + "requestLogEnabled", settings.flag(CommandProperties.REQUEST_LOG_ENABLED));
  }

  private static void pool(JsonGenerator json, PoolSnapshot pool, InForce settings, long nowMillis)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "HystrixThreadPool");
    json.writeStringField("name", CleanName.of(pool.key()));
    json.writeNumberField("currentTime", nowMillis);
    json.writeNumberField("currentActiveCount", pool.active());
    json.writeNumberField("currentCompletedTaskCount", pool.cumulativeCompleted());
    json.writeNumberField("currentCorePoolSize", pool.coreSize());
    json.writeNumberField("currentLargestPoolSize", pool.largestThreads());
    json.writeNumberField("currentMaximumPoolSize", pool.maximumSize());
    json.writeNumberField("currentPoolSize", pool.threads());
    json.writeNumberField("currentQueueSize", pool.queued());
    json.writeNumberField(
        "currentTaskCount", pool.cumulativeCompleted() + pool.active() + pool.queued());
    json.writeNumberField("rollingCountThreadsExecuted", pool.rollingExecuted());
    json.writeNumberField("rollingMaxActiveThreads", pool.rollingMaxActive());
    json.writeNumberField("rollingCountCommandRejections", pool.rollingRejected());
    json.writeNumberField("propertyValue_queueSizeRejectionThreshold", pool.queueCapacity());
    json.writeNumberField(
        "propertyValue_metricsRollingStatisticalWindowInMilliseconds",
        settings.millis(PoolProperties.ROLLING_WINDOW));
    json.writeNumberField("reportingHosts", 1);
    json.writeEndObject();
  }

  private static void collapser(JsonGenerator json, CollapserSnapshot collapser, long nowMillis)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "HystrixCollapser");
    json.writeStringField("name", CleanName.of(collapser.key()));
    json.writeNumberField("currentTime", nowMillis);
    json.writeNumberField("rollingCountRequestsBatched", collapser.rollingMembers());
    json.writeNumberField("rollingCountBatches", collapser.rollingBatches());
    json.writeNumberField("rollingCountResponsesFromCache", collapser.rollingCacheHits());
    SizeSnapshot sizes = collapser.batchSize();
    json.writeNumberField("batchSize_mean", Math.round(sizes.mean()));
    json.writeObjectFieldStart("batchSize");
    percentiles(json, 1, sizes::valueAtPercentile);
    json.writeEndObject();
    json.writeBooleanField("propertyValue_requestCacheEnabled", collapser.requestCacheEnabled());
    json.writeNumberField("propertyValue_maxRequestsInBatch", collapser.maxRequestsInBatch());
    json.writeNumberField(
        "propertyValue_timerDelayInMilliseconds", collapser.timerDelayNanos() / 1_000_000);
    json.writeNumberField("reportingHosts", 1);
    json.writeEndObject();
  }
}
