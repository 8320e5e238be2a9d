// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.springcloud;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A remote service, on a loopback port. It answers as a test says, a path at a time. */
final class RemoteShop implements AutoCloseable {

  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  RemoteShop() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Answers {@code path} with this status from now on. */
  void answer(String path, int status) {
    statuses.put(path, status);
  }

  /** Answers {@code path} when this is closed. */
  void hold(String path) {
    held.put(path, new CountDownLatch(1));
  }

  /** Answers all from now on, also what was held. */
  void forget() {
    held.values().forEach(CountDownLatch::countDown);
    held.clear();
    statuses.clear();
    asked.clear();
  }

  int asked(String path) {
    return asked.getOrDefault(path, 0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.merge(path, 1, Integer::sum);
    CountDownLatch latch = held.get(path);
    if (latch != null) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    byte[] body = ("answer of " + path).getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain");
      exchange.sendResponseHeaders(statuses.getOrDefault(path, 200), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    held.values().forEach(CountDownLatch::countDown);
    server.stop(0);
    threads.shutdownNow();
  }
}
