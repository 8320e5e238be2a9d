// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.field.kit.LoopbackServer;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reverse proxy on loopback. A call takes a thread while it is read, and while it is answered,
 * and none in between; or, as in a container of threads, one thread all the time. This server reads
 * bodies by waiting for them, so that they may be small only.
 */
public final class Gateway implements AutoCloseable {

  /** As many threads for callers as are needed where none of them waits for a service. */
  public static final int NO_WAITING = 0;

  private static final int SERVER_THREADS = 4;
  private static final int MOST_BODY_BYTES = 64 << 10;
  private static final Set<String> METHODS = Set.of("DELETE", "GET", "PATCH", "POST", "PUT");
  private static final int CLIENT_THREADS = 2;
  private static final int FIRST_SERVER_ERROR = 500;

  static {
    // A stage of HttpClient's ends on the default executor of CompletableFuture. Before JDK 25 that
    // may start a thread for each call: it does where the common pool would have one, as on two
    // cores.
    System.setProperty(
        "java.util.concurrent.ForkJoinPool.common.parallelism", Integer.toString(CLIENT_THREADS));
  }

  private final HttpServer server;
  private final ExecutorService serverThreads;
  private final boolean waiting;
  private final ExecutorService clientThreads =
      Executors.newFixedThreadPool(CLIENT_THREADS, daemons("gateway-client-"));
  private final HttpClient client;
  private final Tenrec tenrec = Tenrec.create();
  private final Meter meter;

  private Gateway(
      HttpServer server, List<Route> routes, int limit, Duration timeout, int waitingThreads) {
    this.server = server;
    this.waiting = waitingThreads != NO_WAITING;
    this.serverThreads =
        Executors.newFixedThreadPool(
            waiting ? waitingThreads : SERVER_THREADS, daemons("gateway-server-"));
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(clientThreads)
            .connectTimeout(timeout)
            .build();
    List<CommandView> views = new ArrayList<>();
    this.meter = new Meter(views);
    for (Route route : routes) {
      Command<HttpRequest, HttpResponse<byte[]>> command = command(route, limit, timeout);
      views.add(command.view());
      server.createContext(route.path(), exchange -> pass(route, command, exchange));
    }
    server.createContext("/", exchange -> Answers.say(exchange, 404, "there is no such route"));
    server.createContext(
        GatewayCounts.PATH, exchange -> Answers.say(exchange, 200, meter.counts().text()));
    server.createContext(GatewayCounts.RESET, this::reset);
    server.setExecutor(serverThreads);
  }

  /**
   * Opens one.
   *
   * @param port where, or 0 for a free one
   * @param limit how many calls of each route may be in flight
   * @param timeout how long a service may take
   * @param waitingThreads how many threads there are for callers, each of which waits for the
   *     service's answer; {@link #NO_WAITING} for a few that do not
   * @throws IOException if the port is taken, or there is another reason not to listen
   */
  public static Gateway open(
      int port, List<Route> routes, int limit, Duration timeout, int waitingThreads)
      throws IOException {
    Gateway gateway =
        new Gateway(LoopbackServer.bind(port), routes, limit, timeout, waitingThreads);
    gateway.server.start();
    return gateway;
  }

  private Command<HttpRequest, HttpResponse<byte[]>> command(
      Route route, int limit, Duration timeout) {
    return tenrec
        .asyncCommand(
            route.name(),
            (HttpRequest request) ->
                client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
        .isolation(Isolation.semaphore(limit))
        .timeout(timeout)
        .failIf(reply -> reply.statusCode() >= FIRST_SERVER_ERROR)
        .build();
  }

  /** Where it listens. */
  public URI uri() {
    return LoopbackServer.uri(server);
  }

  private void pass(
      Route route, Command<HttpRequest, HttpResponse<byte[]>> command, HttpExchange exchange) {
    meter.received();
    HttpRequest request;
    try {
      if (!METHODS.contains(exchange.getRequestMethod())) {
        meter.answering();
        String allowed = String.join(", ", METHODS.stream().sorted().toList());
        exchange.getResponseHeaders().set("Allow", allowed);
        Answers.say(exchange, 405, "this gateway passes on " + allowed);
        return;
      }
      byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES + 1);
      if (body.length > MOST_BODY_BYTES) {
        meter.answering();
        Answers.say(exchange, 413, "a body may have " + MOST_BODY_BYTES + " bytes here");
        return;
      }
      request = Upstream.request(route, exchange, body);
    } catch (IllegalArgumentException wrong) {
      meter.answering();
      Answers.say(exchange, 400, wrong.getMessage());
      return;
    } catch (IOException gone) {
      // the caller has given up before all of its request was here
      meter.answering();
      exchange.close();
      return;
    }
    CompletableFuture<Void> answered =
        command
            .executeAsync(request)
            .handle(
                (reply, error) -> {
                  meter.answering();
                  Answers.end(exchange, reply, error);
                  return null;
                });
    if (waiting) {
      Void unused = answered.join();
    }
  }

  private void reset(HttpExchange exchange) {
    meter.reset();
    Answers.say(exchange, 200, "counts from 0");
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Lets what is in flight end, for a few seconds; then nothing of it is left. */
  @Override
  public void close() throws Exception {
    tenrec.close();
    server.stop(0);
    if (client instanceof AutoCloseable closeable) {
      // since JDK 21; before that its one thread ends with its last reference
      closeable.close();
    }
    clientThreads.shutdownNow();
    serverThreads.shutdownNow();
  }
}
