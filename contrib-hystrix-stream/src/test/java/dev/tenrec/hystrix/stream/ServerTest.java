// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.metrics.FreePorts;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The JDK's server against clients that are too many, leave, stall, or mean harm. */
class ServerTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  private final Tenrec tenrec = Tenrec.create();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    tenrec.close();
  }

  private HystrixStream stream(int maxClients, Duration stalledAfter) {
    HystrixStream stream =
        HystrixStream.builder(tenrec)
            .interval(Duration.ofMillis(20))
            .stalledAfter(stalledAfter)
            .maxClients(maxClients)
            .build();
    open.add(stream);
    return stream;
  }

  private HystrixStreamServer serve(HystrixStream stream, String... hosts) throws IOException {
    return serve(stream, PATIENCE, hosts);
  }

  private HystrixStreamServer serve(HystrixStream stream, Duration arrival, String... hosts)
      throws IOException {
    HystrixStreamServer server =
        HystrixStreamServer.start(
            stream,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            List.of(hosts),
            false,
            arrival.toNanos());
    open.add(server);
    return server;
  }

  /** Moves time on when a stream waits for it: it reads once more. */
  static void beat(ManualTime time) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> !time.waiting().isEmpty());
    time.advance(Duration.ofSeconds(1));
  }

  /** The first line of the answer to these lines. */
  private static String answer(HystrixStreamServer server, String... lines) throws IOException {
    try (Socket socket = socket(server)) {
      socket.getOutputStream().write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(US_ASCII));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))
          .readLine();
    }
  }

  private static Socket socket(HystrixStreamServer server) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(1_024);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.connect(server.address());
    return socket;
  }

  @Test
  void client_beyondTheMost_isAnsweredWith503AndLetInWhenOneHasLeft() throws Exception {
    HystrixStream stream = stream(2, PATIENCE);
    int port = serve(stream).address().getPort();
    String path = StreamKind.DASHBOARD.path();
    try (Lines first = Lines.of(port, path);
        Lines second = Lines.of(port, path)) {
      first.next();
      try (Lines third = Lines.of(port, path)) {
        assertThat(third.response.statusCode()).isEqualTo(503);
        assertThat(third.next()).isEqualTo("MaxConcurrentConnections reached: 2");
      }
      try (Lines other = Lines.of(port, StreamKind.CONFIG.path())) {
        assertThat(other.response.statusCode()).as("each stream has its own").isEqualTo(200);
      }
      second.close();
      await().atMost(PATIENCE).until(() -> stream.clients(StreamKind.DASHBOARD) == 1);
      try (Lines again = Lines.of(port, path)) {
        assertThat(again.response.statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void lastClient_thatHasLeft_leavesNoThreadOfTheStreamBehind() throws Exception {
    HystrixStream stream = stream(2, PATIENCE);
    int port = serve(stream).address().getPort();
    for (StreamKind kind : StreamKind.values()) {
      try (Lines lines = Lines.of(port, kind.path())) {
        assertThat(lines.next()).isNotNull();
      }
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(
                        thread ->
                            thread.getName().startsWith("tenrec-hystrix")
                                && thread.getName().endsWith(".stream")));
  }

  @Test
  void reader_thatStalls_isGivenUpAndHoldsUpNobody() throws Exception {
    for (int i = 0; i < 300; i++) { // some 600 kB a reading, more than the buffers between hold
      tenrec.command("Command" + i, (Integer n) -> n).isolation(Isolation.semaphore(1)).build();
    }
    // on a slow machine, too, only the reader that takes nothing is given up
    ManualTime time = new ManualTime();
    HystrixStream stream =
        HystrixStream.builder(tenrec)
            .interval(Duration.ofMillis(20))
            .stalledAfter(Duration.ofMinutes(1))
            .maxClients(2)
            .time(time, time)
            .build();
    open.add(stream);
    HystrixStreamServer server = serve(stream);
    try (Socket stalling = socket(server);
        Lines reading = Lines.of(server.address().getPort(), StreamKind.DASHBOARD.path())) {
      stalling
          .getOutputStream()
          .write("GET /hystrix.stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      boolean came = false;
      boolean gone = false;
      for (int i = 0; i < 10_000 && !gone; i++) { // each some reading of the other's
        beat(time);
        reading.skipTo("\"Command299\"");
        came |= stream.clients(StreamKind.DASHBOARD) == 2;
        gone = came && stream.clients(StreamKind.DASHBOARD) == 1;
      }
      assertThat(gone).isTrue();
      // a newer JDK's server sends headers with the first part only, for which time has to move
      FutureTask<Integer> asked =
          new FutureTask<>(
              () -> {
                try (Lines next =
                    Lines.of(server.address().getPort(), StreamKind.DASHBOARD.path())) {
                  return next.response.statusCode();
                }
              });
      new Thread(asked, "next-reader").start();
      while (!asked.isDone()) {
        beat(time);
        reading.skipTo("\"Command299\"");
      }
      assertThat(asked.get()).isEqualTo(200);
    }
  }

  @Test
  void request_thatIsNeverSentToItsEnd_keepsNoThread() throws Exception {
    HystrixStreamServer server = serve(stream(1, PATIENCE), Duration.ofMillis(300));
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) { // more than there are threads
        Socket socket = socket(server);
        slow.add(socket);
        socket.getOutputStream().write("GET /hystrix.stream HTTP/1.1\r\nX-".getBytes(US_ASCII));
      }
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(
              () ->
                  "HTTP/1.1 404 Not Found"
                      .equals(answer(server, "GET /nothing HTTP/1.1", "Host: localhost")));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void host_thatIsAName_isRefusedUnlessItIsAllowed() throws Exception {
    HystrixStreamServer server = serve(stream(5, PATIENCE), "Metrics.example");
    String get = "GET /hystrix.stream HTTP/1.1";
    assertThat(answer(server, get, "Host: rebound.example")).contains(" 403 ");
    assertThat(answer(server, get, "Host: 127.0.0.1.rebound.example")).contains(" 403 ");
    assertThat(answer(server, get, "Host: localhost.rebound.example:80")).contains(" 403 ");
    assertThat(answer(server, get, "X-Forwarded-Host: localhost")).contains(" 403 ");
    for (String host :
        List.of("localhost", "127.0.0.1:8080", "[::1]:8080", "metrics.example", "10.1.2.3")) {
      assertThat(answer(server, get, "Host: " + host)).as(host).contains(" 200 ");
    }
  }

  @Test
  void anythingButReading_isRefused() throws Exception {
    HystrixStreamServer server = serve(stream(5, PATIENCE));
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "HEAD")) {
      assertThat(
              answer(
                  server,
                  method + " /hystrix.stream HTTP/1.1",
                  "Host: localhost",
                  "Content-Length: 0"))
          .as(method)
          .contains(" 405 ");
    }
    assertThat(answer(server, "GET /other HTTP/1.1", "Host: localhost")).contains(" 404 ");
  }

  @Test
  void close_ofTheTenrec_endsTheStreams() throws Exception {
    HystrixStream stream = stream(5, PATIENCE);
    int port = serve(stream).address().getPort();
    for (StreamKind kind : StreamKind.values()) {
      try (Lines lines = Lines.of(port, kind.path())) {
        lines.next();
        if (kind == StreamKind.REQUESTS) {
          tenrec.close();
          while (lines.next() != null) {
            // what was there still
          }
        }
      }
    }
    await().atMost(PATIENCE).until(() -> stream.clients(StreamKind.REQUESTS) == 0);
    try (Lines late = Lines.of(port, StreamKind.DASHBOARD.path())) {
      String line = late.next();
      for (int i = 0; i < 100 && line != null; i++) {
        line = late.next();
      }
      assertThat(line).isNull();
    }
  }

  @Test
  void close_ofTheServer_endsConnectionsAndGivesThePortBack() throws Exception {
    // another process may take a port that is free for a moment, but not each of several
    boolean givenBack = endsAndGivesThePortBack();
    for (int tries = 1; tries < 5 && !givenBack; tries++) {
      givenBack = endsAndGivesThePortBack();
    }
    assertThat(givenBack).isTrue();
  }

  private boolean endsAndGivesThePortBack() throws Exception {
    HystrixStreamServer server = HystrixStreamServer.start(tenrec, 0);
    int port = server.address().getPort();
    assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
    try (Lines lines = Lines.of(port, StreamKind.DASHBOARD.path())) {
      lines.next();
      server.close();
      try {
        while (lines.next() != null) {
          // what was there still
        }
      } catch (IOException cut) {
        // an end as well
      }
    }
    try {
      HystrixStreamServer again = HystrixStreamServer.start(tenrec, port);
      again.close();
      again.close();
      return true;
    } catch (BindException taken) {
      return false;
    }
  }

  @Test
  void description_thatMakesNoSense_isRefusedInWords() {
    HystrixStream.Builder builder = HystrixStream.builder(tenrec);
    assertThatThrownBy(() -> builder.maxClients(0)).hasMessage("maxClients: 0, expected 1 to 1000");
    assertThatThrownBy(() -> builder.interval(Duration.ZERO))
        .hasMessage("interval: PT0S, expected PT0.01S to PT1H");
    assertThatThrownBy(() -> builder.stalledAfter(Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** While it is set, a step of the server's start finds no thread, as where there are no more. */
  private static final class NoThread extends InheritableThreadLocal<String> {

    private final List<String> made = new CopyOnWriteArrayList<>();

    @Override
    protected String childValue(String step) {
      if (StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> is(step, frame)))) {
        throw new OutOfMemoryError("no thread");
      }
      made.add(step);
      return step;
    }

    private static boolean is(String step, StackWalker.StackFrame frame) {
      return frame.getClassName().endsWith(".ServingThreads") && frame.getMethodName().equals(step);
    }
  }

  @Test
  void start_thatFindsNoThread_givesThePortBack() throws Exception {
    int port = FreePorts.take(1).get(0);
    NoThread noThread = new NoThread();
    for (String step : List.of("<init>", "start")) {
      noThread.set(step);
      try {
        assertThatThrownBy(() -> HystrixStreamServer.start(tenrec, port))
            .as(step)
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessage("no thread");
      } finally {
        noThread.remove();
      }
    }
    assertThat(noThread.made)
        .as("nor has the JDK's server a thread and a socket where ours finds none")
        .doesNotContain("<init>");
    HystrixStreamServer.start(tenrec, port).close();
  }
}
