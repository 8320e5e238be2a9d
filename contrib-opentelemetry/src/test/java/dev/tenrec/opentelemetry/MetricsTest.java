// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.test.published.FollowingSource;
import dev.tenrec.test.published.Storm;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metrics as they arrive by OTLP. */
class MetricsTest {

  private final Tenrec tenrec = Storm.patient().build();
  private OtlpReceiver receiver;
  private SdkMeterProvider provider;
  private TenrecMeters meters;

  @BeforeEach
  void start() throws Exception {
    receiver = new OtlpReceiver();
    publish(tenrec);
  }

  private void publish(Tenrec published) {
    provider =
        SdkMeterProvider.builder()
            .registerMetricReader(
                PeriodicMetricReader.builder(
                        OtlpHttpMetricExporter.builder()
                            .setEndpoint(receiver.endpoint("metrics"))
                            .setTimeout(PatientWaits.patience())
                            .build())
                    .setInterval(Duration.ofHours(1))
                    .build())
            .registerMetricProducer(TenrecHistograms.of(published))
            .build();
    meters =
        TenrecMeters.register(
            published, OpenTelemetrySdk.builder().setMeterProvider(provider).build());
  }

  @AfterEach
  void stop() {
    meters.close();
    provider.close();
    receiver.close();
    tenrec.close();
  }

  private void export() {
    assertThat(provider.forceFlush().join(PatientWaits.seconds(), TimeUnit.SECONDS).isSuccess())
        .isTrue();
  }

  private static Map<String, String> attributes(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(
            Collectors.toMap(
                KeyValue::getKey,
                each -> each.getValue().getStringValue(),
                (a, b) -> a,
                TreeMap::new));
  }

  private static Map<Map<String, String>, Long> points(Metric metric) {
    List<NumberDataPoint> points = metric.getSum().getDataPointsList();
    return points.stream()
        .collect(
            Collectors.toMap(
                point -> attributes(point.getAttributesList()), NumberDataPoint::getAsInt));
  }

  @Test
  void keys_ofAMegabyte_areCutAndStayTheirOwn() throws Exception {
    String huge = "x".repeat(1_000_000);
    for (String key : List.of(huge + "1", huge + "2")) {
      tenrec
          .command(key, (Integer n) -> n)
          .group(key)
          .isolation(Isolation.semaphore(1))
          .timeout(PatientWaits.patience())
          .build()
          .execute(1);
    }
    export();
    assertThat(receiver.metric("tenrec.command.events").getSerializedSize()).isLessThan(10_000);
    assertThat(points(receiver.metric("tenrec.command.events"))).hasSize(2).containsValue(1L);
    assertThat(receiver.metric("tenrec.command.duration").getHistogram().getDataPointsList())
        .hasSize(2);
  }

  @Test
  void counts_ofAllCommandsAndEvents_arriveAsTheViewsHaveThem() throws Exception {
    Storm.over(tenrec);
    export();
    Metric events = receiver.metric("tenrec.command.events");
    assertThat(events.getSum().getIsMonotonic()).isTrue();
    Map<Map<String, String>, Long> received = points(events);
    int expected = 0;
    for (CommandDetails command : tenrec.commands()) {
      for (EventType event : EventType.values()) {
        long count = command.totals().events().get(event);
        Map<String, String> attributes =
            Map.of(
                "tenrec.command.name", command.key(),
                "tenrec.command.group", command.group(),
                "tenrec.event", event.name().toLowerCase(Locale.ROOT));
        assertThat(received.getOrDefault(attributes, 0L)).as("%s", attributes).isEqualTo(count);
        expected += count > 0 ? 1 : 0;
      }
    }
    assertThat(received).hasSize(expected).hasSizeGreaterThan(10);
  }

