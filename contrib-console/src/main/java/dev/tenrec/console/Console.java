// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import com.sun.net.httpserver.HttpServer;
import dev.tenrec.console.internal.door.Access;
import dev.tenrec.console.internal.door.PageHandler;
import dev.tenrec.console.internal.door.Tokens;
import dev.tenrec.console.internal.relay.Resolver;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetOperator;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A live page of what every command of one Tenrec is doing, served by the JDK's own HTTP server. It
 * only reads, unless it is given a fleet and {@linkplain Builder#operator operators}; nothing of
 * arguments or results is on it.
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

  private final HttpServer server;
  private final ServingThreads threads;
  private final ConsolePage page;

  private Console(HttpServer server, ServingThreads threads, ConsolePage page) {
    this.server = server;
    this.threads = threads;
    this.page = page;
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
    return new Builder(tenrec);
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
    boolean named = at.equals(InetAddress.getLoopbackAddress()) || at.isAnyLocalAddress();
    String host = named ? "localhost" : at.getHostAddress();
    try {
      return new URI("http", null, host, address().getPort(), "/tenrec/", null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e); // an address is a host
    }
  }

  /** How many pages are open. */
  public int clients() {
    return page.clients();
  }

  /** Ends all connections and gives the port back. The Tenrec stays open. Idempotent. */
  @Override
  public void close() {
    page.close();
    threads.close();
    server.stop(0);
  }

  /** Describes a page. Not thread-safe. */
  public static final class Builder {

    private final ConsolePage.Builder description;
    private InetSocketAddress address = loopback(0);
    private @Nullable String token;
    private List<String> allowedHosts = List.of();
    private final Map<String, FleetOperator> operators = new LinkedHashMap<>();
    private @Nullable FleetOperator viewer;
    private @Nullable String instanceToken;

    private Builder(Tenrec tenrec) {
      this.description = ConsolePage.builder(tenrec);
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
      this.token = Tokens.checked(token);
      return this;
    }

    /**
     * Shows the fleet that this Tenrec belongs to: its settings, instances and history. Default:
     * none.
     *
     * @param viewer reads the fleet's store; it needs no right to write there
     */
    public Builder fleet(FleetOperator viewer) {
      this.viewer = Objects.requireNonNull(viewer, "viewer");
      return this;
    }

    /**
     * Lets requests with this token change the fleet's settings, and read as well. Changes are
     * written by this operator, so that the history has the name that the store has authenticated
     * there. Default: nobody may change anything.
     *
     * @param token as a {@link #token}, and another for each
     * @param operator of a session of its own
     * @throws IllegalArgumentException if the token will not do, or is another's
     */
    public Builder operator(String token, FleetOperator operator) {
      Objects.requireNonNull(operator, "operator");
      if (operators.putIfAbsent(Tokens.checked(token), operator) != null) {
        throw new IllegalArgumentException("token: expected one of this operator's own");
      }
      return this;
    }

    /**
     * Lets each reader of this page look at each instance of the fleet through it, at the console
     * that the instance has {@linkplain dev.tenrec.fleet.FleetMember#console registered}: by plain
     * HTTP, a port from 1,024 on, and only if each address of its host is in these networks. No
     * redirect is followed, and no proxy asked. At most {@link #maxClients} instances' streams at
     * once, besides this page's own. Default: none is opened.
     *
     * @param networks as {@code 10.2.0.0/16} or {@code fd12::/64}; an address alone is that
     *     address. Those of the link, of many hosts and of clouds' metadata are never opened
     * @throws IllegalArgumentException if there is none, or one is no network
     */
    public Builder instances(List<String> networks) {
      description.instances(networks);
      return this;
    }

    /**
     * As {@link #instances(List)}, where the instances' consoles want a token.
     *
     * @param token for reading, the same at each of them; every instance that is looked at gets to
     *     know it
     * @throws IllegalArgumentException as well if the token is none, as for {@link #token}
     */
    public Builder instances(List<String> networks, String token) {
      description.instances(networks, token);
      this.instanceToken = token;
      return this;
    }

    /** For tests of names that lead elsewhere. */
    Builder resolver(Resolver resolver) {
      description.resolver(resolver);
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
      description.maxClients(clients);
      return this;
    }

    /**
     * From one reading to the next: half a second by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder interval(Duration interval) {
      description.interval(interval);
      return this;
    }

    /**
     * How long a page may take nothing of what waits for it: 10 s by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder stalledAfter(Duration patience) {
      description.stalledAfter(patience);
      return this;
    }

    /** For tests in virtual time; requests arrive in real time all the same. */
    Builder time(Ticker ticker, Waiter waiter) {
      description.time(ticker, waiter);
      return this;
    }

    /**
     * Serves it.
     *
     * @throws IllegalStateException if it would be open to other machines without a token, or has
     *     operators or networks of instances and no fleet, or a token that is for reading or for
     *     instances and an operator's
     * @throws IOException if the address cannot be had
     */
    public Console start() throws IOException {
      InetAddress at = address.getAddress();
      if (token == null && (at == null || !at.isLoopbackAddress())) {
        throw new IllegalStateException(
            "token: expected one, because " + address + " can be reached from other machines");
      }
      Access access = access();
      HostCheck hosts = new HostCheck(allowedHosts);
      ConsolePage page = description.build();
      ServingThreads threads =
          new ServingThreads(
              "tenrec-console",
              page.feed().maxClients() * (page.relay() == null ? 1 : 2) + SPARE_THREADS,
              description.stalledAfter().toNanos(),
              Ticker.system());
      HttpServer server = threads.server();
      Console console = new Console(server, threads, page);
      try {
        server.createContext(
            "/", new PageHandler(hosts, access, page.pages(), page.feed(), threads, page.relay()));
        threads.start(server, address);
        return console;
      } catch (IOException | RuntimeException | Error e) {
        console.close();
        throw e;
      }
    }

    /** The tokens for reading and those for changing; the page is given the fleet. */
    private Access access() {
      FleetOperator seen = viewer;
      if (seen == null && !operators.isEmpty()) {
        throw new IllegalStateException("fleet: expected one, because there are operators of it");
      }
      if (instanceToken != null && operators.containsKey(instanceToken)) {
        throw new IllegalStateException(
            "instances: expected another token than an operator's: instances get to know it");
      }
      if (token != null && operators.containsKey(token)) {
        throw new IllegalStateException("token: expected another for reading than an operator's");
      }
      if (seen == null) { // the classes of a fleet may be missing, and what is below needs them
        return new Access(token, Map.of());
      }
      Map<String, String> names = new HashMap<>();
      Map<String, FleetOperator> byName = new HashMap<>();
      operators.forEach(
          (each, operator) -> {
            String name = "operator " + names.size();
            names.put(each, name);
            byName.put(name, operator);
          });
      description.fleet(seen, byName::get);
      return new Access(token, names);
    }
  }
}
