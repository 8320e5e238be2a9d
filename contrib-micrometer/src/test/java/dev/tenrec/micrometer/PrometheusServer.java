// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.metrics.FreePorts;
import dev.tenrec.metrics.PatientWaits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A real Prometheus that scrapes a registry twice a second. */
final class PrometheusServer implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Path RULES = Path.of("..", "docs", "observability", "tenrec-alerts.yml");

  /** The formats that were asked for, and answered with. */
  final Set<String> formats = ConcurrentHashMap.newKeySet();

  private final HttpServer target;
  private static final int MOST_TRIES = 5;
  private static final long LOOK_MILLIS = 20;

  private final Programs.Running process;
  private final URI address;

  /**
   * @param protobuf whether native histograms are on, for which it asks for protobuf
   * @param alertmanagerPort 0 if it knows none
   */
  PrometheusServer(
      PrometheusMeterRegistry registry,
      Path directory,
      String program,
      boolean protobuf,
      int alertmanagerPort)
      throws IOException, InterruptedException {
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            String accept =
                Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Accept"), "");
            String format =
                accept.contains("protobuf")
                    ? "application/vnd.google.protobuf;"
                        + " proto=io.prometheus.client.MetricFamily; encoding=delimited"
                    : "text/plain; version=0.0.4; charset=utf-8";
            formats.add(format.substring(0, format.indexOf(';')));
            exchange.getResponseHeaders().add("Content-Type", format);
            exchange.sendResponseHeaders(200, 0);
            registry.scrape(exchange.getResponseBody(), format);
          }
        });
    target.start();
    Path config =
        Files.writeString(
            directory.resolve("prometheus.yml"),
            config(target.getAddress().getPort(), alertmanagerPort));
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--log.level=warn"));
    if (protobuf) {
      command.add("--enable-feature=native-histograms");
    }
    Programs.Running started = null;
    URI at = null;
    for (int tries = 1; started == null; tries++) {
      int port = FreePorts.take(1).get(0);
      List<String> there = new ArrayList<>(command);
      there.add("--web.listen-address=localhost:" + port);
      at = URI.create("http://localhost:" + port + "/api/v1/");
      started = Programs.Running.start(directory, there.toArray(String[]::new));
      if (!answers(started, at.resolve("/-/ready")) && tries < MOST_TRIES) {
        started.close(); // somebody has taken the port meanwhile
        started = null;
      }
    }
    process = started;
    address = at;
  }

  /** Waits until it does; whether it does and has not ended. */
  private static boolean answers(Programs.Running process, URI ready)
      throws IOException, InterruptedException {
    while (process.isAlive()) {
      try {
        HttpRequest asked = HttpRequest.newBuilder(ready).timeout(PatientWaits.patience()).build();
        if (HTTP.send(asked, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
          return process.isAlive();
        }
      } catch (ConnectException notYet) {
        // it has begun, and does not listen
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return false;
  }

  private static String config(int targetPort, int alertmanagerPort) {
    return """
    global:
      scrape_interval: 500ms
      scrape_timeout: 500ms
      evaluation_interval: 1s
    rule_files:
      - %s
    scrape_configs:
      - job_name: shop
        static_configs:
          - targets: ['localhost:%d']
    """
            .formatted(RULES.toAbsolutePath().normalize(), targetPort)
        + (alertmanagerPort == 0
            ? ""
            : """
            alerting:
              alertmanagers:
                - static_configs:
                    - targets: ['localhost:%d']
            """
                .formatted(alertmanagerPort));
  }

  /** The answer to a question of its API. */
  JsonNode ask(String question) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HTTP.send(
            HttpRequest.newBuilder(address.resolve(question))
                .timeout(PatientWaits.patience())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    JsonNode answer = JSON.readTree(response.body());
    if (response.statusCode() != 200) {
      throw new AssertionError(question + ": " + answer);
    }
    return answer.get("data");
  }

  /** What an expression is now: series, each with its labels and its value. */
  JsonNode query(String expression) throws IOException, InterruptedException {
    return ask("query?query=" + URLEncoder.encode(expression, UTF_8)).get("result");
  }

  String log() throws IOException {
    return process.log();
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
    target.stop(0);
  }
}
