// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.server.HostCheck;
import dev.tenrec.hystrix.stream.internal.server.ServingThreads;
import dev.tenrec.hystrix.stream.internal.server.StreamHandler;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JDK's server before the page: which host is named, and which token is shown. */
public final class PageHandler implements HttpHandler {

  private static final String ROOT = "/tenrec/";

  private final HostCheck hosts;
  private final Access access;
  private final Pages pages;
  private final StreamHandler stream;
  private final ServingThreads threads;
  private final @Nullable InstanceHandler instances;

  /**
   * Answers from these.
   *
   * @param feed of the page's stream
   * @param threads on which this is called
   * @param relay to the consoles of other instances; null if none is opened
   */
  public PageHandler(
      HostCheck hosts,
      Access access,
      Pages pages,
      Feed feed,
      ServingThreads threads,
      @Nullable InstanceRelay relay) {
    this.hosts = hosts;
    this.access = access;
    this.pages = pages;
    this.threads = threads;
    this.instances = relay == null ? null : new InstanceHandler(relay, threads);
    this.stream = new StreamHandler(Map.of(ROOT + "stream", feed), hosts, threads);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (hosts.allows(exchange.getRequestHeaders().getFirst("Host"))) {
        read(exchange);
      } else {
        answer(
            exchange,
            Reply.words(403, "this Host is not allowed: use an address, or allow the name"));
      }
    }
  }

  private void read(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = exchange.getRequestURI().getRawQuery();
    Headers headers = exchange.getRequestHeaders();
    boolean get = exchange.getRequestMethod().equals("GET");
    int port = exchange.getLocalAddress().getPort();
    String cookie = get && path.equals(ROOT) ? access.cookie(query, port) : null;
    if (get && (path.equals("/") || path.equals("/tenrec"))) {
      redirect(exchange);
    } else if (cookie != null) {
      exchange.getResponseHeaders().set("Set-Cookie", cookie);
      redirect(exchange); // so that the token leaves the address
    } else if (get && !access.allows(headers, port)) {
      answer(
          exchange,
          Reply.words(
              401,
              "open " + ROOT + "?token=..., or send the token as a bearer's",
              Map.of("WWW-Authenticate", "Bearer")));
    } else {
      String name = path.startsWith(ROOT) ? path.substring(ROOT.length()) : path;
      byte[] body =
          exchange.getRequestMethod().equals("POST")
              ? exchange.getRequestBody().readNBytes(Pages.LONGEST_BODY + 1)
              : new byte[0];
      answer(exchange, reply(exchange, name, body, access.operator(headers, port)));
    }
  }

  /** A fleet's store is asked here, which has time-outs of its own, and it is not the client's. */
  private Reply reply(HttpExchange exchange, String name, byte[] body, @Nullable String operator) {
    threads.leaveToItself();
    try {
      return pages.reply(
          exchange.getRequestMethod(),
          name,
          exchange.getRequestURI().getRawQuery(),
          exchange.getRequestHeaders()::getFirst,
          operator,
          body);
    } finally {
      threads.watch();
    }
  }

  private void redirect(HttpExchange exchange) throws IOException {
    answer(exchange, Reply.words(303, ROOT, Map.of("Location", ROOT)));
  }

  private void answer(HttpExchange exchange, Reply reply) throws IOException {
    String instance = reply.instance();
    if (instance != null && instances != null) {
      ofInstance(exchange, instances, instance, new String(reply.body(), UTF_8));
      return;
    }
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    if (reply.isStream()) {
      stream.handle(exchange);
      return;
    }
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.status(), head ? -1 : reply.body().length);
    if (!head) {
      exchange.getResponseBody().write(reply.body());
    }
  }

  private void ofInstance(
      HttpExchange exchange, InstanceHandler instances, String instance, String part)
      throws IOException {
    Reply answered =
        InstanceRelay.isStream(part)
            ? instances.stream(exchange, instance, part)
            : instances.ask(instance, part);
    if (answered != null) {
      answer(exchange, answered);
    }
  }
}
