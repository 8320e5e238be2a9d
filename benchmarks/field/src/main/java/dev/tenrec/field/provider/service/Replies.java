// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Ends exchanges. */
final class Replies {

  private Replies() {}

  static void send(HttpExchange exchange, int status, String text) {
    try (exchange) {
      byte[] unused = exchange.getRequestBody().readAllBytes();
      byte[] body = text.getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException gone) {
      // the caller has given up: nobody waits for the answer
    }
  }
}
