// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.console.Console;
import dev.tenrec.console.ConsolePage;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetMember;
import dev.tenrec.fleet.store.FleetStore;
import dev.tenrec.fleet.store.MemoryStore;
import dev.tenrec.metrics.PatientWaits;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

/** {@code /actuator/tenrecconsole}, in both kinds of web application, on both kinds of port. */
class ConsoleTest {

  private static final List<String> PARTS =
      List.of("", "main.js", "console.css", "icon.svg", "stream", "command?id=1");

  private static Shop start(WebApplicationType type, boolean ownPort, String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    if (ownPort) {
      properties.add("management.server.port=0");
      properties.add("management.server.address=127.0.0.1");
    }
    return Shop.start(type, properties.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"SERVLET, true", "SERVLET, false", "REACTIVE, true", "REACTIVE, false"})
  void page_whereItIsExposed_isThereWithFilesStreamAndStories(
      WebApplicationType type, boolean ownPort) throws Exception {
    try (Shop shop = start(type, ownPort)) {
      shop.call(Shop.QUOTES);
      assertThat(shop.get("").body()).contains("/actuator/tenrecconsole\"");
      HttpResponse<String> lead = shop.get("/tenrecconsole", "Accept", "text/html");
      assertThat(lead.statusCode()).isEqualTo(200);
      assertThat(lead.body()).contains("url=tenrecconsole/\"");
      HttpResponse<String> page = shop.get("/tenrecconsole/");
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("src=\"main.js\"");
      assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
          .startsWith("default-src 'none'; script-src 'self'");
      assertThat(shop.get("/tenrecconsole/main.js").headers().firstValue("Content-Type"))
          .hasValueSatisfying(each -> assertThat(each).startsWith("text/javascript"));
      assertThat(shop.get("/tenrecconsole/page/index.html").statusCode()).isEqualTo(404);
      assertThat(shop.post("/tenrecconsole/", "").statusCode()).isEqualTo(405);
      for (String[] elsewhere :
          new String[][] {
            {"Sec-Fetch-Site", "cross-site"}, {"Origin", "http://elsewhere.example"}
          }) {
        assertThat(shop.get("/tenrecconsole/stream", elsewhere).statusCode()).isEqualTo(403);
      }
      readsAndIsBounded(shop);
    }
  }

  private static void readsAndIsBounded(Shop shop) throws Exception {
    ConsolePage page = shop.bean(ConsolePage.class);
    List<HttpResponse<InputStream>> open = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      open.add(shop.open("/tenrecconsole/stream"));
    }
    for (HttpResponse<InputStream> each : open) {
      assertThat(each.statusCode()).isEqualTo(200);
      assertThat(each.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/event-stream");
      BufferedReader lines = new BufferedReader(new InputStreamReader(each.body(), UTF_8));
      assertThat(next(lines))
          .contains("\"whole\":true")
          .contains("[1,\"Quotes\",")
          .doesNotContain("secret");
    }
    HttpResponse<String> story = shop.get("/tenrecconsole/command?id=1");
    assertThat(story.statusCode()).isEqualTo(200);
    assertThat(story.body()).contains("\"key\":\"Quotes\"").doesNotContain("secret");
    assertThat(shop.get("/tenrecconsole/stream").statusCode()).isEqualTo(503);
    for (HttpResponse<InputStream> each : open) {
      each.body().close();
    }
    await().atMost(PatientWaits.patience()).until(() -> page.clients() == 0);
  }

  private static String next(BufferedReader lines) throws Exception {
    for (int i = 0; i < 1_000; i++) {
      String line = lines.readLine();
      if (line == null || line.startsWith("data: ")) {
        return line;
      }
    }
    throw new AssertionError("pings only");
  }

