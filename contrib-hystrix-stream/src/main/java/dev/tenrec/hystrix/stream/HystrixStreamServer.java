// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import com.sun.net.httpserver.HttpServer;
import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.server.HostCheck;
import dev.tenrec.hystrix.stream.internal.server.ServingThreads;
import dev.tenrec.hystrix.stream.internal.server.StreamHandler;
import dev.tenrec.metrics.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Serves the streams by the JDK's own HTTP server, at the paths of {@link StreamKind}. Only
 * reading, and on the loopback address unless it is given another.
 *
 * <p>A request has to name the server by {@code localhost}, an address, or one of the names that
 * are allowed; others are answered with 403, because a web page elsewhere could have its own name
 * point here. There is no login: what may reach the address may read.
 */
public final class HystrixStreamServer implements AutoCloseable {

  /** For requests that are refused or not read yet, beside those that stream. */
  private static final int SPARE_THREADS = 8;

  private static final long REQUEST_NANOS = 10_000_000_000L;

  private final HttpServer server;
  private final ServingThreads threads;
  private final HystrixStream stream;
  private final boolean ours;

  private HystrixStreamServer(
      HttpServer server, ServingThreads threads, HystrixStream stream, boolean ours) {
    this.server = server;
    this.threads = threads;
    this.stream = stream;
    this.ours = ours;
  }

  /**
   * Serves a Tenrec's streams on the loopback address, with all defaults.
   *
   * @param port 0 for any that is free
   * @throws IOException if the port cannot be had
   */
  public static HystrixStreamServer start(Tenrec tenrec, int port) throws IOException {
    return start(
        HystrixStream.of(tenrec),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        List.of(),
        true,
        REQUEST_NANOS);
  }

  /**
   * Serves these streams. They stay open when the server is closed.
   *
   * @param allowedHosts names that requests may use for this server, without a port
   * @throws IOException if the address cannot be had
   */
  public static HystrixStreamServer start(
      HystrixStream stream, InetSocketAddress address, List<String> allowedHosts)
      throws IOException {
    return start(stream, address, allowedHosts, false, REQUEST_NANOS);
  }

  static HystrixStreamServer start(
      HystrixStream stream,
      InetSocketAddress address,
      List<String> allowedHosts,
      boolean ours,
      long requestNanos)
      throws IOException {
    Objects.requireNonNull(stream, "stream");
    HostCheck hosts = new HostCheck(allowedHosts);
    Map<String, Feed> feeds = new LinkedHashMap<>();
    int most = SPARE_THREADS;
    for (StreamKind kind : StreamKind.values()) {
      feeds.put(kind.path(), stream.feed(kind));
      most += stream.feed(kind).maxClients();
    }
    ServingThreads threads =
        new ServingThreads("tenrec-hystrix-stream", most, requestNanos, Ticker.system());
    HttpServer server = threads.server();
    HystrixStreamServer serving = new HystrixStreamServer(server, threads, stream, ours);
    try {
      server.createContext("/", new StreamHandler(feeds, hosts, threads));
      threads.start(server, address);
      return serving;
    } catch (IOException | RuntimeException | Error e) {
      serving.close();
      throw e;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Ends all connections and gives the port back. Idempotent. */
  @Override
  public void close() {
    if (ours) {
      stream.close();
    }
    threads.close();
    server.stop(0);
  }
}
