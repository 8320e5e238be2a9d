// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.view.CommandSnapshot;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link Sizing} says of the figures as they are now, which may be no good ones. */
final class Suggestion {

  /** Fewer say nothing of a 99.5th percentile. */
  private static final int FEWEST = 200;

  /** What came to the bulkhead: it was let through and ended, or found no room. */
  private static final List<EventType> ARRIVALS =
      List.of(
          EventType.SUCCESS,
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.DEADLINE_EXCEEDED,
          EventType.BAD_REQUEST,
          EventType.THREAD_POOL_REJECTED,
          EventType.SEMAPHORE_REJECTED);

  private Suggestion() {}

  static void write(JsonGenerator json, Tenrec tenrec, CommandSnapshot now) throws IOException {
    json.writeObjectFieldStart("sizing");
    Duration window = inForce(tenrec, CommandProperties.ROLLING_WINDOW, now.key());
    Integer threshold = inForce(tenrec, CommandProperties.ERROR_THRESHOLD_PERCENTAGE, now.key());
    LatencySnapshot latency = now.latencies().execution();
    long arrivals = arrivals(now.counts().rolling());
    json.writeNumberField("measured", latency.count());
    json.writeNumberField("needed", FEWEST);
    if (arrivals > 0 && latency.count() >= FEWEST && window != null && threshold != null) {
      BigDecimal perSecond =
          BigDecimal.valueOf(arrivals)
              .divide(BigDecimal.valueOf(window.toMillis(), 3), 3, RoundingMode.UP);
      long p99 = Math.max(1, latency.valueAtPercentile(99));
      long p995 = Math.max(p99, latency.valueAtPercentile(99.5));
      json.writeNumberField("perSecond", perSecond);
      json.writeNumberField("p99Nanos", p99);
      json.writeNumberField("p995Nanos", p995);
      json.writeNumberField("tolerated", threshold);
      json.writeBooleanField("healthy", now.health().troublePercentage() < threshold);
      Sizing sizing =
          Sizing.of(
              perSecond,
              Duration.ofNanos(p99),
              Duration.ofNanos(p995),
              BigDecimal.valueOf(Math.max(1, threshold), 2));
      json.writeNumberField("coreSize", sizing.coreSize());
      json.writeNumberField("maximumSize", sizing.maximumSize());
      json.writeNumberField("queueSize", sizing.queueSize());
      json.writeNumberField("timeoutMillis", sizing.timeout().toMillis());
      json.writeNumberField("fallbackPermits", sizing.fallbackPermits());
    }
    json.writeEndObject();
  }

  private static long arrivals(EventCounts counts) {
    return ARRIVALS.stream().mapToLong(counts::get).sum();
  }

  private static <T> @Nullable T inForce(Tenrec tenrec, Property<T> property, String key) {
    T value = tenrec.setting(property, key);
    return value != null ? value : property.defaultValue();
  }
}
