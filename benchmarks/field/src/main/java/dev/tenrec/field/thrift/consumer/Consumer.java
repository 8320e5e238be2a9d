// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.field.kit.LoopbackServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An HTTP endpoint on loopback whose answer is the provider's. Its threads are bounded, the queue
 * before them is not, as in many a container.
 */
final class Consumer implements AutoCloseable {

  static final String PATH = "/echo";

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final Route route;
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  private Consumer(HttpServer server, int threads, Route route) {
    this.server = server;
    this.route = route;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "consumer-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts one, at a free port.
   *
   * @param threads how many requests it serves at once
   */
  static Consumer open(int threads, Route route) throws IOException {
    Consumer consumer = new Consumer(LoopbackServer.bind(0), threads, route);
    consumer.server.createContext(PATH, consumer::serve);
    consumer.server.setExecutor(consumer.threads);
    consumer.server.start();
    return consumer;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** What it was asked, and what it answered. */
  Map<String, Long> gauges() {
    Map<String, Long> gauges = new LinkedHashMap<>();
    // ends before beginnings: so that none seems to have ended that did not begin
    gauges.put("answered", answered.get());
    gauges.put("refused", refused.get());
    gauges.put("failed", failed.get());
    gauges.put("received", received.get());
    gauges.put("queued", (long) threads.getQueue().size());
    return gauges;
  }

  private void serve(HttpExchange exchange) {
    received.incrementAndGet();
    Route.Reply reply = route.call();
    // before it is sent, so that who has all his answers finds them counted
    AtomicLong count =
        switch (reply.status()) {
          case Route.ANSWERED -> answered;
          case Route.REFUSED -> refused;
          default -> failed;
        };
    count.incrementAndGet();
    try (exchange) {
      byte[] body = (reply.text() + "\n").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(reply.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException gone) {
      // the caller has given up: nobody waits for the answer
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    route.close();
  }
}