  @Test
  void histograms_ofAllCommands_arriveAsTheViewsHaveThem() throws Exception {
    Storm.over(tenrec);
    export();
    for (String name : List.of("tenrec.command.duration", "tenrec.command.execution.duration")) {
      Metric metric = receiver.metric(name);
      assertThat(metric.getUnit()).isEqualTo("s");
      assertThat(metric.getHistogram().getAggregationTemporality())
          .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
      Map<String, HistogramDataPoint> points =
          metric.getHistogram().getDataPointsList().stream()
              .collect(
                  Collectors.toMap(
                      point -> attributes(point.getAttributesList()).get("tenrec.command.name"),
                      point -> point));
      assertThat(points).hasSize(tenrec.commands().size());
      for (CommandDetails command : tenrec.commands()) {
        HistogramDataPoint point = points.get(command.key());
        var latency =
            name.contains("execution") ? command.totals().execution() : command.totals().caller();
        assertThat(point.getCount()).isEqualTo(latency.count());
        assertThat(point.getBucketCountsList().stream().mapToLong(count -> count).sum())
            .isEqualTo(latency.count());
        assertThat(point.getBucketCountsCount()).isEqualTo(point.getExplicitBoundsCount() + 1);
        assertThat(point.getSum()).isCloseTo(latency.sumNanos() / 1e9, within(1e-9));
        assertThat(point.getTimeUnixNano()).isGreaterThanOrEqualTo(point.getStartTimeUnixNano());
      }
    }
    HistogramDataPoint slow =
        receiver.metric("tenrec.command.duration").getHistogram().getDataPointsList().stream()
            .filter(
                point ->
                    "Slow".equals(attributes(point.getAttributesList()).get("tenrec.command.name")))
            .findFirst()
            .orElseThrow();
    assertThat(slow.getBucketCountsList().subList(0, 5))
        .as("a time-out of 30 ms is in no bucket up to 25 ms")
        .containsOnly(0L);
  }

  @Test
  void circuits_poolsAndTheRest_arriveAsTheViewsHaveThem() throws Exception {
    Storm.over(tenrec);
    export();
    assertThat(points(receiver.metric("tenrec.circuit.transitions")))
        .containsExactly(Map.entry(transition(Storm.ODD_KEY, "open", transitionReason()), 1L));
    CommandDetails odd = command(Storm.ODD_KEY);
    assertThat(points(receiver.metric("tenrec.circuit.state")))
        .hasSize(tenrec.commands().size())
        .containsEntry(
            Map.of(
                "tenrec.command.name", odd.key(),
                "tenrec.command.group", odd.group(),
                "tenrec.state", "open"),
            1L);
    Map<String, String> pool = Map.of("tenrec.pool.name", "Threads");
    var view = tenrec.pools().get(0);
    assertThat(points(receiver.metric("tenrec.pool.executed")))
        .containsEntry(pool, view.cumulativeExecuted());
    assertThat(points(receiver.metric("tenrec.pool.rejected")))
        .containsEntry(pool, view.cumulativeRejected());
    assertThat(points(receiver.metric("tenrec.collapser.members")))
        .containsEntry(Map.of("tenrec.collapser.name", Storm.BATCHED), 2L);
    assertThat(points(receiver.metric("tenrec.semaphore.concurrency.limit")))
        .containsEntry(Map.of("tenrec.semaphore.name", "Shared"), 1L);
    assertThat(points(receiver.metric("tenrec.ratelimiter.available")))
        .containsExactly(Map.entry(Map.of("tenrec.ratelimiter.name", "Daily"), 0L));
    assertThat(points(receiver.metric("tenrec.ratelimiter.keys")))
        .containsExactly(Map.entry(Map.of("tenrec.ratelimiter.name", "Daily"), 0L));
    assertThat(points(receiver.metric("tenrec.retrybudget.spent")))
        .containsExactly(Map.entry(Map.of("tenrec.retrybudget.name", "Warehouse"), 0L));
    assertThat(points(receiver.metric("tenrec.retrybudget.available")))
        .containsExactly(Map.entry(Map.of("tenrec.retrybudget.name", "Warehouse"), 10L));
    assertThat(points(receiver.metric("tenrec.commands")))
        .containsEntry(Map.of(), (long) tenrec.commands().size());
  }

  private static Map<String, String> transition(String command, String to, String reason) {
    return Map.of("tenrec.command.name", command, "tenrec.to", to, "tenrec.reason", reason);
  }

  @Test
  void transitions_moreThanACommandKeeps_addUpAndGoWithTheCommand() {
    meters.close();
    provider.close();
    ManualTime time = new ManualTime();
    try (Tenrec timed = Tenrec.builder().time(time, time).build()) {
      publish(timed);
      Command<Integer, Integer> flapping =
          timed
              .command("Flapping", (Integer i) -> Integer.parseInt("down"))
              .isolation(Isolation.semaphore(1))
              .errorThreshold(1, 1)
              .build();
      flap(flapping, time, 3);
      export();
      assertThat(points(receiver.metric("tenrec.circuit.transitions")))
          .containsOnly(
              Map.entry(transition("Flapping", "open", "threshold_reached"), 3L),
              Map.entry(transition("Flapping", "closed", "closed_by_hand"), 3L));
      flap(flapping, time, 200);
      export();
      assertThat(sum("tenrec.circuit.transitions")).isEqualTo(406);
      assertThat(points(receiver.metric("tenrec.circuit.transitions")))
          .containsKey(transition("Flapping", "", ""));
      timed.remove("Flapping");
      export();
      assertThat(receiver.metrics)
          .extracting(Metric::getName)
          .contains("tenrec.commands")
          .doesNotContain("tenrec.circuit.transitions");
    }
  }

