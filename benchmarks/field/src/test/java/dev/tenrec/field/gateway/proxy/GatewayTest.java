// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway over real HTTP, in front of a service whose answers are held. */
class GatewayTest {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final BlockingQueue<HttpExchange> held = new LinkedBlockingQueue<>();
  private HttpServer service;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/held", held::add);
    service.createContext("/echo", GatewayTest::echo);
    service.createContext(
        "/broken",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(500, 4);
            exchange.getResponseBody().write("oops".getBytes(StandardCharsets.US_ASCII));
          }
        });
    service.start();
  }

  @AfterEach
  void stop() {
    service.stop(0);
  }

  @Test
  void get_ofARoute_passesPathQueryAndHeadersBothWays() throws Exception {
    try (Gateway gateway = open("echo", 10, PatientWaits.patience())) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(gateway.uri().resolve("/echo/a%20b?c=d"))
                  .header("Asked", "this")
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(203);
      assertThat(answer.body()).isEqualTo("/echo/a%20b?c=d Asked=[this] Via=[1.1 tenrec]");
      assertThat(answer.headers().allValues("StatusClient")).containsExactly("that");
      assertThat(counts(gateway).count("echo", EventType.SUCCESS)).isEqualTo(1);
    }
  }

  @Test
  void get_beyondTheLimit_isRefusedWithCommandLimitAndUse() throws Exception {
    try (Gateway gateway = open("held", 1, PatientWaits.patience())) {
      CompletableFuture<HttpResponse<String>> first = sendAsync(gateway, "/held");
      HttpExchange waiting = held.poll(PatientWaits.seconds(), TimeUnit.SECONDS);

      HttpResponse<String> second = get(gateway, "/held");

      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.headers().firstValue(Refusal.HEADER))
          .contains("command=held; reason=SEMAPHORE; limit=1; in-use=1");
      assertThat(second.body()).startsWith("held was rejected: its semaphore held");
      echo(waiting);
      assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(203);
      GatewayCounts counts = counts(gateway);
      assertThat(counts.received()).isEqualTo(2).isEqualTo(counts.ended("held"));
      assertThat(counts.mostInFlight()).isEqualTo(2);
    }
  }

  @Test
  void get_ofAnOpenCircuit_isRefusedWithTheNumbersItOpenedOn() throws Exception {
    try (Gateway gateway = open("echo", 0, PatientWaits.patience())) {
      await()
          .atMost(PatientWaits.patience())
          .until(
              () -> get(gateway, "/echo").headers().firstValue(Refusal.HEADER).orElse(""),
              text ->
                  text.matches(
                      "command=echo; reason=CIRCUIT_OPEN; why=\\d+ of \\d+ calls failed.*"));
    }
  }

  @Test
  void get_whatTheServiceFails_isItsOwnAnswer_andCountsAgainstIt() throws Exception {
    try (Gateway gateway = open("broken", 10, PatientWaits.patience())) {
      HttpResponse<String> answer = get(gateway, "/broken");

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).isEqualTo("oops");
      assertThat(counts(gateway).count("broken", EventType.FAILURE)).isEqualTo(1);
    }
  }

  @Test
  void get_ofAServiceThatIsGone_isABadGateway() throws Exception {
    InetSocketAddress address = service.getAddress();
    service.stop(0);
    try (Socket nobody = new Socket()) {
      nobody.setReuseAddress(true);
      nobody.bind(address); // or the gateway, or another server of the machine, could have its port
      isABadGateway();
    }
  }

  private void isABadGateway() throws Exception {
    try (Gateway gateway = open("echo", 10, PatientWaits.patience())) {
      assertThat(get(gateway, "/echo").statusCode()).isEqualTo(502);
      assertThat(counts(gateway).count("echo", EventType.FAILURE)).isEqualTo(1);
    }
  }

  @Test
  void get_ofAServiceThatTakesTooLong_isAGatewayTimeout() throws Exception {
    try (Gateway gateway = open("held", 10, Duration.ofSeconds(1))) {
      HttpResponse<String> answer = get(gateway, "/held");

      assertThat(answer.statusCode()).isEqualTo(504);
      assertThat(counts(gateway).count("held", EventType.TIMEOUT)).isEqualTo(1);
    }
  }

  @Test
  void send_whatHasNoRoute_saysSo() throws Exception {
    try (Gateway gateway = open("echo", 10, PatientWaits.patience())) {
      assertThat(get(gateway, "/other").statusCode()).isEqualTo(404);
      assertThat(get(gateway, "/echoes").statusCode()).isEqualTo(400);
      HttpResponse<String> asked = send(gateway, "OPTIONS", "");
      assertThat(asked.statusCode()).isEqualTo(405);
      assertThat(asked.headers().firstValue("Allow")).contains("DELETE, GET, PATCH, POST, PUT");
    }
  }

  @Test
  void counts_afterAReset_countFromZero() throws Exception {
    try (Gateway gateway = open("echo", 10, PatientWaits.patience())) {
      assertThat(get(gateway, "/echo").statusCode()).isEqualTo(203);
      GatewayCounts.reset(gateway.uri());
      assertThat(counts(gateway).received()).isZero();
      assertThat(counts(gateway).ended("echo")).isZero();
      assertThat(get(gateway, "/echo").statusCode()).isEqualTo(203);

      GatewayCounts counts = counts(gateway);
      assertThat(counts.received()).isEqualTo(1).isEqualTo(counts.ended("echo"));
      assertThat(counts.process().threads()).isPositive();
      // the clock of a process may stand still for 10 ms, which is more than a call takes
      await()
          .atMost(PatientWaits.patience())
          .until(
              () ->
                  get(gateway, "/echo").statusCode() == 203
                      && counts(gateway).process().cpuNanos() > 0);
    }
  }

  @Test
  void close_leavesNoThread() throws Exception {
    try (Gateway gateway = open("echo", 10, PatientWaits.patience())) {
      assertThat(get(gateway, "/echo").statusCode()).isEqualTo(203);
      assertThat(gatewayThreads()).isPositive();
    }

    await().atMost(PatientWaits.patience()).until(() -> gatewayThreads() == 0);
  }

  @Test
  void open_onABusyPort_saysWhich() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> Gateway.open(port, List.of(), 1, PatientWaits.patience(), 0).close())
          .isInstanceOf(IOException.class)
          .hasMessage(
              "port %d of 127.0.0.1 is in use; expected a free one, or 0 to have one chosen", port);
    }
  }

  @Test
  void send_aBody_passesItOn_ifItIsSmall() throws Exception {
    try (Gateway gateway = open("echo", 10, PatientWaits.patience())) {
      HttpResponse<String> answer = send(gateway, "POST", "some text");

      assertThat(answer.statusCode()).isEqualTo(203);
      assertThat(answer.body()).isEqualTo("/echo Asked=null Via=[1.1 tenrec] POST some text");
      assertThat(send(gateway, "PUT", "").body()).endsWith(" PUT ");
      assertThat(send(gateway, "POST", "x".repeat(64 * 1024)).statusCode()).isEqualTo(203);
      assertThat(send(gateway, "POST", "x".repeat(64 * 1024 + 1)).statusCode()).isEqualTo(413);
      assertThat(counts(gateway).count("echo", EventType.SUCCESS)).isEqualTo(3);
    }
  }

  @Test
  void send_throughThreadsThatWait_takesOneAllTheTime() throws Exception {
    URI upstream = URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/held");
    Route route = new Route("held", upstream);
    try (Gateway gateway = Gateway.open(0, List.of(route), 10, PatientWaits.patience(), 2)) {
      List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
      for (int call = 0; call < 3; call++) {
        calls.add(sendAsync(gateway, "/held"));
      }
      HttpExchange first = held.poll(PatientWaits.seconds(), TimeUnit.SECONDS);
      HttpExchange second = held.poll(PatientWaits.seconds(), TimeUnit.SECONDS);

      // the third is not read before a thread is free, though the limit would let it in
      await()
          .until(
              () ->
                  Thread.getAllStackTraces().entrySet().stream()
                          .filter(thread -> thread.getKey().getName().startsWith("gateway-server-"))
                          .filter(
                              thread ->
                                  Stream.of(thread.getValue())
                                      .anyMatch(frame -> frame.getMethodName().equals("join")))
                          .count()
                      == 2);
      assertThat(held).isEmpty();
      echo(first);
      echo(second);
      echo(held.poll(PatientWaits.seconds(), TimeUnit.SECONDS));
      for (CompletableFuture<HttpResponse<String>> call : calls) {
        assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(203);
      }
      assertThat(counts(gateway).mostInFlight()).isEqualTo(2);
    }
  }

  private HttpResponse<String> send(Gateway gateway, String method, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(gateway.uri().resolve("/echo"))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private Gateway open(String route, int limit, Duration timeout) throws IOException {
    URI upstream = URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/" + route);
    return Gateway.open(0, List.of(new Route(route, upstream)), limit, timeout, Gateway.NO_WAITING);
  }

  private HttpResponse<String> get(Gateway gateway, String path) throws Exception {
    return sendAsync(gateway, path).get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  private CompletableFuture<HttpResponse<String>> sendAsync(Gateway gateway, String path) {
    return client.sendAsync(
        HttpRequest.newBuilder(gateway.uri().resolve(path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static GatewayCounts counts(Gateway gateway) throws IOException {
    return GatewayCounts.of(gateway.uri());
  }

  private static void echo(HttpExchange exchange) throws IOException {
    try (exchange) {
      String text =
          exchange.getRequestURI()
              + " Asked="
              + exchange.getRequestHeaders().get("Asked")
              + " Via="
              + exchange.getRequestHeaders().get("Via");
      if (!exchange.getRequestMethod().equals("GET")) {
        byte[] body = exchange.getRequestBody().readAllBytes();
        text += " " + exchange.getRequestMethod() + " " + new String(body, StandardCharsets.UTF_8);
      }
      exchange.getResponseHeaders().set("StatusClient", "that");
      exchange.sendResponseHeaders(203, text.length());
      exchange.getResponseBody().write(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static long gatewayThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("gateway-"))
        .count();
  }
}
