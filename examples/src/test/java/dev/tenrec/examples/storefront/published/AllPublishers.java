// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.console.Console;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.StreamKind;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.micrometer.TenrecMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;

/** Every publisher there is on one Tenrec, and what each of them says of its commands. */
final class AllPublishers implements AutoCloseable {

  /** What {@code hystrix.stream} knows, by its field. */
  static final Map<String, EventType> OF_THE_STREAM =
      Map.ofEntries(
          Map.entry("rollingCountBadRequests", EventType.BAD_REQUEST),
          Map.entry("rollingCountCollapsedRequests", EventType.COLLAPSED),
          Map.entry("rollingCountEmit", EventType.EMIT),
          Map.entry("rollingCountExceptionsThrown", EventType.EXCEPTION_THROWN),
          Map.entry("rollingCountFailure", EventType.FAILURE),
          Map.entry("rollingCountFallbackEmit", EventType.FALLBACK_EMIT),
          Map.entry("rollingCountFallbackFailure", EventType.FALLBACK_FAILURE),
          Map.entry("rollingCountFallbackMissing", EventType.FALLBACK_MISSING),
          Map.entry("rollingCountFallbackRejection", EventType.FALLBACK_REJECTION),
          Map.entry("rollingCountFallbackSuccess", EventType.FALLBACK_SUCCESS),
          Map.entry("rollingCountResponsesFromCache", EventType.RESPONSE_FROM_CACHE),
          Map.entry("rollingCountSemaphoreRejected", EventType.SEMAPHORE_REJECTED),
          Map.entry("rollingCountShortCircuited", EventType.SHORT_CIRCUITED),
          Map.entry("rollingCountSuccess", EventType.SUCCESS),
          Map.entry("rollingCountThreadPoolRejected", EventType.THREAD_POOL_REJECTED),
          Map.entry("rollingCountTimeout", EventType.TIMEOUT));

  private static final ObjectMapper JSON = new ObjectMapper();

  final Tenrec tenrec;
  final FlightRecords flight;
  final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final SimpleMeterRegistry plain = new SimpleMeterRegistry();
  final HystrixStream stream;
  final Console console;
  final Page page;
  final Otlp otlp;
  private final TenrecMetrics metrics;

  AllPublishers(Tenrec tenrec, Path directory) throws Exception {
    this.tenrec = tenrec;
    flight = new FlightRecords(directory);
    metrics = TenrecMetrics.of(tenrec);
    metrics.bindTo(prometheus);
    metrics.bindTo(plain);
    stream = HystrixStream.builder(tenrec).interval(Duration.ofMillis(50)).build();
    console = Console.start(tenrec, 0);
    page = new Page(console.uri().resolve("stream"));
    otlp = new Otlp(tenrec);
  }

  /** Each has the names of all events, so that none is left out of a comparison. */
  private static Map<String, EventCounts> whole(Map<String, Map<String, Long>> counts) {
    Map<String, EventCounts> all = new TreeMap<>();
    counts.forEach(
        (key, events) ->
            all.put(key, EventCounts.of(event -> events.getOrDefault(event.name(), 0L))));
    return all;
  }

  private static void add(
      Map<String, Map<String, Long>> counts, String command, String event, double count) {
    counts
        .computeIfAbsent(command, key -> new TreeMap<>())
        .merge(event.toUpperCase(Locale.ROOT), (long) count, Long::sum);
  }

  Map<String, EventCounts> views() {
    Map<String, EventCounts> all = new TreeMap<>();
    for (CommandDetails command : tenrec.commands()) {
      all.put(command.key(), EventCounts.of(command::cumulativeCount));
    }
    return all;
  }

  Map<String, EventCounts> scraped() {
    Map<String, Map<String, Long>> counts = new TreeMap<>();
    for (MetricSnapshot metric : prometheus.getPrometheusRegistry().scrape()) {
      if (metric.getMetadata().getName().equals("tenrec_command_events")) {
        for (var point : ((CounterSnapshot) metric).getDataPoints()) {
          Labels labels = point.getLabels();
          add(counts, labels.get("command"), labels.get("event"), point.getValue());
        }
      }
    }
    return whole(counts);
  }

  Map<String, EventCounts> metered() {
    Map<String, Map<String, Long>> counts = new TreeMap<>();
    for (FunctionCounter counter : plain.find("tenrec.command.events").functionCounters()) {
      add(
          counts,
          counter.getId().getTag("command"),
          counter.getId().getTag("event"),
          counter.count());
    }
    return whole(counts);
  }

