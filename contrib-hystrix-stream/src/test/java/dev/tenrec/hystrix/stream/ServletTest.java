// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servlet in a real container. */
class ServletTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  /** Held, or the level is forgotten with it. */
  private static final Logger CONTAINER = Logger.getLogger("org.apache");

  static {
    CONTAINER.setLevel(Level.SEVERE); // it says more of its start and end than of trouble
  }

  @TempDir Path directory;

  private final Tenrec tenrec = Tenrec.create();
  private final Tomcat tomcat = new Tomcat();
  private final HystrixStream stream =
      HystrixStream.builder(tenrec)
          .interval(Duration.ofMillis(20))
          .stalledAfter(PATIENCE)
          .maxClients(2)
          .build();
  private final HystrixStreamServlet servlet =
      new HystrixStreamServlet(stream, StreamKind.DASHBOARD);

  /** One for the test that has a reader stall: no other one is given up if a thread is slow. */
  private final ManualTime time = new ManualTime();

  private final HystrixStream timed =
      HystrixStream.builder(tenrec)
          .interval(Duration.ofMillis(20))
          .stalledAfter(Duration.ofMinutes(1))
          .maxClients(2)
          .time(time, time)
          .build();
  private int port;

  @BeforeEach
  void start() throws Exception {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().setProperty("maxThreads", "4");
    Context context = tomcat.addContext("", directory.toString());
    Wrapper wrapper = Tomcat.addServlet(context, "stream", servlet);
    wrapper.setAsyncSupported(true);
    context.addServletMappingDecoded(StreamKind.DASHBOARD.path(), "stream");
    Tomcat.addServlet(context, "timed", new HystrixStreamServlet(timed, StreamKind.DASHBOARD))
        .setAsyncSupported(true);
    context.addServletMappingDecoded("/timed.stream", "timed");
    tomcat.start();
    port = tomcat.getConnector().getLocalPort();
  }

  @AfterEach
  void stop() throws Exception {
    stream.close();
    timed.close();
    tomcat.stop();
    tomcat.destroy();
    tenrec.close();
  }

  @Test
  void stream_inAContainer_hasEventsAndPings() throws Exception {
    tenrec.command("GetQuote", (Integer i) -> i).isolation(Isolation.semaphore(1)).build();
    try (Lines lines = Lines.of(port, StreamKind.DASHBOARD.path())) {
      assertThat(lines.response.headers().firstValue("Content-Type").get())
          .isEqualToIgnoringCase("text/event-stream;charset=UTF-8");
      for (int i = 0; i < 5; i++) {
        assertThat(lines.event("HystrixCommand", "GetQuote").get("reportingHosts").asInt()).isOne();
      }
    }
    await().atMost(PATIENCE).until(() -> stream.clients(StreamKind.DASHBOARD) == 0);
  }

  @Test
  void client_beyondTheMostOrAfterTheEnd_isAnsweredWith503() throws Exception {
    try (Lines first = Lines.of(port, StreamKind.DASHBOARD.path());
        Lines second = Lines.of(port, StreamKind.DASHBOARD.path());
        Lines third = Lines.of(port, StreamKind.DASHBOARD.path())) {
      assertThat(first.next()).isEqualTo("ping: ");
      assertThat(second.next()).isEqualTo("ping: ");
      assertThat(third.response.statusCode()).isEqualTo(503);
      servlet.destroy();
    }
    await().atMost(PATIENCE).until(() -> stream.clients(StreamKind.DASHBOARD) == 0);
    try (Lines late = Lines.of(port, StreamKind.DASHBOARD.path())) {
      assertThat(late.response.statusCode()).isEqualTo(503);
    }
  }

  @Test
  void head_ofTheStream_isRefusedAndTakesNoPlace() throws Exception {
    HttpRequest head =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + StreamKind.DASHBOARD.path()))
            .timeout(PATIENCE)
            .method("HEAD", HttpRequest.BodyPublishers.noBody())
            .build();
    for (int i = 0; i < 3; i++) {
      HttpResponse<Void> answer =
          HttpClient.newHttpClient().send(head, HttpResponse.BodyHandlers.discarding());
      assertThat(answer.statusCode()).isEqualTo(405);
      assertThat(answer.headers().allValues("Allow")).containsExactly("GET");
      assertThat(stream.clients(StreamKind.DASHBOARD)).isZero();
    }
    try (Lines lines = Lines.of(port, StreamKind.DASHBOARD.path())) {
      assertThat(lines.response.statusCode()).isEqualTo(200);
      assertThat(lines.next()).isEqualTo("ping: ");
    }
  }

  @Test
  void reader_thatStalls_isGivenUpAndHoldsUpNobody() throws Exception {
    for (int i = 0; i < 300; i++) {
      tenrec.command("Command" + i, (Integer n) -> n).isolation(Isolation.semaphore(1)).build();
    }
    try (Socket stalling = new Socket();
        Lines reading = Lines.of(port, "/timed.stream")) {
      stalling.setReceiveBufferSize(1_024);
      stalling.connect(new InetSocketAddress("127.0.0.1", port));
      stalling
          .getOutputStream()
          .write("GET /timed.stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      boolean came = false;
      boolean gone = false;
      for (int i = 0; i < 10_000 && !gone; i++) {
        ServerTest.beat(time);
        reading.skipTo("\"Command299\"");
        came |= timed.clients(StreamKind.DASHBOARD) == 2;
        gone = came && timed.clients(StreamKind.DASHBOARD) == 1;
      }
      assertThat(gone).isTrue();
    }
  }

  @Test
  void close_ofTheStream_endsTheAnswer() throws Exception {
    try (Lines lines = Lines.of(port, StreamKind.DASHBOARD.path())) {
      lines.next();
      stream.close();
      String line = "";
      for (int i = 0; i < 1_000 && line != null; i++) {
        line = lines.next();
      }
      assertThat(line).isNull();
    }
  }
}
