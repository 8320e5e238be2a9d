// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import dev.tenrec.hystrix.stream.internal.servlet.AsyncClient;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;

/**
 * One of the streams as a servlet, which has to be registered with {@code asyncSupported}. No
 * thread of the container waits for a client. Only reading; who may read is the application's to
 * say, as for its other paths.
 *
 * <p>Several servlets may share one {@link HystrixStream}, which they do not close.
 */
public final class HystrixStreamServlet extends HttpServlet {

  private final transient Feed feed;

  /**
   * Written by the container's thread that destroys this, read by the serving threads, ordered by
   * volatile access.
   */
  private volatile boolean destroyed;

  /** The stream of this kind. */
  public HystrixStreamServlet(HystrixStream stream, StreamKind kind) {
    this.feed = stream.feed(Objects.requireNonNull(kind, "kind"));
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!request.isAsyncSupported()) {
      throw new IllegalStateException(
          "the servlet of hystrix.stream, and every filter before it, has to be registered with"
              + " asyncSupported=true");
    }
    AsyncClient client = new AsyncClient();
    Seat seat = destroyed ? null : feed.take(client);
    if (seat == null) {
      response.sendError(
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          destroyed ? "this servlet is destroyed" : StreamResponse.full(feed.maxClients()));
      return;
    }
    response.setContentType(StreamResponse.CONTENT_TYPE);
    StreamResponse.NOT_KEPT.forEach(response::setHeader);
    client.begin(seat, request, response);
  }

  /** Refused: it would take a place of the stream, of which it gets nothing, and never leave. */
  @Override
  protected void doHead(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Allow", "GET");
    response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED, "GET only");
  }

  /** Lets no other client in. Those that are there stay until the stream is closed. */
  @Override
  public void destroy() {
    destroyed = true;
  }
}
