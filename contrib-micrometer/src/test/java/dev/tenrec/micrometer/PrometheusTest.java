// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.test.published.Storm;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a Prometheus registry is scraped for. */
class PrometheusTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Tenrec tenrec = Storm.patient().build();
  private final TenrecMetrics metrics = TenrecMetrics.of(tenrec);

  @AfterEach
  void close() {
    metrics.close();
    tenrec.close();
  }

  /** The scrape's series, as {@code name{labels}}. */
  private static Map<String, Double> series(PrometheusMeterRegistry registry) {
    Map<String, Double> all = new HashMap<>();
    for (String line : registry.scrape().split("\n")) {
      if (!line.startsWith("#")) {
        int space = line.lastIndexOf(' ');
        String value = line.substring(space + 1);
        assertThat(
                all.put(
                    line.substring(0, space),
                    value.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(value)))
            .as(line)
            .isNull();
      }
    }
    return all;
  }

  private static String labels(CommandDetails command) {
    String key = escaped(command.key());
    return "{command=\"" + key + "\",group=\"" + escaped(command.group()) + "\"";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Test
  void scrape_afterAllKindsOfEndings_agreesWithTheViews() throws Exception {
    metrics.bindTo(registry);
    Storm.over(tenrec);
    Map<String, Double> scraped = series(registry);

    for (CommandDetails command : tenrec.commands()) {
      for (EventType event : EventType.values()) {
        assertThat(scraped)
            .containsEntry(
                "tenrec_command_events_total"
                    + "{command=\""
                    + escaped(command.key())
                    + "\",event=\""
                    + event.name().toLowerCase(Locale.ROOT)
                    + "\",group=\""
                    + escaped(command.group())
                    + "\"}",
                (double) command.cumulativeCount(event));
      }
      long[] upTo = command.totals().caller().countsUpTo(TimeUnit.MILLISECONDS.toNanos(10));
      String labels = labels(command);
      assertThat(scraped)
          .containsEntry(
              "tenrec_command_caller_seconds_bucket" + labels + ",le=\"0.01\"}", (double) upTo[0])
          .containsEntry(
              "tenrec_command_caller_seconds_count" + labels + "}",
              (double) command.totals().caller().count());
      assertThat(scraped.get("tenrec_command_caller_seconds_sum" + labels + "}"))
          .isCloseTo(command.totals().caller().sumNanos() / 1e9, within(1e-9));
    }
    assertThat(scraped)
        .containsEntry("tenrec_collapser_batch_size_bucket{collapser=\"Batched\",le=\"2.0\"}", 1.0)
        .containsEntry("tenrec_collapser_batch_size_sum{collapser=\"Batched\"}", 2.0)
        .containsEntry("tenrec_commands", (double) tenrec.commands().size());
  }

  @Test
  void scrape_ofTheCollectorAndOfMetersAlone_hasTheSameNamesAndNumbers() throws Exception {
    Storm.over(tenrec);
    metrics.bindTo(registry);
    Map<String, Double> collected = series(registry);
    PrometheusMeterRegistry other = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (TenrecMetrics plain = TenrecMetrics.builder(tenrec).prometheusCollector(false).build()) {
      plain.bindTo(other);
      Map<String, Double> measured = series(other);
      measured
          .keySet()
          .removeIf(name -> name.startsWith("tenrec_command_c") && name.contains("_sum"));
      Set<String> extra = new TreeSet<>(collected.keySet());
      extra.removeAll(measured.keySet());
      assertThat(extra)
          .allMatch(
              name ->
                  name.contains("_bucket{")
                      || name.startsWith("tenrec_collapser_batch_size")
                      || name.contains("_sum{"));
      assertThat(collected).containsAllEntriesOf(measured);
    }
  }

  @Test
  void histograms_ofOneCommand_areClassicAndNativeOfTheSameSlots() throws Exception {
    metrics.bindTo(registry);
    Storm.over(tenrec);

    CommandDetails slow =
        tenrec.commands().stream().filter(each -> each.key().equals("Slow")).findFirst().get();
    HistogramDataPointSnapshot point = point("tenrec_command_caller_seconds", "Slow");
    assertThat(point.hasClassicHistogramData()).isTrue();
    assertThat(point.hasNativeHistogramData()).isTrue();
    assertThat(point.getNativeSchema()).isEqualTo(4);
    long natives = 0;
    for (int i = 0; i < point.getNativeBucketsForPositiveValues().size(); i++) {
      natives += point.getNativeBucketsForPositiveValues().getCount(i);
      double upper =
          Math.pow(2, point.getNativeBucketsForPositiveValues().getBucketIndex(i) / 16.0);
      assertThat(upper)
          .as("a time-out of 30 ms, up to a stall of the machine")
          .isBetween(0.029, 30.0);
    }
    assertThat(natives).isEqualTo(slow.totals().caller().count()).isPositive();
  }

  private HistogramDataPointSnapshot point(String name, String command) {
    for (MetricSnapshot snapshot : registry.getPrometheusRegistry().scrape()) {
      if (snapshot.getMetadata().getName().equals(name)) {
        for (HistogramDataPointSnapshot point : ((HistogramSnapshot) snapshot).getDataPoints()) {
          if (command.equals(point.getLabels().get("command"))) {
            return point;
          }
        }
      }
    }
    throw new AssertionError("no " + name + " of " + command);
  }

  @Test
  void keys_ofAMegabyte_areCutAndStayTheirOwn() {
    metrics.bindTo(registry);
    String huge = "x".repeat(1_000_000);
    for (String key : List.of(huge + "1", huge + "2")) {
      tenrec
          .command(key, (Integer n) -> n)
          .group(key)
          .isolation(Isolation.threadPool().key(key).coreSize(1))
          .timeout(PatientWaits.patience())
          .build()
          .execute(1);
    }
    assertThat(registry.scrape()).hasSizeLessThan(1_000_000);
    assertThat(series(registry).keySet())
        .filteredOn(each -> each.startsWith("tenrec_command_caller_seconds_count{"))
        .hasSize(2);
  }

  @Test
  void commonTags_ofTheRegistry_areOnTheCollectorsSeriesToo() throws Exception {
    registry.config().commonTags("region", "north");
    metrics.bindTo(registry);
    Storm.over(tenrec);
    assertThat(series(registry).keySet())
        .isNotEmpty()
        .allMatch(series -> series.contains("region=\"north\""));
  }

  @Test
  void denied_byAFilter_isNotPublishedAtAll() throws Exception {
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("tenrec"));
    metrics.bindTo(registry);
    Storm.over(tenrec);
    assertThat(registry.scrape()).isEmpty();
  }

  @Test
  void thousandCommands_madeAndRemoved_leaveNoSeriesBehind() {
    metrics.bindTo(registry);
    Set<String> before = series(registry).keySet();
    for (int i = 0; i < 1_000; i++) {
      tenrec
          .command("Passing-" + i, (Integer n) -> n)
          .isolation(Isolation.semaphore(1))
          .build()
          .execute(i);
      assertThat(tenrec.remove("Passing-" + i)).isTrue();
    }
    assertThat(series(registry).keySet()).isEqualTo(before);
  }

  @Test
  void close_afterABind_leavesNothingAndLetsAnotherIn() {
    metrics.bindTo(registry);
    metrics.close();
    assertThat(registry.scrape()).isEmpty();
    try (TenrecMetrics other = TenrecMetrics.of(tenrec)) {
      other.bindTo(registry);
      assertThat(registry.scrape()).contains("tenrec_commands");
    }
  }

  @Test
  void bindTo_thatCannotFollow_leavesNothingAndMayBeTriedAgain() throws Exception {
    OutOfMemoryError noMemory = new OutOfMemoryError("of the test");
    NoMemoryToFollow follow = new NoMemoryToFollow(tenrec, noMemory);
    Storm.over(tenrec);
    try (TenrecMetrics late = TenrecMetrics.builder(tenrec).follow(follow).build()) {
      assertThatThrownBy(() -> late.bindTo(registry)).isSameAs(noMemory);
      assertThat(registry.scrape()).isEmpty();

      follow.end();
      late.bindTo(registry);
      assertThat(registry.scrape()).contains("tenrec_commands", "tenrec_command_events_total");
    }
    assertThat(registry.scrape()).isEmpty();
  }

  @Test
  void secondTenrec_inOneRegistry_isRefusedAtOnceAndLeavesNothing() {
    metrics.bindTo(registry);
    Set<String> before = series(registry).keySet();
    try (Tenrec second = Storm.patient().build();
        TenrecMetrics same = TenrecMetrics.of(second);
        TenrecMetrics tagged =
            TenrecMetrics.builder(second).tags(Tags.of("tenrec", "second")).build()) {
      assertThatThrownBy(() -> same.bindTo(registry))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("tags of its own");
      second.command("One", (Integer n) -> n).isolation(Isolation.semaphore(1)).build();
      tenrec.command("Other", (Integer n) -> n).isolation(Isolation.semaphore(1)).build();
      assertThatThrownBy(() -> tagged.bindTo(registry))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("collector");
      assertThat(tenrec.remove("Other")).isTrue();
      assertThat(series(registry).keySet()).isEqualTo(before);
    }
  }
}
