// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenrec.console.internal.door.Desk;
import dev.tenrec.console.internal.door.InstanceRelay;
import dev.tenrec.console.internal.door.Pages;
import dev.tenrec.console.internal.door.Reply;
import dev.tenrec.console.internal.door.Tokens;
import dev.tenrec.console.internal.reading.Counsels;
import dev.tenrec.console.internal.reading.Readings;
import dev.tenrec.console.internal.reading.Story;
import dev.tenrec.console.internal.relay.InstanceLines;
import dev.tenrec.console.internal.relay.Networks;
import dev.tenrec.console.internal.relay.RelayedStream;
import dev.tenrec.console.internal.relay.Resolver;
import dev.tenrec.console.internal.steering.FleetDesk;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.FeedBounds;
import dev.tenrec.hystrix.stream.internal.feed.FeedPlan;
import dev.tenrec.hystrix.stream.internal.feed.Parts;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import dev.tenrec.hystrix.stream.internal.feed.SeatPublisher;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import io.reactivex.rxjava3.core.Flowable;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The live page of one Tenrec without a server of its own, for the server of an application: as a
 * {@link ConsoleServlet}, or by what each request is to be {@linkplain #answer answered} with. It
 * only reads, unless it is given a {@linkplain Builder#fleet fleet} and users that may change its
 * settings; nothing of arguments or results is on it. The application says which requests may read,
 * and by which host's name, as for its other paths.
 *
 * <p>All its parts have addresses relative to the page's own, which ends with a slash. Views are
 * read twice a second for all pages together, on a thread that is there while a page is open; no
 * call waits for it or is listened to. Thread-safe.
 */
public final class ConsolePage implements AutoCloseable {

  /** How many bytes a request may have. */
  public static final int LONGEST_BODY = Pages.LONGEST_BODY;

  /** Of changes that wait for a page that is behind; beyond that it is sent all anew. */
  private static final int BACKLOG = 8;

  private final Feed feed;
  private final Pages pages;
  private final @Nullable InstanceRelay relay;

  private ConsolePage(Builder builder) {
    Tenrec tenrec = builder.tenrec;
    InstantSource wallClock = InstantSource.system();
    Desk desk = builder.desk(builder.networks != null);
    Readings readings =
        new Readings(tenrec, wallClock, builder.ticker, builder.interval, desk != null);
    Counsels counsels = new Counsels(tenrec, builder.ticker);
    pages =
        new Pages(
            id -> {
              Optional<byte[]> found =
                  readings.command(id).map(command -> Story.of(tenrec, command, wallClock));
              return found.orElse(null);
            },
            id -> {
              Optional<byte[]> found = readings.command(id).map(counsels::of);
              return found.orElse(null);
            },
            counsels::of,
            desk,
            builder.networks != null);
    relay = builder.relay(pages);
    feed =
        new Feed(
            new FeedPlan(
                "tenrec-console",
                builder.interval.toNanos(),
                BACKLOG,
                builder.maxClients,
                builder.stalledAfter.toNanos(),
                builder.ticker,
                builder.waiter),
            readings);
  }

  /** With all defaults. */
  public static ConsolePage of(Tenrec tenrec) {
    return builder(tenrec).build();
  }

  /** Starts the description of one. */
  public static Builder builder(Tenrec tenrec) {
    return new Builder(Objects.requireNonNull(tenrec, "tenrec"));
  }

  /** The names of all its parts; that of the page itself is empty. */
  public Set<String> names() {
    return pages.names();
  }

  /**
   * Whether answering a request for this part may wait, for the store of a {@linkplain
   * Builder#fleet fleet} or for {@linkplain Builder#instances another instance}: what serves others
   * meanwhile, as an event loop, is not to do it. The other parts wait for nothing.
   *
   * @param name what follows the page's own address: empty, or one of the {@link #names}
   */
  public boolean mayWait(String name) {
    return pages.mayWait(name);
  }

  /**
   * What a request of nobody in particular is answered with: it may read only. Anything else, what
   * is not there, and what a page of another site asks for, have answers as well. Waits where
   * {@link #mayWait} says so.
   *
   * @param method of HTTP, in capitals
   * @param name what follows the page's own address: empty, or one of the {@link #names}
   * @param query as it was sent, or null
   * @param header has the first value of a header, whose name's case does not count, or null
   */
  public ConsoleAnswer answer(
      String method,
      String name,
      @Nullable String query,
      Function<String, @Nullable String> header) {
    return answer(method, name, query, header, null, new byte[0]);
  }

  /**
   * What a request of a user is answered with. Waits where {@link #mayWait} says so.
   *
   * @param method of HTTP, in capitals
   * @param name what follows the page's own address: empty, or one of the {@link #names}
   * @param query as it was sent, or null
   * @param header has the first value of a header, whose name's case does not count, or null
   * @param user as whom the server has authenticated the request; null if as nobody
   * @param body all that was sent, or the first {@link #LONGEST_BODY} bytes and one more
   */
  public ConsoleAnswer answer(
      String method,
      String name,
      @Nullable String query,
      Function<String, @Nullable String> header,
      @Nullable String user,
      byte[] body) {
    Reply reply = pages.reply(method, name, query, header, user, body);
    String instance = reply.instance();
    return new ConsoleAnswer(
        instance == null || relay == null
            ? reply
            : relay.reply(instance, new String(reply.body(), UTF_8)));
  }

  /**
   * The stream that follows an answer, as parts of the wire's format, each of which is to be
   * flushed: a page's place at this Tenrec's own, which is taken at once, or that of another
   * instance. It is given up when the subscriber cancels, or asks for nothing while something waits
   * for it; one of an instance also if this is not called. One subscriber only. Parts must not be
   * changed. Completes when this closes; this Tenrec's own when it closes, that of an instance when
   * the instance has gone.
   *
   * @param answer one that {@linkplain ConsoleAnswer#isStream is a stream}
   * @return empty if as many pages are open as may be, this is closed, or that of an instance has
   *     been opened already: an answer of 503
   */
  public Optional<Flowable<byte[]>> open(ConsoleAnswer answer) {
    return Optional.ofNullable(SeatPublisher.of(client -> take(answer, client)))
        .map(Flowable::fromPublisher);
  }

  /** As {@link #open}, for a client that takes what follows part by part. */
  @Nullable Parts take(ConsoleAnswer answer, Seat.Client client) {
    RelayedStream relayed = answer.relayed();
    return relayed == null ? feed.take(client) : relayed.follow(client);
  }

  /** How many pages of this Tenrec's own are open. */
  public int clients() {
    return feed.clients();
  }

  /** Ends the streams of all pages, and lets no other in. The Tenrec stays open. Idempotent. */
  @Override
  public void close() {
    feed.close();
    if (relay != null) {
      relay.close();
    }
  }

  Feed feed() {
    return feed;
  }

  Pages pages() {
    return pages;
  }

  /** To the consoles of other instances; null if none is opened. */
  @Nullable InstanceRelay relay() {
    return relay;
  }

  /** Describes a page. Not thread-safe. */
  public static final class Builder {

    private final Tenrec tenrec;
    private int maxClients = 5;
    private Duration interval = Duration.ofMillis(500);
    private Duration stalledAfter = Duration.ofSeconds(10);
    private Ticker ticker = Ticker.system();
    private Waiter waiter = Waiter.system();
    private @Nullable Function<Boolean, Desk> desk;
    private @Nullable Networks networks;
    private @Nullable String instanceToken;
    private Resolver resolver = InetAddress::getAllByName;

    private Builder(Tenrec tenrec) {
      this.tenrec = tenrec;
    }

    /**
     * How many pages may be open at once: 5 by default.
     *
     * @throws IllegalArgumentException if it is less than 1 or more than 1,000
     */
    public Builder maxClients(int clients) {
      this.maxClients = FeedBounds.maxClients(clients);
      return this;
    }

    /**
     * From one reading to the next: half a second by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder interval(Duration interval) {
      this.interval = FeedBounds.time("interval", interval);
      return this;
    }

    /**
     * How long a page may take nothing of what waits for it: 10 s by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder stalledAfter(Duration patience) {
      this.stalledAfter = FeedBounds.time("stalledAfter", patience);
      return this;
    }

    /**
     * Shows a fleet: its settings, instances and history, on any of their consoles. Default: none.
     * Nobody may change anything by the page.
     *
     * @param viewer reads the fleet's store; it needs no right to write there
     */
    public Builder fleet(FleetOperator viewer) {
      return fleet(viewer, user -> null);
    }

    /**
     * Shows a fleet, and lets some users change its settings. What they change is written by an
     * operator of their own, so that the history has the name that the store has authenticated
     * there.
     *
     * @param viewer reads the fleet's store; it needs no right to write there
     * @param operators by the names of users, as {@link ConsolePage#answer} is given them; null for
     *     a user that may not change anything. Called on serving threads, at each request
     */
    public Builder fleet(
        FleetOperator viewer, Function<String, @Nullable FleetOperator> operators) {
      desk = opensInstances -> new FleetDesk(viewer, operators, opensInstances, ticker);
      return this;
    }

    /**
     * Lets each reader of this page look at each instance of the fleet through it, at the console
     * that the instance has {@linkplain dev.tenrec.fleet.FleetMember#console registered}: by plain
     * HTTP, a port from 1,024 on, and only if each address of its host is in these networks. No
     * redirect is followed, and no proxy asked. At most {@link #maxClients} instances' streams at
     * once, besides this page's own, each with a thread that reads it. Default: none is opened.
     *
     * @param networks as {@code 10.2.0.0/16} or {@code fd12::/64}; an address alone is that
     *     address. Those of the link, of many hosts and of clouds' metadata are never opened
     * @throws IllegalArgumentException if there is none, or one is no network
     */
    public Builder instances(List<String> networks) {
      this.networks = Networks.of(networks);
      return this;
    }

    /**
     * As {@link #instances(List)}, where the instances' consoles want a token.
     *
     * @param token for reading, the same at each of them; every instance that is looked at gets to
     *     know it
     * @throws IllegalArgumentException as well if the token has fewer than 16 characters, or others
     *     than ASCII letters, digits, {@code -}, {@code .}, {@code _} and {@code ~}
     */
    public Builder instances(List<String> networks, String token) {
      this.instanceToken = Tokens.checked(token);
      return instances(networks);
    }

    /** For tests of names that lead elsewhere. */
    Builder resolver(Resolver resolver) {
      this.resolver = resolver;
      return this;
    }

    private @Nullable Desk desk(boolean opensInstances) {
      if (desk == null && opensInstances) {
        throw new IllegalStateException("fleet: expected one, because its instances are opened");
      }
      return desk == null ? null : desk.apply(opensInstances);
    }

    private @Nullable InstanceRelay relay(Pages pages) {
      return networks == null
          ? null
          : new InstanceRelay(
              new InstanceLines(
                  pages::console,
                  networks,
                  instanceToken,
                  maxClients,
                  stalledAfter,
                  Ticker.system(),
                  resolver),
              pages::isAdvice,
              stalledAfter.toNanos());
    }

    /** For tests in virtual time. */
    Builder time(Ticker ticker, Waiter waiter) {
      this.ticker = ticker;
      this.waiter = waiter;
      return this;
    }

    Duration stalledAfter() {
      return stalledAfter;
    }

    /**
     * Makes it; nothing runs until a page is opened.
     *
     * @throws IllegalStateException if instances of a fleet are opened, and there is no fleet
     */
    public ConsolePage build() {
      return new ConsolePage(this);
    }
  }
}
