// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.bookshop;

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
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whom the shop asks, on a loopback port. Answers soon, but for the price of every fifth book. An
 * answer takes time but no thread.
 */
final class Publisher implements AutoCloseable {

  /** How long the price of every fifth book takes. */
  static final int SLOW_MILLIS = 250;

  private static final int SOON_MILLIS = 5;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int THREADS = 4;

  static {
    // Without it each answer may wait 40 ms for the acknowledgement of its own headers. Read by the
    // server's classes when they are loaded.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final LongAdder prices = new LongAdder();
  private final LongAdder stars = new LongAdder();
  private final LongAdder stockRequests = new LongAdder();
  private final LongAdder stockBooks = new LongAdder();

  private final ScheduledExecutorService answers =
      Executors.newScheduledThreadPool(
          THREADS,
          work -> {
            Thread thread = new Thread(work, "publisher");
            thread.setDaemon(true);
            return thread;
          });
  private final HttpServer server;

  private Publisher(HttpServer server) {
    this.server = server;
  }

  /** Listens until it is closed. */
  static Publisher open() throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Publisher publisher = new Publisher(HttpServer.create(anyPort, 0));
    publisher.server.createContext("/", publisher::handle);
    publisher.server.setExecutor(publisher.answers);
    publisher.server.start();
    return publisher;
  }

  /** Where it listens, with a slash at the end. */
  URI uri() {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + "/");
  }

  /** Whether the price of this book takes {@link #SLOW_MILLIS}. */
  static boolean isSlow(int book) {
    return book % 5 == 0;
  }

  /** What it was asked for. */
  record Asked(long prices, long stars, long stockRequests, long stockBooks) {}

  /** What it was asked for so far. */
  Asked asked() {
    return new Asked(prices.sum(), stars.sum(), stockRequests.sum(), stockBooks.sum());
  }

  private void handle(HttpExchange exchange) {
    String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
    switch (path[0]) {
      case "price" -> {
        prices.increment();
        int book = Integer.parseInt(path[1]);
        answer(exchange, OK, String.valueOf(500 + book), isSlow(book) ? SLOW_MILLIS : SOON_MILLIS);
      }
      case "delivery" -> answer(exchange, OK, "2", SOON_MILLIS);
      case "stars" -> {
        stars.increment();
        answer(exchange, OK, String.valueOf(1 + Integer.parseInt(path[1]) % 5), SOON_MILLIS);
      }
      case "stock" -> {
        String[] books = path[1].split(",", -1);
        stockRequests.increment();
        stockBooks.add(books.length);
        String left =
            Stream.of(books)
                .map(book -> String.valueOf(Integer.parseInt(book) * 7 % 20))
                .collect(Collectors.joining(","));
        answer(exchange, OK, left, SOON_MILLIS);
      }
      default -> answer(exchange, NOT_FOUND, "", SOON_MILLIS);
    }
  }

  private void answer(HttpExchange exchange, int status, String body, int afterMillis) {
    Future<?> unused =
        answers.schedule(() -> send(exchange, status, body), afterMillis, TimeUnit.MILLISECONDS);
  }

  private static void send(HttpExchange exchange, int status, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
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
