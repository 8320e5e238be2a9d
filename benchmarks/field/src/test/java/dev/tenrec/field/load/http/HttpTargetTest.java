// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.RunClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Against a server whose reply comes byte by byte, 10 ms each, and never ends. */
class HttpTargetTest {

  private static final Duration TIMEOUT = Duration.ofMillis(150);

  /** Long enough to connect on a crowded machine, so that it is the reply that is missing. */
  private static final Duration CONNECTED_TIMEOUT = Duration.ofMillis(1_000);

  private static final long GAP_NANOS = Duration.ofMillis(10).toNanos();

  private final RunClock clock = new RunClock();
  private ServerSocket server;
  private HttpTarget target;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread dribbling = new Thread(this::dribble, "dribbling");
    dribbling.setDaemon(true);
    dribbling.start();
    target = new HttpTarget(HttpAddress.of(address()), TIMEOUT, 1);
  }

  private String address() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/";
  }

  @AfterEach
  void close() throws IOException {
    target.close();
    server.close();
  }

  private void dribble() {
    try (Socket socket = server.accept()) {
      OutputStream out = socket.getOutputStream();
      out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      while (!server.isClosed()) {
        out.write('x');
        clock.awaitNanos(clock.nanos() + GAP_NANOS);
      }
    } catch (IOException | InterruptedException ended) {
      // the caller has gone: that is what is wanted
    }
  }

  @Test
  void call_repliedToWithoutEnd_fails_whenItsTimeIsOver() {
    assertThatThrownBy(() -> target.call()).isInstanceOf(SocketTimeoutException.class);

    assertThat(clock.nanos()).isGreaterThanOrEqualTo(TIMEOUT.toNanos());
  }

  @Test
  void callAsync_repliedToWithoutEnd_fails_whenItsTimeIsOver() throws IOException {
    target.close();
    target = new HttpTarget(HttpAddress.of(address()), CONNECTED_TIMEOUT, 1);

    assertThatThrownBy(() -> target.callAsync().join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(SocketTimeoutException.class)
        // the latter where the thread that connects had no processor for a second
        .hasMessageMatching("no (reply|connection) in 1000 ms");

    assertThat(clock.nanos()).isGreaterThanOrEqualTo(CONNECTED_TIMEOUT.toNanos() * 9 / 10);
  }

  @Test
  @EnabledOnOs(OS.LINUX) // others may refuse where this one lets them try again
  void callAsync_ofAServerThatTakesNoMoreConnections_fails_whenItsTimeIsOver() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      while (waits(full, waiting)) {
        assertThat(waiting).hasSizeLessThan(50);
      }
      String address = "http://127.0.0.1:" + full.getLocalPort() + "/";
      try (HttpTarget caller = new HttpTarget(HttpAddress.of(address), TIMEOUT, 1)) {
        assertThatThrownBy(() -> caller.callAsync().join())
            .cause()
            .isInstanceOf(SocketTimeoutException.class)
            .hasMessage("no connection in 150 ms");
      }
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  /** Whether there was room for one more that waits to be accepted. */
  private static boolean waits(ServerSocket server, List<Socket> waiting) throws IOException {
    Socket socket = new Socket();
    waiting.add(socket);
    try {
      socket.connect(server.getLocalSocketAddress(), 200);
      return true;
    } catch (SocketTimeoutException full) {
      return false;
    }
  }
}
