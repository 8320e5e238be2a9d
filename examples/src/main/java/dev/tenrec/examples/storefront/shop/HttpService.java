// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP service on a loopback port of its own, which can die and come back. A slow answer takes
 * time but no thread.
 *
 * <p>Not thread-safe but for its requests: one thread starts, kills and closes it.
 */
public final class HttpService implements AutoCloseable {

  private static final int THREADS = 4;
  private static final int MOST_TRIES = 600;
  private static final long NEXT_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  static {
    // Without it each answer may wait 40 ms for the acknowledgement of its own headers. Read by the
    // server's classes when they are loaded.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final String name;
  private final Responder responder;
  private final ScheduledExecutorService replies;
  private HttpServer server;
  private final InetSocketAddress address;

  /** Holds the port of a dead service, so that nobody else gets it: bound, but nobody listens. */
  private @Nullable Socket placeholder;

  HttpService(String name, Responder responder) throws IOException {
    this.name = name;
    this.responder = responder;
    AtomicInteger threads = new AtomicInteger();
    this.replies =
        Executors.newScheduledThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "shop-" + name + "-" + threads.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    this.address = server.getAddress();
    listen();
  }

  /** What it is called in the shop. */
  public String name() {
    return name;
  }

  /** Where it listens, with a slash at the end. */
  public URI uri() {
    return URI.create(
        "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + "/");
  }

  /** Breaks its connections off and refuses new ones. */
  public void die() throws IOException {
    server.stop(0);
    Socket held = new Socket();
    held.setReuseAddress(true);
    bind(() -> held.bind(address));
    placeholder = held;
  }

  /** Listens again, on the same port. */
  public void comeBack() throws IOException {
    if (placeholder != null) {
      placeholder.close();
      placeholder = null;
    }
    bind(() -> server = HttpServer.create(address, 0));
    listen();
  }

  /** What takes an address. */
  @FunctionalInterface
  private interface Binding {

    void bind() throws IOException;
  }

  /** The port is nobody's for a moment: a connection of another process may begin there. */
  private static void bind(Binding binding) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        binding.bind();
        return;
      } catch (BindException taken) {
        if (tries == MOST_TRIES) {
          throw taken;
        }
        LockSupport.parkNanos(NEXT_TRY_NANOS);
      }
    }
  }

  private void listen() {
    server.createContext("/", this::handle);
    server.setExecutor(replies);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    Reply reply = responder.respond(path.substring(path.lastIndexOf('/') + 1));
    Future<?> unused =
        replies.schedule(() -> send(exchange, reply), reply.afterMillis(), TimeUnit.MILLISECONDS);
  }

  private static void send(HttpExchange exchange, Reply reply) {
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(reply.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException gone) {
      // the caller has given up, or this service died meanwhile: no thread waits for this answer
    }
  }

  @Override
  public void close() throws IOException {
    if (placeholder != null) {
      placeholder.close();
    } else {
      server.stop(0);
    }
    replies.shutdownNow();
  }
}
