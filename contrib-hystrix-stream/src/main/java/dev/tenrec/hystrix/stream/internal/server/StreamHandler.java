// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Answers a request with the feed of its path. */
public final class StreamHandler implements HttpHandler {

  private final Map<String, Feed> feeds;
  private final HostCheck hosts;
  private final ServingThreads threads;

  /**
   * @param feeds by path
   * @param threads on which this is called
   */
  public StreamHandler(Map<String, Feed> feeds, HostCheck hosts, ServingThreads threads) {
    this.feeds = feeds;
    this.hosts = hosts;
    this.threads = threads;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Feed feed = feeds.get(exchange.getRequestURI().getPath());
      if (!hosts.allows(exchange.getRequestHeaders().getFirst("Host"))) {
        refuse(exchange, 403, "this Host is not allowed: use an address, or allow the name");
      } else if (feed == null) {
        refuse(exchange, 404, "there are: " + String.join(", ", feeds.keySet()));
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        refuse(exchange, 405, "GET only");
      } else if (!BlockingClient.serve(feed, threads, () -> begin(exchange))) {
        refuse(exchange, 503, StreamResponse.full(feed.maxClients()));
      }
    }
  }

  private static OutputStream begin(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", StreamResponse.CONTENT_TYPE);
    StreamResponse.NOT_KEPT.forEach(headers::set);
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }

  private static void refuse(HttpExchange exchange, int status, String words) throws IOException {
    byte[] body = (words + "\n").getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain;charset=UTF-8");
    exchange.sendResponseHeaders(
        status, exchange.getRequestMethod().equals("HEAD") ? -1 : body.length);
    if (!exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseBody().write(body);
    }
  }
}
