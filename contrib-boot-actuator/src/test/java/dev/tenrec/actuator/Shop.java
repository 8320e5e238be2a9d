// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with an actuator, over loopback, and what its tests ask it. */
final class Shop implements AutoCloseable {

  /** What a key may hold. */
  static final String ODD_KEY = "Odd \"<script>alert(1)</script>\\\n/second line";

  static final String QUOTES = "Quotes";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    Tenrec tenrec() {
      return Tenrec.create();
    }

    @Bean
    @ConditionalOnProperty("shop.second-registry")
    SimpleMeterRegistry second() {
      return new SimpleMeterRegistry();
    }
  }

  private final ConfigurableApplicationContext context;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, Command<String, String>> commands = new HashMap<>();
  final Tenrec tenrec;
  private final String actuator;

  private Shop(ConfigurableApplicationContext context) {
    this.context = context;
    this.tenrec = context.getBean(Tenrec.class);
    String port = context.getEnvironment().getProperty("local.management.port");
    this.actuator =
        "http://127.0.0.1:"
            + (port != null ? port : context.getEnvironment().getProperty("local.server.port"))
            + "/actuator";
  }

  static Shop start(WebApplicationType type, String... properties) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "server.address=127.0.0.1",
                "server.port=0",
                "spring.main.banner-mode=off",
                "logging.level.root=warn",
                "spring.reactor.netty.shutdown-quiet-period=0s",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "management.endpoint.health.group.traffic.include=tenrec",
                "management.endpoint.health.group.traffic.status.order=CIRCUIT_OPEN,DOWN,UP",
                "management.endpoint.health.group.traffic.status.http-mapping.CIRCUIT_OPEN=503"));
    all.addAll(Arrays.asList(properties));
    return new Shop(
        new SpringApplicationBuilder(Application.class)
            .web(type)
            .properties(all.toArray(String[]::new))
            .run());
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** A command with secrets in arguments, results and failures, called ten times. */
  void call(String key) {
    Command<String, String> command =
        tenrec
            .command(
                key,
                (String argument) -> {
                  if (argument.endsWith("bad")) {
                    throw new IllegalStateException("secret-message");
                  }
                  return "secret-result";
                })
            .isolation(Isolation.semaphore(5))
            .errorThreshold(100, 1_000)
            .sleepWindow(Duration.ofHours(1))
            .build();
    commands.put(key, command);
    for (int i = 0; i < 5; i++) {
      command.attempt("secret-argument");
      fail(key);
    }
  }

  void fail(String key) {
    commands.get(key).attempt("secret-argument-bad");
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(actuator + path)).GET());
  }

  /** An answer that goes on. */
  HttpResponse<InputStream> open(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(actuator + path)).timeout(Duration.ofSeconds(30)).build(),
        BodyHandlers.ofInputStream());
  }

  HttpResponse<String> post(String path, String json) throws Exception {
    return post(path, json, "application/json");
  }

  HttpResponse<String> post(String path, String body, String type) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(actuator + path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body)));
  }

  HttpResponse<String> delete(String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(actuator + path)).DELETE());
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static Map<String, Object> json(HttpResponse<String> response) {
    return JsonParserFactory.getJsonParser().parseMap(response.body());
  }

  @Override
  public void close() {
    context.close();
  }
}
