// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.hystrix.stream.HystrixStream;
import dev.tenrec.hystrix.stream.StreamKind;
import dev.tenrec.metrics.PatientWaits;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;

/** {@code /actuator/hystrixstream}, in both kinds of web application, on both kinds of port. */
class HystrixStreamTest {

  private static final String ENABLED = "management.tenrec.hystrix-stream.enabled=true";

  @ParameterizedTest
  @CsvSource({"SERVLET, true", "SERVLET, false", "REACTIVE, true", "REACTIVE, false"})
  void stream_whereItIsEnabled_flowsAndIsBounded(WebApplicationType type, boolean ownPort)
      throws Exception {
    try (Shop shop = start(type, ownPort)) {
      shop.call(Shop.QUOTES);
      HystrixStream stream = shop.bean(HystrixStream.class);
      List<HttpResponse<InputStream>> open = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        open.add(shop.open("/hystrixstream"));
      }
      for (HttpResponse<InputStream> each : open) {
        assertThat(each.statusCode()).isEqualTo(200);
        assertThat(each.headers().firstValue("Content-Type").orElseThrow())
            .startsWith("text/event-stream");
        BufferedReader lines = new BufferedReader(new InputStreamReader(each.body(), UTF_8));
        for (int event = 0; event < 2; event++) {
          assertThat(next(lines)).contains("\"name\":\"Quotes\"").doesNotContain("secret");
        }
      }
      assertThat(shop.get("/hystrixstream").statusCode()).isEqualTo(503);
      assertThat(shop.post("/hystrixstream", "{}").statusCode()).isEqualTo(405);
      for (HttpResponse<InputStream> each : open) {
        each.body().close();
      }
      await()
          .atMost(PatientWaits.patience())
          .until(() -> stream.clients(StreamKind.DASHBOARD) == 0);
    }
  }

  private static Shop start(WebApplicationType type, boolean ownPort, String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add(ENABLED);
    if (ownPort) {
      properties.add("management.server.port=0");
      properties.add("management.server.address=127.0.0.1");
    }
    return Shop.start(type, properties.toArray(String[]::new));
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
  @CsvSource({"SERVLET, true", "SERVLET, false", "REACTIVE, true", "REACTIVE, false"})
  void reader_thatStalls_losesItsPlaceWhileItsConnectionIsOpen(
      WebApplicationType type, boolean ownPort) throws Exception {
    try (Shop shop = start(type, ownPort, "shop.impatient=true")) {
      for (int i = 0; i < 300; i++) { // more than connections hold on their way
        shop.tenrec
            .command("Command" + i, (Integer n) -> n)
            .isolation(Isolation.semaphore(1))
            .build();
      }
      HystrixStream stream = shop.bean(HystrixStream.class);
      try (Socket stalling = new Socket()) {
        stalling.setReceiveBufferSize(1_024);
        stalling.connect(new InetSocketAddress("127.0.0.1", shop.port()));
        stalling
            .getOutputStream()
            .write(
                "GET /actuator/hystrixstream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
        assertThat(new String(stalling.getInputStream().readNBytes(12), UTF_8))
            .isEqualTo("HTTP/1.1 200");
        // from here on it reads nothing, and does not close either
        await().until(() -> stream.clients(StreamKind.DASHBOARD) == 0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"SERVLET", "REACTIVE"})
  void stream_whereNothingIsSaid_isNotThere(WebApplicationType type) throws Exception {
    try (Shop shop = Shop.start(type)) {
      assertThat(shop.get("/hystrixstream").statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource({"SERVLET, true", "SERVLET, false", "REACTIVE, true", "REACTIVE, false"})
  void application_thatStopsGracefully_endsItsStreamsBeforeItWaits(
      WebApplicationType type, boolean ownPort) throws Exception {
    Shop shop =
        start(
            type,
            ownPort,
            "server.shutdown=graceful",
            "spring.lifecycle.timeout-per-shutdown-phase=1h"); // as good as for ever
    HystrixStream stream = shop.bean(HystrixStream.class);
    try (InputStream body = shop.open("/hystrixstream").body()) {
      assertThat(body.read()).isPositive();
      shop.close();
    }
    assertThat(stream.clients(StreamKind.DASHBOARD)).isZero();
    assertThat(stream.open(StreamKind.DASHBOARD)).isEmpty();
  }
}
