// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A caller's request as it goes on to the service, and which headers go along, both ways. */
final class Upstream {

  /** They are about one connection, not about the message (RFC 9110, 7.6.1), or are set anew. */
  private static final Set<String> OF_ONE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "date",
          "expect",
          "host",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private Upstream() {}

  /**
   * The request to send.
   *
   * @param body the caller's, empty for none
   * @throws IllegalArgumentException if the path does not belong to the route, or there is
   *     something in path or headers that must not be sent
   */
  static HttpRequest request(Route route, HttpExchange exchange, byte[] body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(route, exchange.getRequestURI()));
    Headers headers = exchange.getRequestHeaders();
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      if (goesOn(header.getKey())) {
        header.getValue().forEach(value -> request.header(header.getKey(), value));
      }
    }
    boolean empty = body.length == 0;
    request.method(
        exchange.getRequestMethod(),
        empty ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    return request.header("Via", "1.1 tenrec").build();
  }

  private static URI uri(Route route, URI asked) {
    String rest = asked.getRawPath().substring(route.path().length());
    String query = asked.getRawQuery();
    if (rest.isEmpty() && query == null) {
      return route.upstream();
    }
    if (!rest.isEmpty() && !rest.startsWith("/")) {
      throw new IllegalArgumentException("there is no route for " + asked.getRawPath());
    }
    return URI.create(route.upstream() + rest + (query == null ? "" : "?" + query));
  }

  static boolean goesOn(String header) {
    return !OF_ONE_CONNECTION.contains(header.toLowerCase(Locale.ROOT));
  }
}
