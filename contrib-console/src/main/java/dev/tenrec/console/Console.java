// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import com.sun.net.httpserver.HttpServer;
import dev.tenrec.console.internal.door.Access;
import dev.tenrec.console.internal.door.PageHandler;
import dev.tenrec.console.internal.reading.Readings;
import dev.tenrec.console.internal.reading.Story;
import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.FeedPlan;
import dev.tenrec.hystrix.stream.internal.server.HostCheck;
import dev.tenrec.hystrix.stream.internal.server.ServingThreads;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A live page of what every command of one Tenrec is doing, served by the JDK's own HTTP server. It
 * only reads; nothing of arguments or results is on it.
 *
 * <p>On the loopback address it asks for no login, unless it is given a token; on any other address
 * it must be given one. A request has to name the server by {@code localhost}, an address, or a
 * name that is allowed, because a web page elsewhere could have its own name point here.
 *
 * <p>Views are read twice a second for all pages together, on a thread that is there while a page
 * is open; no call waits for it or is listened to. A page whose connection takes nothing for 10 s
 * loses it. Thread-safe.
 */
public final class Console implements AutoCloseable {

  /** For files, stories and refusals, beside the streams. */
  private static final int SPARE_THREADS = 8;

  /** Of changes that wait for a page that is behind; beyond that it is sent all anew. */
  private static final int BACKLOG = 8;

  private static final int SHORTEST_TOKEN = 16;
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofHours(1);

  private final HttpServer server;
  private final ServingThreads threads;
  private final Feed feed;

  private Console(HttpServer server, ServingThreads threads, Feed feed) {
    this.server = server;
    this.threads = threads;
    this.feed = feed;
  }

  /**
   * Serves the page on the loopback address, with all defaults.
   *
   * @param port 0 for any that is free
   * @throws IOException if the port cannot be had
   */
  public static Console start(Tenrec tenrec, int port) throws IOException {
    return builder(tenrec).port(port).start();
  }

  /** Starts the description of one. */
  public static Builder builder(Tenrec tenrec) {
    return new Builder(Objects.requireNonNull(tenrec, "tenrec"));
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /**
   * What to open in a browser of this machine. Where there is a token, {@code ?token=} and the
   * token are to be appended once.
   */
  public URI uri() {
    InetAddress at = address().getAddress();
    boolean local = at.isLoopbackAddress() || at.isAnyLocalAddress();
    String host = local ? "localhost" : at.getHostAddress();
    try {
      return new URI("http", null, host, address().getPort(), "/tenrec/", null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e); // an address is a host
    }
  }

  /** How many pages are open. */
  public int clients() {
    return feed.clients();
  }

  /** Ends all connections and gives the port back. The Tenrec stays open. Idempotent. */
  @Override
  public void close() {
    feed.close();
    threads.close();
    server.stop(0);
  }

  /** Describes a page. Not thread-safe. */
  public static final class Builder {

    private final Tenrec tenrec;
    private InetSocketAddress address = loopback(0);
    private @Nullable String token;
    private List<String> allowedHosts = List.of();
    private int maxClients = 5;
    private Duration interval = Duration.ofMillis(500);
    private Duration stalledAfter = Duration.ofSeconds(10);

    private Builder(Tenrec tenrec) {
      this.tenrec = tenrec;
    }

    private static InetSocketAddress loopback(int port) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Of the loopback address: any that is free (0) by default. */
    public Builder port(int port) {
      return address(loopback(port));
    }

    /** Where to listen. Any but a loopback address wants a {@link #token}. */
    public Builder address(InetSocketAddress address) {
      this.address = Objects.requireNonNull(address, "address");
      return this;
    }

    /**
     * What has to be shown to read anything: none by default. It goes over the wire as it is, so
     * another machine's browser wants something with TLS before this.
     *
     * @throws IllegalArgumentException if it has fewer than 16 characters, or others than ASCII
     *     letters, digits, {@code -}, {@code .}, {@code _} and {@code ~}
     */
    public Builder token(String token) {
      if (!token.matches("[A-Za-z0-9._~-]{" + SHORTEST_TOKEN + ",}")) {
        throw new IllegalArgumentException(
            "token: expected at least "
                + SHORTEST_TOKEN
                + " ASCII letters, digits, '-', '.', '_' or '~', but it has "
                + token.length()
                + " characters");
      }
      this.token = token;
      return this;
    }

    /** Names that requests may use for this server, without a port: none by default. */
    public Builder allowedHosts(List<String> names) {
      this.allowedHosts = List.copyOf(names);
      return this;
    }

    /**
     * How many pages may be open at once: 5 by default.
     *
     * @throws IllegalArgumentException if it is less than 1 or more than 1,000
     */
    public Builder maxClients(int clients) {
      if (clients < 1 || clients > 1_000) {
        throw new IllegalArgumentException("maxClients: " + clients + ", expected 1 to 1000");
      }
      this.maxClients = clients;
      return this;
    }

    /**
     * From one reading to the next: half a second by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder interval(Duration interval) {
      this.interval = checked("interval", interval);
      return this;
    }

    /**
     * How long a page may take nothing of what waits for it: 10 s by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder stalledAfter(Duration patience) {
      this.stalledAfter = checked("stalledAfter", patience);
      return this;
    }

    private static Duration checked(String what, Duration given) {
      if (given.compareTo(SHORTEST) < 0 || given.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            what + ": " + given + ", expected " + SHORTEST + " to " + LONGEST);
      }
      return given;
    }

    /**
     * Serves it.
     *
     * @throws IllegalStateException if it would be open to other machines without a token
     * @throws IOException if the address cannot be had
     */
    public Console start() throws IOException {
      InetAddress at = address.getAddress();
      if (token == null && (at == null || !at.isLoopbackAddress())) {
        throw new IllegalStateException(
            "token: expected one, because " + address + " can be reached from other machines");
      }
      HttpServer server = HttpServer.create(address, 0);
      Ticker ticker = Ticker.system();
      InstantSource wallClock = InstantSource.system();
      Readings readings = new Readings(tenrec, wallClock, ticker);
      Feed feed =
          new Feed(
              new FeedPlan(
                  "tenrec-console",
                  interval.toNanos(),
                  BACKLOG,
                  maxClients,
                  stalledAfter.toNanos(),
                  ticker,
                  Waiter.system()),
              readings);
      ServingThreads threads =
          new ServingThreads(
              "tenrec-console", maxClients + SPARE_THREADS, stalledAfter.toNanos(), ticker);
      server.setExecutor(threads);
      server.createContext(
          "/",
          new PageHandler(
              new HostCheck(allowedHosts),
              new Access(token),
              feed,
              threads,
              id -> story(readings, id, wallClock)));
      server.start();
      return new Console(server, threads, feed);
    }

    private byte @Nullable [] story(Readings readings, int id, InstantSource wallClock) {
      Optional<byte[]> found =
          readings.command(id).map(command -> Story.of(tenrec, command, wallClock));
      return found.orElse(null);
    }
  }
}
