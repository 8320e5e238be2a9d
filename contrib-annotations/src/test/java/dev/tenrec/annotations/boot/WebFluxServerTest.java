// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.annotations.boot.RatesApplication.Rates;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A request context per request of a WebFlux server, from its coming in to its end. */
class WebFluxServerTest {

  private static ConfigurableApplicationContext context;
  private static Rates rates;
  private static int port;

  @BeforeAll
  static void start() {
    ContextRegistry.getInstance()
        .registerThreadLocalAccessor(RatesApplication.USER, RatesApplication.CURRENT_USER);
    context =
        new SpringApplicationBuilder(RatesApplication.class)
            .web(WebApplicationType.REACTIVE)
            .properties(
                "server.address=127.0.0.1",
                "server.port=0",
                // whatever else the machine does
                "tenrec.command.default.execution.timeout.enabled=false",
                "tenrec.command.default.execution.isolation.semaphore.maxConcurrentRequests=100",
                "spring.main.banner-mode=off",
                "spring.reactor.netty.shutdown-quiet-period=0s")
            .run();
    rates = context.getBean(Rates.class);
    port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  @AfterAll
  static void stop() {
    context.close();
    ContextRegistry.getInstance().removeThreadLocalAccessor(RatesApplication.USER);
  }

  /**
   * Each on a connection of its own: Reactor Netty (1.2.18, 1.3.7; its issue 4361) may never read a
   * request that comes on a kept one before it has done with the one before.
   */
  private CompletableFuture<HttpResponse<String>> ask(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("User", "ann")
            .build();
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private String answer(String path) {
    HttpResponse<String> response = ask(path).join();
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private static ConditionFactory soon() {
    return Awaitility.await().atMost(PatientWaits.patience());
  }

  /** All of these requests end, soon after what their clients saw. */
  private static void awaitClosed(List<RequestContext> requests) {
    soon().untilAsserted(() -> assertThat(requests).allMatch(RequestContext::isClosed));
  }

  @Test
  void requestCache_isSharedWithinARequest_andNotAcross() {
    List<CompletableFuture<HttpResponse<String>>> asked =
        IntStream.range(0, 40).mapToObj(i -> ask("/twice?name=a")).toList();
    Set<String> counts = new HashSet<>();
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      String[] words = one.join().body().split(" ");
      assertThat(words[1]).as("within the request").isEqualTo(words[0]);
      assertThat(words[2]).as("left on the thread by others").isEqualTo("false");
      assertThat(counts.add(words[0])).as("across requests").isTrue();
    }

    List<RequestContext> requests = rates.takeSeen();
    assertThat(new HashSet<>(requests)).hasSize(40);
    awaitClosed(requests);
    assertThat(requests)
        .allSatisfy(request -> assertThat(request.log().toString()).contains("Rates.counted"));
  }

  @Test
  void methodThatWaits_isAtTheRequest_whereItIsWrapped() {
    String[] counts = answer("/waited?name=a").split(" ");

    assertThat(counts[1]).isEqualTo(counts[0]);
    assertThat(answer("/waited?name=a")).doesNotStartWith(counts[0] + " ");
  }

  @Test
  void contextOfTheSubscriber_isInTheWork() {
    assertThat(answer("/mine")).isEqualTo("ann, on the thread ann");
  }

  @Test
  void contextOfTheSubscriber_isInTheFallback_afterATimeOutToo() {
    assertThat(answer("/slow"))
        .isEqualTo("late for ann, on the thread ann, at an open request true");

    awaitClosed(rates.takeSeen());
  }

  @Test
  void stream_isAtItsRequest_untilItsFallbackHasEnded() {
    assertThat(answer("/all")).isEqualTo("on the thread ann, the rest at an open one true");

    List<RequestContext> requests = rates.takeSeen();
    assertThat(requests).hasSize(1);
    awaitClosed(requests);
  }

  @Test
  void members_shareBatchesOfTheirRequest() {
    assertThat(answer("/upper")).isEqualTo("A of 2, B of 2");
  }

  @Test
  void requestThatFails_isClosed() {
    assertThat(ask("/failing").join().statusCode()).isEqualTo(502);

    List<RequestContext> requests = rates.takeSeen();
    assertThat(requests).hasSize(1);
    awaitClosed(requests);
  }

  @ParameterizedTest
  @ValueSource(strings = {"never", "endless"})
  void requestWhoseClientLeaves_isClosed_andItsWorkIsCancelled(String path) throws IOException {
    int before = rates.cancelled();
    List<RequestContext> requests = new ArrayList<>();
    try (Socket socket = new Socket("127.0.0.1", port)) {
      String line = "GET /" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
      soon()
          .untilAsserted(
              () -> {
                requests.addAll(rates.takeSeen());
                assertThat(requests).hasSize(1);
              });
      assertThat(requests).noneMatch(RequestContext::isClosed);
    }

    awaitClosed(requests);
    soon().untilAsserted(() -> assertThat(rates.cancelled()).isEqualTo(before + 1));
    soon()
        .untilAsserted(
            () ->
                assertThat(context.getBean(Tenrec.class).commands())
                    .filteredOn(view -> view.key().equals("Rates." + path))
                    .singleElement()
                    .satisfies(view -> assertThat(view.concurrency()).isZero()));
  }
}
