// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.PoolProperties;
import dev.tenrec.core.view.CollapserDetails;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.core.view.PoolDetails;
import java.io.IOException;
import java.time.Duration;

/** One event: the settings in force of every command, pool and collapser. */
public final class ConfigEvent {

  private ConfigEvent() {}

  /** As bytes of the wire. */
  public static byte[] of(Tenrec tenrec) {
    return new EventWriter()
        .event(
            json -> {
              json.writeStartObject();
              json.writeStringField("type", "HystrixConfig");
              json.writeObjectFieldStart("commands");
              for (CommandDetails command : tenrec.commands()) {
                json.writeObjectFieldStart(CleanName.of(command.key()));
                command(json, command, new InForce(tenrec, command.key()));
                json.writeEndObject();
              }
              json.writeEndObject();
              json.writeObjectFieldStart("threadpools");
              for (PoolDetails pool : tenrec.pools()) {
                json.writeObjectFieldStart(CleanName.of(pool.key()));
                pool(json, pool, new InForce(tenrec, pool.key()));
                json.writeEndObject();
              }
              json.writeEndObject();
              json.writeObjectFieldStart("collapsers");
              for (CollapserDetails collapser : tenrec.collapsers()) {
                json.writeObjectFieldStart(CleanName.of(collapser.key()));
                collapser(json, collapser, new InForce(tenrec, collapser.key()));
                json.writeEndObject();
              }
              json.writeEndObject();
              json.writeEndObject();
            })
        .bytes();
  }

  private static void command(JsonGenerator json, CommandDetails command, InForce settings)
      throws IOException {
    json.writeStringField("threadPoolKey", CleanName.ofPool(command));
    json.writeStringField("groupKey", CleanName.of(command.group()));
    json.writeObjectFieldStart("execution");
    json.writeStringField("isolationStrategy", settings.hystrixIsolation());
    String override = settings.orNull(CommandProperties.THREAD_POOL_KEY_OVERRIDE);
    json.writeStringField(
        "threadPoolKeyOverride", override == null ? null : CleanName.of(override));
    json.writeBooleanField(
        "requestCacheEnabled", settings.flag(CommandProperties.REQUEST_CACHE_ENABLED));
    json.writeBooleanField(
        "requestLogEnabled", settings.flag(CommandProperties.REQUEST_LOG_ENABLED));
    json.writeBooleanField("timeoutEnabled", settings.flag(CommandProperties.TIMEOUT_ENABLED));
    json.writeBooleanField("fallbackEnabled", settings.flag(CommandProperties.FALLBACK_ENABLED));
    json.writeNumberField("timeoutInMilliseconds", settings.millis(CommandProperties.TIMEOUT));
    json.writeNumberField("semaphoreSize", settings.permits());
    json.writeNumberField(
        "fallbackSemaphoreSize", settings.count(CommandProperties.FALLBACK_MAX_CONCURRENT));
    json.writeBooleanField(
        "threadInterruptOnTimeout", settings.flag(CommandProperties.INTERRUPT_ON_TIMEOUT));
    json.writeEndObject();
    json.writeObjectFieldStart("metrics");
    json.writeNumberField(
        "healthBucketSizeInMs", settings.millis(CommandProperties.HEALTH_INTERVAL));
    json.writeNumberField(
        "percentileBucketSizeInMilliseconds",
        settings.bucketMillis(
            CommandProperties.PERCENTILE_WINDOW, CommandProperties.PERCENTILE_BUCKETS));
    json.writeNumberField(
        "percentileBucketCount", settings.count(CommandProperties.PERCENTILE_BUCKETS));
    json.writeBooleanField(
        "percentileEnabled", settings.flag(CommandProperties.PERCENTILE_ENABLED));
    json.writeNumberField(
        "counterBucketSizeInMilliseconds",
        settings.bucketMillis(CommandProperties.ROLLING_WINDOW, CommandProperties.ROLLING_BUCKETS));
    json.writeNumberField("counterBucketCount", settings.count(CommandProperties.ROLLING_BUCKETS));
    json.writeEndObject();
    json.writeObjectFieldStart("circuitBreaker");
    json.writeBooleanField("enabled", settings.flag(CommandProperties.BREAKER_ENABLED));
    json.writeBooleanField("isForcedOpen", settings.flag(CommandProperties.FORCE_OPEN));
    json.writeBooleanField("isForcedClosed", settings.flag(CommandProperties.FORCE_CLOSED));
    json.writeNumberField(
        "requestVolumeThreshold", settings.count(CommandProperties.REQUEST_VOLUME_THRESHOLD));
    json.writeNumberField(
        "errorPercentageThreshold", settings.count(CommandProperties.ERROR_THRESHOLD_PERCENTAGE));
    json.writeNumberField("sleepInMilliseconds", settings.millis(CommandProperties.SLEEP_WINDOW));
    json.writeEndObject();
  }

  private static void pool(JsonGenerator json, PoolDetails pool, InForce settings)
      throws IOException {
    json.writeNumberField("coreSize", settings.count(PoolProperties.CORE_SIZE));
    json.writeNumberField("maximumSize", settings.count(PoolProperties.MAXIMUM_SIZE));
    json.writeNumberField("actualMaximumSize", pool.maximumSize());
    json.writeNumberField("maxQueueSize", settings.count(PoolProperties.MAX_QUEUE_SIZE));
    json.writeNumberField("queueRejectionThreshold", pool.queueCapacity());
    Duration keepAlive = settings.orNull(PoolProperties.KEEP_ALIVE);
    json.writeNumberField("keepAliveTimeInMinutes", keepAlive == null ? 0 : keepAlive.toMinutes());
    json.writeBooleanField(
        "allowMaximumSizeToDivergeFromCoreSize",
        settings.flag(PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE));
    json.writeNumberField(
        "counterBucketSizeInMilliseconds",
        settings.bucketMillis(PoolProperties.ROLLING_WINDOW, PoolProperties.ROLLING_BUCKETS));
    json.writeNumberField("counterBucketCount", settings.count(PoolProperties.ROLLING_BUCKETS));
  }

  private static void collapser(JsonGenerator json, CollapserDetails collapser, InForce settings)
      throws IOException {
    json.writeNumberField("maxRequestsInBatch", collapser.maxRequestsInBatch());
    json.writeNumberField("timerDelayInMilliseconds", collapser.timerDelayNanos() / 1_000_000);
    json.writeBooleanField("requestCacheEnabled", collapser.requestCacheEnabled());
    json.writeObjectFieldStart("metrics");
    json.writeNumberField(
        "percentileBucketSizeInMilliseconds",
        settings.bucketMillis(
            CollapserProperties.PERCENTILE_WINDOW, CollapserProperties.PERCENTILE_BUCKETS));
    json.writeNumberField(
        "percentileBucketCount", settings.count(CollapserProperties.PERCENTILE_BUCKETS));
    json.writeBooleanField(
        "percentileEnabled", settings.flag(CollapserProperties.PERCENTILE_ENABLED));
    json.writeNumberField(
        "counterBucketSizeInMilliseconds",
        settings.bucketMillis(
            CollapserProperties.ROLLING_WINDOW, CollapserProperties.ROLLING_BUCKETS));
    json.writeNumberField(
        "counterBucketCount", settings.count(CollapserProperties.ROLLING_BUCKETS));
    json.writeEndObject();
  }
}