  Map<String, EventCounts> exported(List<Metric> export) {
    Map<String, Map<String, Long>> counts = new TreeMap<>();
    for (Metric metric : export) {
      if (metric.getName().equals("tenrec.command.events")) {
        for (var point : metric.getSum().getDataPointsList()) {
          add(
              counts,
              Otlp.attribute(point.getAttributesList(), "tenrec.command.name"),
              Otlp.attribute(point.getAttributesList(), "tenrec.event"),
              point.getAsInt());
        }
      }
    }
    return whole(counts);
  }

  Map<String, EventCounts> shown() {
    return whole(page.counts());
  }

  Map<String, EventCounts> recorded(List<RecordedEvent> events) {
    return whole(FlightRecords.counts(events));
  }

  /** What a client of {@code hystrix.stream} reads that comes now. */
  Map<String, EventCounts> streamed() throws IOException {
    Map<String, Map<String, Long>> counts = new TreeMap<>();
    String reading =
        stream
            .open(StreamKind.DASHBOARD)
            .orElseThrow()
            .map(part -> new String(part, UTF_8))
            .filter(part -> part.contains("HystrixCommand"))
            .timeout(PatientWaits.seconds(), TimeUnit.SECONDS)
            .blockingFirst();
    for (String line : reading.split("\n")) {
      if (line.startsWith("data: ")) {
        JsonNode event = JSON.readTree(line.substring("data: ".length()));
        if (event.get("type").asText().equals("HystrixCommand")) {
          OF_THE_STREAM.forEach(
              (field, type) ->
                  add(
                      counts,
                      event.get("name").asText(),
                      type.name(),
                      event.get(field).asLong(-1)));
        }
      }
    }
    return whole(counts);
  }

  /** The answers that histograms have, by command. */
  Map<String, Long> answersScraped() {
    Map<String, Long> all = new TreeMap<>();
    for (MetricSnapshot metric : prometheus.getPrometheusRegistry().scrape()) {
      if (metric.getMetadata().getName().equals("tenrec_command_caller_seconds")) {
        for (var point : ((HistogramSnapshot) metric).getDataPoints()) {
          all.put(point.getLabels().get("command"), point.getCount());
        }
      }
    }
    return all;
  }

  /** The same of an export. */
  static Map<String, Long> answersExported(List<Metric> export) {
    Map<String, Long> all = new TreeMap<>();
    for (Metric metric : export) {
      if (metric.getName().equals("tenrec.command.duration")) {
        for (var point : metric.getHistogram().getDataPointsList()) {
          all.put(
              Otlp.attribute(point.getAttributesList(), "tenrec.command.name"), point.getCount());
        }
      }
    }
    return all;
  }

  /** Transitions of circuits by command; none is not there. */
  Map<String, Long> transitionsScraped() {
    Map<String, Long> all = new TreeMap<>();
    for (MetricSnapshot metric : prometheus.getPrometheusRegistry().scrape()) {
      if (metric.getMetadata().getName().equals("tenrec_circuit_transitions")) {
        for (var point : ((CounterSnapshot) metric).getDataPoints()) {
          if (point.getValue() > 0) {
            all.merge(point.getLabels().get("command"), (long) point.getValue(), Long::sum);
          }
        }
      }
    }
    return all;
  }

  /** The same of an export. */
  static Map<String, Long> transitionsExported(List<Metric> export) {
    Map<String, Long> all = new TreeMap<>();
    for (Metric metric : export) {
      if (metric.getName().equals("tenrec.circuit.transitions")) {
        for (var point : metric.getSum().getDataPointsList()) {
          all.merge(
              Otlp.attribute(point.getAttributesList(), "tenrec.command.name"),
              point.getAsInt(),
              Long::sum);
        }
      }
    }
    return all;
  }

  /** Every name that a publisher has of a command. */
  TreeSet<String> commandsNamed() throws IOException {
    TreeSet<String> all = new TreeSet<>(scraped().keySet());
    all.addAll(metered().keySet());
    List<Metric> export = otlp.export();
    all.addAll(exported(export).keySet());
    all.addAll(answersExported(export).keySet());
    all.addAll(transitionsExported(export).keySet());
    all.addAll(answersScraped().keySet());
    all.addAll(transitionsScraped().keySet());
    all.addAll(shown().keySet());
    all.addAll(streamed().keySet());
    return all;
  }

  @Override
  public void close() throws Exception {
    otlp.close();
    page.close();
    console.close();
    stream.close();
    metrics.close();
    flight.close();
  }
}
