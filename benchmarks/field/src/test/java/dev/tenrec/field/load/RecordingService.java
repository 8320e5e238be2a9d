// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.field.kit.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers at once, with one status and one byte, and keeps what it was sent. */
final class RecordingService implements AutoCloseable {

  private final HttpServer server;
  private final int status;
  private final List<String> received = new CopyOnWriteArrayList<>();

  private RecordingService(HttpServer server, int status) {
    this.server = server;
    this.status = status;
  }

  static RecordingService open(int status) throws IOException {
    RecordingService service = new RecordingService(LoopbackServer.bind(0), status);
    service.server.createContext("/", service::take);
    service.server.start();
    return service;
  }

  URI uri() {
    return LoopbackServer.uri(server);
  }

  /** Each request: method, path, two of its headers, and body. */
  List<String> received() {
    return received;
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      received.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + " "
              + exchange.getRequestHeaders().getFirst("Content-Type")
              + " | "
              + exchange.getRequestHeaders().getFirst("X-Shop")
              + " | "
              + body);
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", "1");
        exchange.sendResponseHeaders(status, -1);
      } else {
        exchange.sendResponseHeaders(status, 1);
        exchange.getResponseBody().write('x');
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