  private static void flap(Command<Integer, Integer> command, ManualTime time, int times) {
    for (int i = 0; i < times; i++) {
      for (int looks = 0; looks < 10 && !isOpen(command); looks++) {
        command.attempt(1);
        time.advanceMillis(500); // until its health is looked at
      }
      awaitOpen(command, time);
      assertThat(command.closeCircuit("to be opened again")).isTrue();
    }
  }

  private static boolean isOpen(Command<?, ?> command) {
    return command.view().circuitState() == CircuitState.OPEN;
  }

  /** While the timer's thread looks, no call does; and it may be held up. */
  private static void awaitOpen(Command<?, ?> command, ManualTime time) {
    await()
        .until(
            () -> {
              if (!isOpen(command)) {
                time.advanceMillis(500);
              }
              return isOpen(command);
            });
  }

  private long sum(String name) {
    return points(receiver.metric(name)).values().stream().mapToLong(count -> count).sum();
  }

  private String transitionReason() {
    return command(Storm.ODD_KEY).transitions().get(0).reason().name().toLowerCase(Locale.ROOT);
  }

  private CommandDetails command(String key) {
    return tenrec.commands().stream().filter(each -> each.key().equals(key)).findFirst().get();
  }

  @Test
  void command_thatIsRemoved_isGoneFromTheNextExport() {
    for (String key : List.of("Stays", "Goes")) {
      tenrec.command(key, (Integer i) -> i).isolation(Isolation.semaphore(1)).build().execute(1);
    }
    export();
    assertThat(points(receiver.metric("tenrec.command.concurrency.limit"))).hasSize(2);
    tenrec.remove("Goes");
    export();
    assertThat(points(receiver.metric("tenrec.command.concurrency.limit")))
        .containsOnlyKeys(Map.of("tenrec.command.name", "Stays", "tenrec.command.group", "Stays"));
    assertThat(receiver.metric("tenrec.command.duration").getHistogram().getDataPointsCount())
        .isOne();
  }

  @Test
  void thousandCommands_madeAndRemovedInTurn_leaveNoPointAndAreNotKept() {
    tenrec.command("Stays", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    List<WeakReference<CommandDetails>> gone = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      gone.add(passing("Passing" + i));
      if (i % 250 == 0) { // some of them are published
        export();
        assertThat(receiver.metric("tenrec.command.concurrency.limit").toString())
            .contains("Passing" + i);
      }
      assertThat(tenrec.remove("Passing" + i)).isTrue();
    }
    export();
    assertThat(receiver.metric("tenrec.command.concurrency.limit").toString()).contains("Stays");
    assertThat(receiver.metrics.toString()).doesNotContain("Passing");
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(gone).filteredOn(each -> each.get() != null).isEmpty();
            });
  }

  private WeakReference<CommandDetails> passing(String key) {
    Command<Integer, Integer> command =
        tenrec.command(key, (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    command.execute(1);
    return new WeakReference<>(command.view());
  }

  @Test
  void source_thatFollowsAStore_isSeenToBeCutOff() throws Exception {
    export();
    assertThat(receiver.metrics)
        .extracting(Metric::getName)
        .doesNotContain("tenrec.settings.connected");
    meters.close();
    provider.close();
    FollowingSource source = new FollowingSource();
    try (Tenrec steered = Tenrec.builder().remoteSource(source).build()) {
      publish(steered);
      export();
      assertThat(points(receiver.metric("tenrec.settings.connected"))).containsValue(1L);
      assertThat(points(receiver.metric("tenrec.settings.version"))).containsValue(17L);
      source.setAway(true);
      export();
      assertThat(points(receiver.metric("tenrec.settings.connected"))).containsValue(0L);
      assertThat(points(receiver.metric("tenrec.settings.alarms"))).containsValue(1L);
    }
  }

  @Test
  void close_ofTheMeters_publishesThemNoLonger() {
    tenrec.command("One", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    export();
    assertThat(receiver.metrics).extracting(Metric::getName).contains("tenrec.commands");
    meters.close();
    meters.close();
    export();
    assertThat(receiver.metrics).extracting(Metric::getName).doesNotContain("tenrec.commands");
  }

  @Test
  void bounds_thatDoNotGrow_areRefusedInWords() {
    assertThatThrownBy(
            () -> TenrecHistograms.of(tenrec, Duration.ofMillis(2), Duration.ofMillis(2)))
        .hasMessageContaining("expected positive and growing");
  }
}
