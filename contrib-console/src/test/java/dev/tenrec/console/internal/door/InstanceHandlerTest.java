// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import dev.tenrec.console.internal.relay.InstanceLine;
import dev.tenrec.console.internal.relay.InstanceLines;
import dev.tenrec.console.internal.relay.Networks;
import dev.tenrec.console.internal.relay.NoLineException;
import dev.tenrec.hystrix.stream.internal.server.ServingThreads;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A page that takes nothing, at whatever point, has no place for ever. */
class InstanceHandlerTest {

  private static final Duration PATIENCE = PatientWaits.patience();

  /** Where the page begins to take nothing. */
  private enum Point {
    HEAD,
    BODY,
    END
  }

  /** Two lines of a stream for each that comes, and the end of it. */
  private ServerSocket instance;

  private InstanceLines lines;
  private ServingThreads threads;

  @BeforeEach
  void start() throws Exception {
    instance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread playing = new Thread(this::play);
    playing.setDaemon(true);
    playing.start();
    lines =
        new InstanceLines(
            id -> "http://127.0.0.1:" + instance.getLocalPort() + "/tenrec/",
            Networks.of(List.of("127.0.0.0/8")),
            null,
            1,
            Duration.ofMinutes(1),
            Ticker.system(),
            InetAddress::getAllByName);
    threads = new ServingThreads("test", 4, Duration.ofMillis(200).toNanos(), Ticker.system());
  }

  @AfterEach
  void stop() throws IOException {
    threads.close();
    lines.close();
    instance.close();
  }

  private void play() {
    while (!instance.isClosed()) {
      try (Socket come = instance.accept()) {
        come.getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"
                    .getBytes(UTF_8));
      } catch (IOException gone) {
        // the test is over, or the page has left
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void stream_toAPageThatTakesNothing_givesItsPlaceBack(Point point) {
    InstanceHandler handler =
        new InstanceHandler(new InstanceRelay(lines, (part, said) -> true, 1), threads);
    Stalling page = new Stalling(point);
    CountDownLatch over = new CountDownLatch(1);
    threads.execute(
        () -> {
          try {
            var unused = handler.stream(page, "shop-8", "stream");
          } catch (IOException givenUp) {
            over.countDown();
          }
        });
    await().atMost(PATIENCE).until(() -> over.getCount() == 0);
    assertThat(page.stalled).as("it had got as far").isTrue();
    await().atMost(PATIENCE).until(this::hasPlace);
  }

  private boolean hasPlace() throws IOException {
    try (InstanceLine line = lines.open("shop-8", "stream")) {
      return true;
    } catch (NoLineException full) {
      return false;
    }
  }

  /** Waits as the JDK's server does for a client that takes nothing: until it is interrupted. */
  private static final class Stalling extends HttpExchange {

    private final Point point;
    private final Headers headers = new Headers();

    /** Written by the serving thread, read by the test's. */
    private volatile boolean stalled;

    Stalling(Point point) {
      this.point = point;
    }

    private void reach(Point now) throws IOException {
      if (now == point) {
        stalled = true;
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException closed) {
          throw new IOException("closed by the interrupt", closed);
        }
      }
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
      reach(Point.HEAD);
    }

    @Override
    public OutputStream getResponseBody() {
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          reach(Point.BODY);
        }

        @Override
        public void close() throws IOException {
          reach(Point.END);
        }
      };
    }

    @Override
    public Headers getResponseHeaders() {
      return headers;
    }

    @Override
    public Headers getRequestHeaders() {
      return headers;
    }

    @Override
    public URI getRequestURI() {
      return URI.create("/tenrec/stream?instance=shop-8");
    }

    @Override
    public String getRequestMethod() {
      return "GET";
    }

    @Override
    public InputStream getRequestBody() {
      return InputStream.nullInputStream();
    }

    @Override
    public String getProtocol() {
      return "HTTP/1.1";
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public InetSocketAddress getLocalAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    }

    @Override
    public int getResponseCode() {
      return -1;
    }

    @Override
    public void close() {
      // nothing to close
    }

    @Override
    public HttpContext getHttpContext() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object getAttribute(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(String name, Object value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setStreams(InputStream in, OutputStream out) {
      throw new UnsupportedOperationException();
    }

    @Override
    public HttpPrincipal getPrincipal() {
      return null;
    }
  }
}
