// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.stream.internal.event.ConfigEvent;
import dev.tenrec.hystrix.stream.internal.event.DashboardEvents;
import dev.tenrec.hystrix.stream.internal.event.UtilizationEvent;
import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.FeedBounds;
import dev.tenrec.hystrix.stream.internal.feed.FeedPlan;
import dev.tenrec.hystrix.stream.internal.feed.FeedSource;
import dev.tenrec.hystrix.stream.internal.feed.SeatPublisher;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What one Tenrec does, as the event streams that Hystrix's dashboard and Turbine read. Served by
 * {@link HystrixStreamServer} or a {@link HystrixStreamServlet}, or by anything that takes a
 * publisher.
 *
 * <p>Each stream is read once an interval for all its clients, on a thread of its own that is there
 * while there is a client. No call waits for it or is listened to. A client that is behind gets the
 * latest reading, of finished requests the last ones; one that takes nothing for 10 s is given up.
 *
 * <p>A key that the dashboard's page would take for markup has underscores and its hash in place of
 * such signs. Thread-safe.
 */
public final class HystrixStream implements AutoCloseable {

  /** Readings of finished requests that wait for a client that is behind. */
  private static final int REQUESTS_BACKLOG = 16;

  private final Map<StreamKind, Feed> feeds = new EnumMap<>(StreamKind.class);

  private HystrixStream(Builder builder) {
    Tenrec tenrec = builder.tenrec;
    InstantSource wallClock = InstantSource.system();
    feed(
        builder,
        StreamKind.DASHBOARD,
        builder.interval,
        1,
        reading(tenrec, () -> DashboardEvents.of(tenrec, wallClock.millis())));
    feed(
        builder,
        StreamKind.UTILIZATION,
        builder.interval,
        1,
        reading(tenrec, () -> UtilizationEvent.of(tenrec)));
    feed(
        builder,
        StreamKind.CONFIG,
        builder.configInterval,
        1,
        reading(tenrec, () -> ConfigEvent.of(tenrec)));
    feed(
        builder,
        StreamKind.REQUESTS,
        builder.interval,
        REQUESTS_BACKLOG,
        new FinishedRequests(tenrec));
  }

  private void feed(
      Builder builder, StreamKind kind, Duration interval, int backlog, FeedSource source) {
    feeds.put(
        kind,
        new Feed(
            new FeedPlan(
                "tenrec" + kind.path().replace('/', '-'),
                interval.toNanos(),
                backlog,
                builder.maxClients,
                builder.stalledAfter.toNanos(),
                builder.ticker,
                builder.waiter),
            source));
  }

  /** What is read of a Tenrec until it closes. */
  private static FeedSource reading(Tenrec tenrec, Supplier<byte[]> read) {
    return new FeedSource() {
      @Override
      public Runnable begin(Runnable onEnd) {
        Disposable living = tenrec.journalStream().ignoreElements().subscribe(onEnd::run);
        return living::dispose;
      }

      @Override
      public byte[] read() {
        return read.get();
      }
    };
  }

  /** With all defaults. */
  public static HystrixStream of(Tenrec tenrec) {
    return builder(tenrec).build();
  }

  /** Starts the description of one. */
  public static Builder builder(Tenrec tenrec) {
    return new Builder(Objects.requireNonNull(tenrec, "tenrec"));
  }

  /**
   * A client's place at one of the streams, as parts of the wire's format, each of which is to be
   * flushed. It is taken at once, and given up when the subscriber cancels, or asks for nothing
   * while something waits for it. One subscriber only. Parts come on the stream's thread or on the
   * one that asks for more; they must not be changed. Completes when the Tenrec or this closes.
   *
   * @return empty if the stream has as many clients as it may have, or is closed: an answer of 503
   */
  public Optional<Flowable<byte[]>> open(StreamKind kind) {
    return Optional.ofNullable(SeatPublisher.at(feed(kind))).map(Flowable::fromPublisher);
  }

  /** How many clients a stream has. */
  public int clients(StreamKind kind) {
    return feed(kind).clients();
  }

  /** Ends the streams of all clients, and lets no other in. The Tenrec stays open. Idempotent. */
  @Override
  public void close() {
    feeds.values().forEach(Feed::close);
  }

  Feed feed(StreamKind kind) {
    return Objects.requireNonNull(feeds.get(kind));
  }

  /** Describes the streams of one Tenrec. Not thread-safe. */
  public static final class Builder {

    private final Tenrec tenrec;
    private Duration interval = Duration.ofMillis(500);
    private Duration configInterval = Duration.ofSeconds(5);
    private Duration stalledAfter = Duration.ofSeconds(10);
    private int maxClients = 5;
    private Ticker ticker = Ticker.system();
    private Waiter waiter = Waiter.system();

    private Builder(Tenrec tenrec) {
      this.tenrec = tenrec;
    }

    /**
     * From one reading to the next, but of settings: half a second by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder interval(Duration interval) {
      this.interval = FeedBounds.time("interval", interval);
      return this;
    }

    /**
     * From one reading of the settings to the next: 5 s by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder configInterval(Duration interval) {
      this.configInterval = FeedBounds.time("configInterval", interval);
      return this;
    }

    /**
     * How many clients each stream may have at once: 5 by default.
     *
     * @throws IllegalArgumentException if it is less than 1 or more than 1,000
     */
    public Builder maxClients(int clients) {
      this.maxClients = FeedBounds.maxClients(clients);
      return this;
    }

    /**
     * How long a client may take nothing of what waits for it: 10 s by default.
     *
     * @throws IllegalArgumentException if it is less than 10 ms or more than an hour
     */
    public Builder stalledAfter(Duration patience) {
      this.stalledAfter = FeedBounds.time("stalledAfter", patience);
      return this;
    }

    /** For tests in virtual time. */
    Builder time(Ticker ticker, Waiter waiter) {
      this.ticker = ticker;
      this.waiter = waiter;
      return this;
    }

    /** Makes it; nothing runs until a client comes. */
    public HystrixStream build() {
      return new HystrixStream(this);
    }
  }
}
