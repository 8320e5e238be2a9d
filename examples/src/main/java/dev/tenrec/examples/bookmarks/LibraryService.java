// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The library on a loopback port. Each answer takes a while, but no thread. */
final class LibraryService implements AutoCloseable {

  private static final int THREADS = 4;
  private static final long AFTER_MILLIS = 5;

  static {
    // Without it each answer may wait 40 ms for the acknowledgement of its own headers. Read by the
    // server's classes when they are loaded.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final Library library;
  private final HttpServer server;
  private final ScheduledExecutorService answers =
      Executors.newScheduledThreadPool(
          THREADS,
          work -> {
            Thread thread = new Thread(work, "library");
            thread.setDaemon(true);
            return thread;
          });

  private LibraryService(Library library, HttpServer server) {
    this.library = library;
    this.server = server;
  }

  /** Listens until it is closed. */
  static LibraryService open(Library library) throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    LibraryService service = new LibraryService(library, HttpServer.create(anyPort, 0));
    service.server.createContext("/", service::handle);
    service.server.setExecutor(service.answers);
    service.server.start();
    return service;
  }

  /** Where it listens, with a slash at the end. */
  URI uri() {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + "/");
  }

  private void handle(HttpExchange exchange) {
    String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
    Library.Answer answer = library.answer(path[0], path.length < 2 ? "" : path[1]);
    Future<?> unused =
        answers.schedule(() -> send(exchange, answer), AFTER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void send(HttpExchange exchange, Library.Answer answer) {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException gone) {
      // the caller has given up: no thread waits for this answer
    }
  }

  @Override
  public void close() {
    server.stop(0);
    answers.shutdownNow();
  }
}
