// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.console.ConsolePage;
import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.StreamKind;
import dev.tenrec.metrics.view.CircuitState;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;

/** Spring Security before all there is, in both kinds of web application, on both kinds of port. */
class SecuredTest {

  private static final List<String> READ =
      List.of(
          "/tenrec",
          "/tenrec/commands/Quotes",
          "/tenrec/explain?key=Quotes",
          "/tenrecconsole",
          "/tenrecconsole/",
          "/tenrecconsole/main.js",
          "/tenrecconsole/command?id=1",
          "/prometheus");

  private static final List<String> STREAMS = List.of("/tenrecconsole/stream", "/hystrixstream");

  private static final String FORCE_OPEN = "tenrec.command.Quotes.circuitBreaker.forceOpen";
  private static final String BODY = "{\"property\":\"" + FORCE_OPEN + "\",\"value\":\"true\"}";

  private static Shop start(WebApplicationType type, boolean ownPort) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                Shop.SECURED,
                "management.tenrec.hystrix-stream.enabled=true",
                "management.endpoint.tenrec.access=unrestricted"));
    if (ownPort) {
      properties.add("management.server.port=0");
      properties.add("management.server.address=127.0.0.1");
    }
    return Shop.start(type, properties.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"SERVLET, true", "SERVLET, false", "REACTIVE, true", "REACTIVE, false"})
  void everything_behindSpringSecurity_isForThoseItLetsIn(WebApplicationType type, boolean ownPort)
      throws Exception {
    try (Shop shop = start(type, ownPort)) {
      shop.call(Shop.QUOTES);
      List<String> all = new ArrayList<>(READ);
      all.addAll(STREAMS);
      for (String path : all) {
        assertThat(shop.get(path).statusCode()).as(path).isEqualTo(401);
        assertThat(shop.get(path).body()).as(path).doesNotContainIgnoringCase("success");
        assertThat(shop.get(path, Secured.as("clerk")).statusCode()).as(path).isEqualTo(403);
        assertThat(shop.get(path, Secured.as("nobody")).statusCode()).as(path).isEqualTo(401);
      }
      assertThat(shop.get("/health").statusCode()).isEqualTo(200);
      streamsHaveNotBegun(shop);
      HttpResponse<String> overview = shop.get("/tenrec", Secured.as("operator"));
      assertThat(overview.statusCode()).isEqualTo(200);
      assertThat(overview.body()).contains("commands");
      for (String path : STREAMS) {
        flows(shop, path);
      }
      // stories are there while a page is open, which has their ids
      InputStream open = shop.open("/tenrecconsole/stream", Secured.as("operator")).body();
      try (BufferedReader lines = new BufferedReader(new InputStreamReader(open, UTF_8))) {
        Matcher id = Pattern.compile("\\[(\\d+),\"Quotes\"").matcher(next(lines));
        assertThat(id.find()).isTrue();
        for (String path : READ) {
          String asked = path.replace("id=1", "id=" + id.group(1));
          assertThat(shop.get(asked, Secured.as("operator")).statusCode()).as(asked).isEqualTo(200);
        }
      }
      await().until(() -> shop.bean(ConsolePage.class).clients() == 0);
      writes(shop);
    }
  }

  private static void streamsHaveNotBegun(Shop shop) {
    assertThat(shop.bean(ConsolePage.class).clients()).isZero();
    assertThat(shop.bean(HystrixStream.class).clients(StreamKind.DASHBOARD)).isZero();
  }

  /** Parts come one after the other, as long as somebody reads. */
  private static void flows(Shop shop, String path) throws Exception {
    HttpResponse<InputStream> answer = shop.open(path, Secured.as("operator"));
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
      assertThat(next(lines)).as(path).contains("Quotes").doesNotContain("secret");
      assertThat(next(lines)).as(path).isNotNull();
    }
    await().untilAsserted(() -> streamsHaveNotBegun(shop));
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

  /**
   * What is refused has no body: a server that refuses one without reading it resets the
   * connection, and its answer may be lost with that.
   */
  private static void writes(Shop shop) throws Exception {
    for (String[] headers : new String[][] {{}, Secured.as("clerk")}) {
      assertThat(write(shop, "", "application/json", headers)).isIn(401, 403);
      assertThat(circuit(shop)).isEqualTo(CircuitState.CLOSED);
    }
    assertThat(write(shop, "", "application/x-www-form-urlencoded", Secured.as("operator")))
        .isEqualTo(415);
    assertThat(circuit(shop)).isEqualTo(CircuitState.CLOSED);
    assertThat(write(shop, BODY, "application/json", Secured.as("operator"))).isEqualTo(204);
    assertThat(circuit(shop)).isEqualTo(CircuitState.FORCED_OPEN);
  }

  private static int write(Shop shop, String body, String type, String... headers)
      throws Exception {
    return shop.post("/tenrec/settings", body, type, headers).statusCode();
  }

  private static CircuitState circuit(Shop shop) {
    return shop.tenrec.commands().iterator().next().circuitState();
  }
}
