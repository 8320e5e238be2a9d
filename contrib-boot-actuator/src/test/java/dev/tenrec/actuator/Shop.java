// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import dev.tenrec.console.ConsolePage;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.metrics.PatientWaits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.http.HttpStatus;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.WebFilter;

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
      String all = "tenrec.command.default."; // whatever else the machine does
      return Tenrec.builder()
          .baseProperties(
              Map.of(
                  all + "execution.isolation.thread.timeoutInMilliseconds", "30000",
                  all + "metrics.rollingStats.timeInMilliseconds", "600000"))
          .build();
    }

    /** Gives a client up that takes nothing for a moment. */
    @Bean
    @ConditionalOnProperty("shop.impatient")
    HystrixStream impatient(Tenrec tenrec) {
      return HystrixStream.builder(tenrec)
          .interval(Duration.ofMillis(10))
          .stalledAfter(Duration.ofMillis(300))
          .build();
    }

    @Bean
    @ConditionalOnProperty("shop.fleet")
    SlowStore slowStore() {
      return new SlowStore();
    }

    /** Shows the fleet of a store that keeps each reader waiting. */
    @Bean
    @ConditionalOnProperty("shop.fleet")
    ConsolePage fleetPage(Tenrec tenrec, SlowStore store) {
      return ConsolePage.builder(tenrec).fleet(FleetOperator.of(store)).build();
    }

    @Bean
    @ConditionalOnProperty("shop.instances")
    MemoryStore memoryStore() {
      return new MemoryStore();
    }

    /** Opens the consoles of the fleet's other instances on this machine. */
    @Bean
    @ConditionalOnProperty("shop.instances")
    ConsolePage openingPage(Tenrec tenrec, MemoryStore store) {
      return ConsolePage.builder(tenrec)
          .fleet(FleetOperator.of(store.connect("viewer")))
          .instances(List.of("127.0.0.0/8"))
          .stalledAfter(Duration.ofMinutes(1))
          .build();
    }

    @Bean
    @ConditionalOnProperty("shop.second-registry")
    SimpleMeterRegistry second() {
      return new SimpleMeterRegistry();
    }
  }

  /** Has Spring Security before all paths. */
  static final String SECURED = "shop.secured=true";

  static final String TICKET = "ticket";

  /** Stands before all paths, as Spring Security does. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("shop.guarded")
  static class Guard {

    @Bean
    Filter servletGuard() {
      return (request, response, chain) -> {
        if (((HttpServletRequest) request).getHeader(TICKET) != null) {
          chain.doFilter(request, response);
        } else {
          ((HttpServletResponse) response).setStatus(401);
        }
      };
    }

    @Bean
    WebFilter reactiveGuard() {
      return (exchange, chain) -> {
        if (exchange.getRequest().getHeaders().getFirst(TICKET) != null) {
          return chain.filter(exchange);
        }
        exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
        return exchange.getResponse().setComplete();
      };
    }
  }

  /**
   * Netty, as reactive applications have it; with Tomcat beside it Boot would take that. There, a
   * write that fails on a thread that is not Tomcat's (a stream whose client has gone) may hit the
   * next request, which has taken over the same processor: its connection is closed unanswered.
   */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  @Import(Netty.class)
  static class OnNetty {}

  /** Boot's own configuration, which its two lines have in packages of their own. */
  static class Netty implements ImportSelector {

    private static final String BOOT_4 =
        "org.springframework.boot.reactor.netty.autoconfigure"
            + ".NettyReactiveWebServerAutoConfiguration";
    private static final String BOOT_3 =
        "org.springframework.boot.autoconfigure.web.reactive"
            + ".ReactiveWebServerFactoryConfiguration$EmbeddedNetty";

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
      boolean boot4 = ClassUtils.isPresent(BOOT_4, Shop.class.getClassLoader());
      return new String[] {boot4 ? BOOT_4 : BOOT_3};
    }
  }

  private final ConfigurableApplicationContext context;
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
    all.add("spring.autoconfigure.exclude=" + excluded(all.contains(SECURED)));
    return new Shop(
        new SpringApplicationBuilder(Application.class, OnNetty.class, Guard.class, Secured.class)
            .web(type)
            .properties(all.toArray(String[]::new))
            .run());
  }

  private static String excluded(boolean secured) {
    // the tests have Tomcat and Netty, of which Boot 4 wants one only on a port of its own
    Stream<String> excluded =
        Stream.of(
            "org.springframework.boot.tomcat.autoconfigure.actuate.web.server"
                + ".TomcatReactiveManagementContextAutoConfiguration");
    if (!secured) {
      excluded =
          Stream.concat(
              excluded,
              ImportCandidates.load(AutoConfiguration.class, Shop.class.getClassLoader())
                  .getCandidates()
                  .stream()
                  .filter(name -> name.contains(".security.")));
    }
    return excluded.collect(Collectors.joining(","));
  }

  /** Of the actuator. */
  int port() {
    return URI.create(actuator).getPort();
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

  /** With headers: a name, its value, and so on. */
  HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(actuator + path)).GET();
    return send(newClient(), headers.length == 0 ? request : request.headers(headers));
  }

  /** An answer that goes on; with headers as {@link #get}. */
  HttpResponse<InputStream> open(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(actuator + path)).timeout(PatientWaits.patience());
    return newClient()
        .send(
            (headers.length == 0 ? request : request.headers(headers)).build(),
            BodyHandlers.ofInputStream());
  }

  /** An answer that may take its time. */
  CompletableFuture<HttpResponse<String>> ask(String path) {
    return newClient()
        .sendAsync(
            HttpRequest.newBuilder(URI.create(actuator + path)).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String json) throws Exception {
    return post(path, json, "application/json");
  }

  HttpResponse<String> post(String path, String body, String type, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(actuator + path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body));
    return send(newClient(), headers.length == 0 ? request : request.headers(headers));
  }

  HttpResponse<String> delete(String path) throws Exception {
    return send(newClient(), HttpRequest.newBuilder(URI.create(actuator + path)).DELETE());
  }

  /**
   * Has connections of its own, so that each request has. A server may close one after it has
   * refused a body without reading it, and the JDK's client asks again only for what may be asked
   * twice; and Reactor Netty (1.2.18, 1.3.7; its issue 4361) may never read a request that comes on
   * a kept connection before it has done with the one before.
   */
  private static HttpClient newClient() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.timeout(PatientWaits.patience()).build(), BodyHandlers.ofString());
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
