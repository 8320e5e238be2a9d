// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** What the shops depend on: answers with a price, or breaks. */
final class Prices implements AutoCloseable {

  private final HttpServer server;

  /** Written by the thread that plays, read by the server's. */
  private volatile boolean broken;

  Prices() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    server.createContext("/price", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (broken) {
      exchange.close(); // as a process that dies
      return;
    }
    byte[] price = "12.50".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, price.length);
    exchange.getResponseBody().write(price);
    exchange.close();
  }

  void breaks() {
    broken = true;
  }

  void recovers() {
    broken = false;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/price";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
