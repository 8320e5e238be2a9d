// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.FreePorts;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.test.published.Storm;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes a Tenrec, and answers each expression of the board. */
class ScrapedByPrometheusTest {

  private static final Path BOARD = Path.of("..", "docs", "observability", "tenrec-board.json");
  private static final Duration PATIENCE = PatientWaits.patience();
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

  /** Longer than the test: a machine that is busy is slow between two scrapes. */
  private static final String RATE_INTERVAL = "10m";

  @TempDir Path directory;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Tenrec tenrec = Storm.patient().remoteSource(new Following()).build();
  private final TenrecMetrics metrics = TenrecMetrics.of(tenrec);

  @BeforeEach
  void bind() throws Exception {
    metrics.bindTo(registry);
    trouble(); // so that there is a value for an increase to begin with
  }

  @AfterEach
  void close() {
    metrics.close();
    tenrec.close();
  }

  private void trouble() throws Exception {
    if (tenrec.commands().stream().anyMatch(each -> each.key().equals(Storm.ODD_KEY))) {
      assertThat(tenrec.closeCircuit(Storm.ODD_KEY, "to be opened again")).isTrue();
    }
    Storm.over(tenrec);
    for (String key : List.of("Again", "NoBudget")) {
      tenrec
          .command(key, (Integer i) -> Integer.parseInt("down"))
          .isolation(Isolation.semaphore(1))
          .withoutCircuitBreaker()
          .retry(
              Retry.attempts(2)
                  .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                  .budget(key.equals("Again") ? 100 : 0, key.equals("Again") ? 100 : 0)
                  .howeverLittleTimeIsLeft())
          .fallbackValue(0)
          .build()
          .attempt(1);
    }
  }

