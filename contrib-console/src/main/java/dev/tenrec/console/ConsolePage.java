// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console;

import dev.tenrec.console.internal.door.Desk;
import dev.tenrec.console.internal.door.Pages;
import dev.tenrec.console.internal.reading.Counsels;
import dev.tenrec.console.internal.reading.Readings;
import dev.tenrec.console.internal.reading.Story;
import dev.tenrec.console.internal.steering.FleetDesk;
import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.FleetOperator;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.FeedBounds;
import dev.tenrec.hystrix.stream.internal.feed.FeedPlan;
import dev.tenrec.hystrix.stream.internal.feed.SeatPublisher;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The live page of one Tenrec without a server of its own, for the server of an application: as a
 * {@link ConsoleServlet}, or by what each request is to be {@linkplain #answer answered} with. It
 * only reads, unless it is given a {@linkplain Builder#fleet fleet} and who may change its
 * settings; nothing of arguments or results is on it. Who may read, and by which host's name, is
 * the application's to say, as for its other paths.
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

  private ConsolePage(Builder builder) {
    Tenrec tenrec = builder.tenrec;
    InstantSource wallClock = InstantSource.system();
    Readings readings =
        new Readings(tenrec, wallClock, builder.ticker, builder.interval, builder.desk != null);
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
            builder.desk,
            builder.opensInstances);
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
   * Builder#fleet fleet}: what serves others meanwhile, as an event loop, is not to do it. The
   * other parts wait for nothing.
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
    return new ConsoleAnswer(pages.reply(method, name, query, header, user, body));
  }

  /**
   * A page's place at the stream, as parts of the wire's format, each of which is to be flushed. It
   * is taken at once, and given up when the subscriber cancels, or asks for nothing while something
   * waits for it. One subscriber only. Parts must not be changed. Completes when the Tenrec or this
   * closes.
   *
   * @return empty if as many pages are open as may be, or this is closed: an answer of 503
   */
  public Optional<Flowable<byte[]>> open() {
    return Optional.ofNullable(SeatPublisher.at(feed)).map(Flowable::fromPublisher);
  }

  /** How many pages are open. */
  public int clients() {
    return feed.clients();
  }

  /** Ends the streams of all pages, and lets no other in. The Tenrec stays open. Idempotent. */
  @Override
  public void close() {
    feed.close();
  }

  Feed feed() {
    return feed;
  }

  Pages pages() {
    return pages;
  }

  /** Describes a page. Not thread-safe. */
  public static final class Builder {

    private final Tenrec tenrec;
    private int maxClients = 5;
    private Duration interval = Duration.ofMillis(500);
    private Duration stalledAfter = Duration.ofSeconds(10);
    private Ticker ticker = Ticker.system();
    private Waiter waiter = Waiter.system();
    private @Nullable Desk desk;
    private boolean opensInstances;

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
     *     a user who may not change anything. Called on serving threads, at each request
     */
    public Builder fleet(
        FleetOperator viewer, Function<String, @Nullable FleetOperator> operators) {
      desk = new FleetDesk(viewer, operators, opensInstances, ticker);
      return this;
    }

    /** The server can show other instances of the fleet, which is to be named after this. */
    void opensInstances() {
      opensInstances = true;
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

    /** Makes it; nothing runs until a page is opened. */
    public ConsolePage build() {
      return new ConsolePage(this);
    }
  }
}
