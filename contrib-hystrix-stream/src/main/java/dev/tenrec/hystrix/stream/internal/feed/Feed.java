// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a source once an interval for all clients, on a thread that is there while there is a
 * client. The thread never waits for one: each takes its parts from its {@link Seat}, and one that
 * takes nothing for too long loses it.
 */
public final class Feed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final byte[] PING = "ping: \n\n".getBytes(UTF_8);
  private static final long PING_NANOS = 500_000_000;

  private final FeedPlan plan;
  private final FeedSource source;

  /** Changed under this object's lock, read by the feed's thread. */
  private final List<Seat> seats = new CopyOnWriteArrayList<>();

  /** Guarded by this object. */
  private @Nullable Thread thread;

  /** Written under this object's lock, read by any thread, ordered by volatile access. */
  private volatile boolean closed;

  /** Of the feed's thread only. */
  private boolean failed;

  public Feed(FeedPlan plan, FeedSource source) {
    this.plan = plan;
    this.source = source;
  }

  /**
   * A place for a client, which then gets a ping and, with the next beat, a reading.
   *
   * @return null if there is none left, or the feed is closed
   */
  public @Nullable Seat take(Seat.Client client) {
    Seat seat = new Seat(this, client);
    synchronized (this) {
      if (closed || seats.size() >= plan.maxClients()) {
        return null;
      }
      if (thread == null) {
        Thread starting = new Thread(this::run, plan.name());
        starting.setDaemon(true);
        starting.start(); // if it cannot, no seat is taken
        thread = starting;
      }
      seats.add(seat);
    }
    seat.moved();
    return seat;
  }

  /** How many clients there are. */
  public int clients() {
    return seats.size();
  }

  /** How many there may be. */
  public int maxClients() {
    return plan.maxClients();
  }

  /** Ends all clients' parts, and lets no other in. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      wake();
    }
    endAll();
  }

  long now() {
    return plan.ticker().nanoTime();
  }

  synchronized void remove(Seat seat) {
    if (seats.remove(seat) && seats.isEmpty()) {
      wake();
    }
  }

  /** Never throws, as all that is logged here: what is behind it goes on. */
  void reportFailed(Throwable why) {
    try {
      LOG.warn("{}: a client failed, and is given up", plan.name(), why);
    } catch (Throwable loggers) { // no memory, no stack, or a logger that throws as well
      return;
    }
  }

  private void reportStalled() {
    try {
      LOG.warn(
          "{}: a client took nothing for {} ms, and is given up",
          plan.name(),
          plan.stallNanos() / 1_000_000);
    } catch (Throwable loggers) {
      return;
    }
  }

  private void reportError(String words, Throwable why) {
    try {
      LOG.error(words, plan.name(), why);
    } catch (Throwable loggers) {
      return;
    }
  }

  private void wake() {
    Thread running = thread;
    if (running != null) {
      plan.waiter().wake(running);
    }
  }

  private void endAll() {
    List<Seat> all;
    synchronized (this) {
      all = new ArrayList<>(seats);
      seats.clear();
      wake();
    }
    all.forEach(Seat::end);
  }

  private void run() {
    try {
      while (serve()) {
        // a client came while the last one's going was dealt with
      }
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        thread = null;
      }
      endAll();
      reportError("{} has ended", e);
    }
  }

  /**
   * From the first client's coming to the last one's going, or to the source's end; false when the
   * thread is to end, true if a client has come meanwhile, for which the source is begun anew.
   */
  private boolean serve() {
    // written by what ends the source, read by this thread, ordered by volatile access
    AtomicBoolean ended = new AtomicBoolean();
    Runnable ending =
        source.begin(
            () -> {
              ended.set(true); // first, or a client that comes after the others' end would stay
              endAll();
            });
    try {
      long period = Math.min(plan.intervalNanos(), PING_NANOS);
      long beat = now();
      long due = beat;
      long pingDue = beat;
      while (!ended.get() && !seats.isEmpty()) {
        long now = now();
        boolean reading = now - due >= 0;
        boolean pinging = now - pingDue >= 0;
        beat(reading, pinging, now);
        due = reading ? later(due, plan.intervalNanos(), now) : due;
        pingDue = pinging ? later(pingDue, PING_NANOS, now) : pingDue;
        beat = later(beat, period, now);
        await(beat, ended);
      }
    } finally {
      ending.run();
    }
    synchronized (this) {
      if (seats.isEmpty()) {
        thread = null;
        return false;
      }
      return true;
    }
  }

  /** Beats that were missed are not made up for. */
  private static long later(long due, long period, long now) {
    long next = due + period;
    return next - now > 0 ? next : now + period;
  }

  private void await(long untilNanos, AtomicBoolean ended) {
    while (!ended.get() && !seats.isEmpty() && now() - untilNanos < 0) {
      plan.waiter().awaitUntil(untilNanos);
    }
  }

  private void beat(boolean reading, boolean pinging, long now) {
    boolean changes = source.readsChanges();
    byte @Nullable [] read = null;
    byte @Nullable [] whole = null;
    for (Seat seat : seats) {
      if (seat.isStalled(now, plan.stallNanos())) {
        remove(seat);
        seat.end();
        reportStalled();
        continue;
      }
      if (pinging) {
        seat.ping(PING);
      }
      boolean fresh = seat.takeFresh();
      if (fresh || reading) {
        // read before the whole is asked for, so that the whole has it too
        read = read != null || (changes && !reading) ? read : read(source::read);
        if (changes && (fresh || seat.isFull(plan.backlog()))) {
          whole = whole != null ? whole : read(source::whole);
          if (whole.length > 0) {
            seat.replace(whole);
          } else {
            seat.makeFresh(); // it could not be read, and changes alone say nothing
          }
        } else if (read != null && read.length > 0) {
          seat.offer(read, plan.backlog());
        }
      }
    }
  }

  /** A reading that fails is left out: the next may not. */
  private byte[] read(Supplier<byte[]> from) {
    try {
      byte[] read = from.get();
      failed = false;
      return read;
    } catch (RuntimeException e) {
      if (!failed) {
        reportError("{} could not be read", e);
      }
      failed = true;
      return new byte[0];
    }
  }
}