  @ParameterizedTest
  @CsvSource({
    "SERVLET, management.endpoints.web.exposure.include=health",
    "REACTIVE, management.endpoint.tenrecconsole.access=none"
  })
  void page_whereItIsNotExposed_isNotThere(WebApplicationType type, String property)
      throws Exception {
    try (Shop shop = Shop.start(type, property)) {
      for (String part : PARTS) {
        assertThat(shop.get("/tenrecconsole/" + part).statusCode()).as(part).isEqualTo(404);
      }
      assertThat(shop.get("/tenrecconsole").statusCode()).isEqualTo(404);
      assertThat(shop.get("/health").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"SERVLET", "REACTIVE"})
  void everyPart_behindAFilter_isGuardedAndBelowTheEndpointsPath(WebApplicationType type)
      throws Exception {
    try (Shop shop =
        Shop.start(
            type,
            "shop.guarded=true",
            "management.endpoints.web.path-mapping.tenrecconsole=inside/board")) {
      shop.call(Shop.QUOTES);
      assertThat(
              shop.bean(PathMappedEndpoints.class)
                  .getPath(EndpointId.of("tenrecconsole"))) // what EndpointRequest secures
          .isEqualTo("/actuator/inside/board");
      for (String part : PARTS) {
        assertThat(shop.get("/inside/board/" + part).statusCode()).as(part).isEqualTo(401);
      }
      assertThat(shop.get("/inside/board/", Shop.TICKET, "yes").statusCode()).isEqualTo(200);
      assertThat(shop.get("/inside/board", Shop.TICKET, "yes").body()).contains("url=board/\"");
    }
  }

  @Test
  void fleet_whoseStoreKeepsItWaiting_keepsNoOtherRequestWaiting() throws Exception {
    try (Shop shop = Shop.start(WebApplicationType.REACTIVE, "shop.fleet=true")) {
      SlowStore store = shop.bean(SlowStore.class);
      try {
        CompletableFuture<HttpResponse<String>> fleet = shop.ask("/tenrecconsole/fleet");
        Thread asking = store.asking.get(PatientWaits.seconds(), TimeUnit.SECONDS);
        assertThat(asking.getName()).as("none of the server's").startsWith("boundedElastic");
        assertThat(fleet).isNotDone();
        store.answering.complete(null);
        assertThat(fleet.get(PatientWaits.seconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(fleet.get().body()).contains("\"members\":[]");
      } finally {
        store.answering.complete(null);
      }
      ConsolePage page = shop.bean(ConsolePage.class);
      assertThat(page.names()).filteredOn(page::mayWait).containsExactly("fleet");
    }
  }

  @ParameterizedTest
  @CsvSource({"SERVLET", "REACTIVE"})
  void instance_ofTheFleet_isSeenThroughThePageOfAnother(WebApplicationType type) throws Exception {
    try (Shop shop = Shop.start(type, "shop.instances=true");
        FleetStore session = shop.bean(MemoryStore.class).connect("shop-8");
        FleetMember member = FleetMember.builder(session, "shop-8").start();
        Tenrec its = Tenrec.builder().remoteSource(member).build();
        Console own = Console.start(its, 0)) {
      var unused =
          its.command("OnlyThere", (String s) -> s).isolation(Isolation.semaphore(5)).build();
      member.observe(its);
      String part = "/tenrecconsole/stream?instance=shop-8";
      assertThat(shop.get(part).statusCode()).as("it has no console yet").isEqualTo(404);
      member.console(URI.create("http://127.0.0.1:" + own.address().getPort() + "/tenrec/"));
      await()
          .atMost(PatientWaits.patience())
          .until(() -> shop.get("/tenrecconsole/fleet").body().contains("\"console\":true"));
      HttpResponse<InputStream> stream = shop.open(part);
      assertThat(stream.statusCode()).isEqualTo(200);
      assertThat(stream.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/event-stream");
      BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), UTF_8));
      String whole = next(lines);
      assertThat(whole).contains("\"OnlyThere\"");
      String id = whole.replaceAll(".*\\[(\\d+),\"OnlyThere\".*", "$1");
      assertThat(shop.get("/tenrecconsole/command?instance=shop-8&id=" + id).body())
          .contains("\"key\":\"OnlyThere\"");
      assertThat(shop.get("/tenrecconsole/advice?instance=shop-8&key=OnlyThere").body())
          .contains("\"key\":\"OnlyThere\"");
      own.close();
      assertThat(lines.lines().toList())
          .endsWith(
              "event: gone", "data: the instance shop-8 has gone, or does not answer any more", "");
      try (Socket nobody = new Socket()) { // another program may have the port that is free now
        nobody.bind(new InetSocketAddress("127.0.0.1", 0));
        member.console(URI.create("http://127.0.0.1:" + nobody.getLocalPort() + "/tenrec/"));
        await()
            .atMost(PatientWaits.patience())
            .until(() -> shop.get(part).statusCode(), status -> status == 502);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"SERVLET, true", "REACTIVE, false"})
  void application_thatStopsGracefully_endsItsStreamsBeforeItWaits(
      WebApplicationType type, boolean ownPort) throws Exception {
    Shop shop =
        start(
            type,
            ownPort,
            "server.shutdown=graceful",
            "spring.lifecycle.timeout-per-shutdown-phase=1h"); // as good as for ever
    ConsolePage page = shop.bean(ConsolePage.class);
    try (InputStream body = shop.open("/tenrecconsole/stream").body()) {
      assertThat(body.read()).isPositive();
      shop.close();
    }
    assertThat(page.clients()).isZero();
    assertThat(page.open(page.answer("GET", "stream", null, header -> null))).isEmpty();
  }
}
