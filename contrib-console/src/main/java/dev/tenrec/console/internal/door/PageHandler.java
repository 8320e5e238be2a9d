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
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers all requests: the page's files, its stream, and one command's story. Only reading. */
public final class PageHandler implements HttpHandler {

  private static final String STREAM = Assets.ROOT + "stream";
  private static final String COMMAND = Assets.ROOT + "command";
  private static final Pattern ID = Pattern.compile("id=(\\d{1,9})");

  /** Nothing inline, nothing from elsewhere, in no frame. */
  private static final Map<String, String> GUARDS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final Assets assets = new Assets();
  private final HostCheck hosts;
  private final Access access;
  private final StreamHandler stream;
  private final IntFunction<byte @Nullable []> story;

  /**
   * Answers from these.
   *
   * @param feed of the page's stream
   * @param threads on which this is called
   * @param story of the command with this id, as JSON; null if there is none
   */
  public PageHandler(
      HostCheck hosts,
      Access access,
      Feed feed,
      ServingThreads threads,
      IntFunction<byte @Nullable []> story) {
    this.hosts = hosts;
    this.access = access;
    this.story = story;
    this.stream = new StreamHandler(Map.of(STREAM, feed), hosts, threads);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      GUARDS.forEach(exchange.getResponseHeaders()::set);
      if (!hosts.allows(exchange.getRequestHeaders().getFirst("Host"))) {
        refuse(exchange, 403, "this Host is not allowed: use an address, or allow the name");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        refuse(exchange, 405, "GET only");
      } else {
        read(exchange);
      }
    }
  }

  private void read(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int port = exchange.getLocalAddress().getPort();
    if (path.equals("/") || path.equals("/tenrec")) {
      redirect(exchange);
    } else if (!path.equals(Assets.ROOT) && isFromElsewhere(exchange.getRequestHeaders())) {
      refuse(exchange, 403, "only the page itself reads this");
    } else if (path.equals(Assets.ROOT) && access.opens(exchange.getRequestURI().getRawQuery())) {
      exchange.getResponseHeaders().set("Set-Cookie", access.cookie(port));
      redirect(exchange); // so that the token leaves the address
    } else if (!access.allows(exchange.getRequestHeaders(), port)) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      refuse(exchange, 401, "open " + Assets.ROOT + "?token=..., or send the token as a bearer's");
    } else {
      find(exchange, path);
    }
  }

  private void find(HttpExchange exchange, String path) throws IOException {
    Assets.Asset asset = assets.byPath().get(path);
    if (asset != null) {
      answer(exchange, 200, asset.type(), asset.content());
    } else if (path.equals(STREAM)) {
      stream.handle(exchange);
    } else if (path.equals(COMMAND)) {
      byte[] found = story(exchange.getRequestURI().getRawQuery());
      if (found == null) {
        refuse(exchange, 404, "there is no such command, or nothing reads the stream");
      } else {
        answer(exchange, 200, "application/json", found);
      }
    } else {
      refuse(exchange, 404, "the page is at " + Assets.ROOT);
    }
  }

  private byte @Nullable [] story(@Nullable String query) {
    Matcher id = ID.matcher(query == null ? "" : query);
    return id.matches() ? story.apply(Integer.parseInt(id.group(1))) : null;
  }

  /** A page elsewhere cannot read an answer, but it could take the stream's places. */
  private static boolean isFromElsewhere(Headers request) {
    String site = request.getFirst("Sec-Fetch-Site");
    return site != null && !site.equals("same-origin") && !site.equals("none");
  }

  private static void redirect(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Location", Assets.ROOT);
    exchange.sendResponseHeaders(303, -1);
  }

  private static void refuse(HttpExchange exchange, int status, String words) throws IOException {
    answer(exchange, status, "text/plain;charset=UTF-8", (words + "\n").getBytes(UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }
}
