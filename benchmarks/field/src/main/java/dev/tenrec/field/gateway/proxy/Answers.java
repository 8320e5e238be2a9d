// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.FailedResultException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Ends a caller's exchange, on whichever thread the command's answer came. */
final class Answers {

  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  private Answers() {}

  /** With what the command ended with: the service's answer, or the reason why there is none. */
  static void end(
      HttpExchange exchange, @Nullable HttpResponse<byte[]> reply, @Nullable Throwable error) {
    if (reply != null) {
      pass(exchange, reply);
    } else if (error instanceof FailedResultException failed
        && failed.result() instanceof HttpResponse<?> answer
        && answer.body() instanceof byte[]) {
      // an error of the service counts against it, and is the caller's answer nevertheless
      @SuppressWarnings("unchecked") // looked at above
      HttpResponse<byte[]> itsOwn = (HttpResponse<byte[]>) answer;
      pass(exchange, itsOwn);
    } else if (error instanceof CommandTimeoutException) {
      say(exchange, GATEWAY_TIMEOUT, error.getMessage());
    } else {
      Refusal refusal = error == null ? null : Refusal.of(error);
      if (refusal != null) {
        exchange.getResponseHeaders().set(Refusal.HEADER, refusal.text());
      }
      String text = error == null ? "there is no answer" : error.getMessage();
      say(exchange, refusal != null ? UNAVAILABLE : BAD_GATEWAY, text);
    }
  }

  private static void pass(HttpExchange exchange, HttpResponse<byte[]> reply) {
    Headers headers = exchange.getResponseHeaders();
    reply
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (Upstream.goesOn(name)) {
                headers.put(name, values);
              }
            });
    send(exchange, reply.statusCode(), reply.body());
  }

  /** With words of the gateway's own. */
  static void say(HttpExchange exchange, int status, @Nullable String text) {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    send(exchange, status, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Writes without waiting as long as the answer fits into the socket's buffer, as those do. */
  private static void send(HttpExchange exchange, int status, byte[] body) {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    } catch (IOException gone) {
      // the caller has given up: nobody waits for the answer
    }
  }
}
