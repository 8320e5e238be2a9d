// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.field.kit.LoopbackServer;
import dev.tenrec.field.kit.ProcessMeter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service on loopback that answers {@code /delay/500} after 500 ms, and any such number, and
 * counts what it is asked. A delay takes no thread. Its requests may come from any thread.
 */
public final class DelayService implements AutoCloseable {

  static final String COUNTS = "/counts";
  static final String RESET = "/reset";

  private static final String DELAY = "/delay/";
  private static final int THREADS = 4;
  private static final int LONGEST_DELAY_MILLIS = 60_000;

  private final HttpServer server;
  private final ScheduledExecutorService threads;
  private final ProcessMeter process = new ProcessMeter();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong mostInFlight = new AtomicLong();

  private DelayService(HttpServer server) {
    this.server = server;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newScheduledThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "delay-service-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts one.
   *
   * @param port where, or 0 for a free one
   * @throws IOException if the port is taken, or there is another reason not to listen
   */
  public static DelayService open(int port) throws IOException {
    HttpServer server = LoopbackServer.bind(port);
    DelayService service = new DelayService(server);
    server.createContext(DELAY, service::delay);
    server.createContext(COUNTS, exchange -> answer(exchange, 200, service.counts().text()));
    server.createContext(RESET, exchange -> answer(exchange, 200, service.reset()));
    server.setExecutor(service.threads);
    server.start();
    return service;
  }

  /** Where it listens. */
  public URI uri() {
    return LoopbackServer.uri(server);
  }

  /** What it was asked since it began, or since it was reset. */
  public ServiceCounts counts() {
    return new ServiceCounts(received.get(), mostInFlight.get(), process.figures());
  }

  private String reset() {
    received.set(0);
    mostInFlight.set(inFlight.get());
    process.reset();
    return "";
  }

  private void delay(HttpExchange exchange) throws IOException {
    received.incrementAndGet();
    mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    int millis = millis(exchange.getRequestURI().getPath());
    if (millis < 0) {
      end(exchange, 400, "expected a delay of 0 to " + LONGEST_DELAY_MILLIS + " ms\n");
    } else if (millis == 0) {
      end(exchange, 200, "at once\n");
    } else {
      Future<?> unused =
          threads.schedule(
              () -> end(exchange, 200, "after " + millis + " ms\n"), millis, TimeUnit.MILLISECONDS);
    }
  }

  private static int millis(String path) {
    try {
      int millis = Integer.parseInt(path.substring(DELAY.length()));
      return millis <= LONGEST_DELAY_MILLIS ? millis : -1;
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  /** Before the answer, so that a caller that has it and asks again is not counted twice. */
  private void end(HttpExchange exchange, int status, String text) {
    inFlight.decrementAndGet();
    try {
      answer(exchange, status, text);
    } catch (IOException gone) {
      // the caller has given up: nobody waits for the answer
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] unused = exchange.getRequestBody().readAllBytes();
      byte[] body = text.getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