  /** Waits for the first scrapes, has more trouble, and waits until that is scraped, too. */
  private void scrapeThroughTrouble(PrometheusServer prometheus) throws Exception {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions() // it refuses connections at first
        .until(() -> prometheus.query("count_over_time(tenrec_commands[1m]) > 2").size() == 1);
    trouble();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(scraped(prometheus)).isEqualTo(counted()));
  }

  private Map<String, Long> counted() {
    Map<String, Long> all = new HashMap<>();
    for (CommandDetails command : tenrec.commands()) {
      for (EventType event : EventType.values()) {
        all.put(
            command.key() + " " + event.name().toLowerCase(Locale.ROOT),
            command.cumulativeCount(event));
      }
    }
    return all;
  }

  private static Map<String, Long> scraped(PrometheusServer prometheus) throws Exception {
    Map<String, Long> all = new HashMap<>();
    for (JsonNode series : prometheus.query("tenrec_command_events_total")) {
      JsonNode labels = series.get("metric");
      all.put(
          labels.get("command").asText() + " " + labels.get("event").asText(),
          series.get("value").get(1).asLong());
    }
    return all;
  }

  private static List<String> expressions() throws Exception {
    JsonNode board = new ObjectMapper().readTree(BOARD.toFile());
    List<String> all = new ArrayList<>();
    board.findValues("expr").forEach(each -> all.add(each.asText()));
    Map<String, String> allOf = new HashMap<>();
    for (JsonNode variable : board.get("templating").get("list")) {
      allOf.put(variable.get("name").asText(), variable.path("allValue").asText());
      if (variable.get("type").asText().equals("query")) {
        Matcher values = LABEL_VALUES.matcher(variable.get("query").get("query").asText());
        assertThat(values.matches()).isTrue();
        all.add("count by (" + values.group(2) + ") (" + values.group(1) + ")");
      }
    }
    return all.stream()
        .map(each -> each.replace("$__rate_interval", RATE_INTERVAL))
        .map(each -> each.replace("$instance", allOf.get("instance")))
        .map(each -> each.replace("$command", allOf.get("command")))
        .toList();
  }

  /** Each of them has an answer, but those for histograms that this server does not keep. */
  private static void answersTheBoard(PrometheusServer prometheus, boolean nativeHistograms)
      throws Exception {
    int answered = 0;
    for (String expression : expressions()) {
      if (expression.contains("quantile") && expression.contains("_bucket") == nativeHistograms) {
        assertThat(prometheus.query(expression)).as(expression).isEmpty();
      } else {
        await(expression).atMost(PATIENCE).until(() -> !prometheus.query(expression).isEmpty());
        answered++;
      }
    }
    assertThat(answered).isGreaterThan(25);
  }

  private static double p99OfSlow(PrometheusServer prometheus, String series, String by)
      throws Exception {
    JsonNode answer =
        prometheus.query(
            "histogram_quantile(0.99, sum by ("
                + by
                + ") (tenrec_command_caller_seconds"
                + series
                + "{command=\"Slow\"}))");
    assertThat(answer).hasSize(1);
    return answer.get(0).get("value").get(1).asDouble();
  }

  @Test
  void board_overClassicText_isAnsweredByPrometheus() throws Exception {
    String program = Programs.find("prometheus", "no Prometheus has scraped the meters");
    try (PrometheusServer prometheus =
        new PrometheusServer(registry, directory, program, false, 0)) {
      scrapeThroughTrouble(prometheus);
      answersTheBoard(prometheus, false);
      assertThat(prometheus.formats).containsExactly("text/plain");
      assertThat(p99OfSlow(prometheus, "_bucket", "le"))
          .as("a time-out of 30 ms")
          .isGreaterThan(0.025);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(prometheus.ask("rules?type=alert").findValues("health"))
                      .hasSize(13)
                      .allMatch(health -> health.asText().equals("ok")));
    }
  }

  @Test
  @Tag("external")
  void board_overProtobuf_isAnsweredFromNativeHistograms() throws Exception {
    String program = Programs.find("prometheus", "no Prometheus has scraped native histograms");
    try (PrometheusServer prometheus =
        new PrometheusServer(registry, directory, program, true, 0)) {
      scrapeThroughTrouble(prometheus);
      answersTheBoard(prometheus, true);
      assertThat(prometheus.formats).containsExactly("application/vnd.google.protobuf");
      assertThat(p99OfSlow(prometheus, "", "command"))
          .as("a time-out of 30 ms, to within a bucket of schema 4")
          .isGreaterThan(0.028);
    }
  }

  @Test
  @Tag("external")
  void openCircuit_throughAlertmanager_reachesAWebhook() throws Exception {
    String program = Programs.find("prometheus", "no alert was raised");
    String manager = Programs.find("prometheus-alertmanager", "no alert was passed on");
    List<String> posted = new CopyOnWriteArrayList<>();
    HttpServer webhook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    webhook.createContext(
        "/",
        exchange -> {
          try (exchange) {
            posted.add(
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
          }
        });
    webhook.start();
    int port = FreePorts.take(1).get(0);
    Path config =
        Files.writeString(
            directory.resolve("alertmanager.yml"),
            """
            route:
              receiver: shop
              group_by: ['alertname', 'command']
              group_wait: 100ms
            receivers:
              - name: shop
                webhook_configs:
                  - url: 'http://localhost:%d/'
            """
                .formatted(webhook.getAddress().getPort()));
    try (Programs.Running alertmanager =
            Programs.Running.start(
                directory,
                manager,
                "--config.file=" + config,
                "--storage.path=" + directory.resolve("alerts"),
                "--web.listen-address=localhost:" + port,
                "--cluster.listen-address=");
        PrometheusServer prometheus =
            new PrometheusServer(registry, directory, program, false, port)) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(posted)
                      .as(prometheus.log() + alertmanager.log())
                      .anySatisfy(
                          alert ->
                              assertThat(alert)
                                  .contains("\"alertname\":\"TenrecCircuitOpen\"")
                                  .contains("runbook.md#circuit-open")
                                  .contains("script")));
    } finally {
      webhook.stop(0);
    }
  }
}
