// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenrec.core.config.Subscription;
import dev.tenrec.fleet.etcd.EtcdGateway.Repeat;
import dev.tenrec.fleet.store.StoreException;
import dev.tenrec.fleet.store.StoreListener;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one name and what is below it, on a thread of its own: reads etcd's stream of events, and
 * opens it again where it was lost, from the first revision that it has not seen. Where etcd has
 * forgotten that one by compaction, it goes on with the oldest one there is, and says that
 * something has changed.
 *
 * <p>Fields without a note are written and read by that thread.
 */
final class EtcdWatch implements Subscription {

  private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);
  private static final long FIRST_PAUSE_NANOS = 100_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

  private final EtcdGateway gateway;
  private final EtcdKeys keys;
  private final String name;
  private final StoreListener listener;
  private final Ticker ticker;
  private final Waiter waiter;
  private final Thread thread;

  /**
   * The first revision that was not seen; 0 before the first answer. Written by the watch's thread,
   * read by the one that looks for watches that have died, ordered by volatile access.
   */
  private volatile long next;

  /**
   * What is read from; null if there is none. Written by the watch's thread, closed by others,
   * ordered by volatile access.
   */
  private volatile @Nullable InputStream open;

  /** Written by the closing thread, read by the watch's, ordered by volatile access. */
  private volatile boolean closed;

  /** Used by the thread that looks for watches that have died. */
  private long overdue;

  private boolean isLost;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  /**
   * Prepares one.
   *
   * @param from the first revision that matters; 0 for those to come
   */
  EtcdWatch(
      EtcdGateway gateway,
      EtcdKeys keys,
      String name,
      long from,
      StoreListener listener,
      Ticker ticker,
      Waiter waiter) {
    this.gateway = gateway;
    this.keys = keys;
    this.name = name;
    this.next = from;
    this.listener = listener;
    this.ticker = ticker;
    this.waiter = waiter;
    this.thread = new Thread(this::run, "tenrec-fleet-etcd-watch-" + name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    dropStream();
    thread.interrupt(); // it may wait for a stream to open, or for the next attempt
  }

  /** What was announced may be gone: the listener looks at everything again. */
  void found() {
    call(listener::connected);
  }

  /**
   * Opens the stream again if it is silent about a change that has been there since the last time
   * this was called. Connections can die without either end noticing.
   */
  void reviveIfDead() {
    long seen = next - 1;
    if (seen < 0) {
      return;
    }
    if (overdue > seen) {
      LOG.info("The watch of {} has missed revision {}: opened again", name, overdue);
      overdue = 0;
      dropStream();
      return;
    }
    JsonNode newest =
        gateway
            .call(
                "kv/range",
                keys.around(name)
                    .put("sort_order", "DESCEND")
                    .put("sort_target", "MOD")
                    .put("limit", "1")
                    .put("keys_only", true),
                Repeat.ALLOWED)
            .body();
    overdue = newest.path("kvs").path(0).path("mod_revision").asLong();
  }

  private void dropStream() {
    InputStream stream = open;
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException gone) {
        LOG.debug("The stream of {} was gone already", name, gone);
      }
    }
  }

  private void run() {
    while (!closed) {
      try {
        readOne();
      } catch (StoreException | IOException | UncheckedIOException lost) {
        if (!closed) {
          lose(lost);
        }
      } catch (RuntimeException | Error thrown) {
        report("Watching {} failed; tried again", thrown);
        lose(thrown);
      }
    }
  }

  /** Reads one stream to its end. One that has begun is no loss: the next continues it. */
  private void readOne() throws IOException {
    ObjectNode create = keys.around(name);
    if (next > 0) {
      create.put("start_revision", String.valueOf(next));
    }
    ObjectNode message = EtcdGateway.message();
    message.set("create_request", create);
    boolean begun = false;
    try (InputStream stream = gateway.stream("watch", message)) {
      open = stream;
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
      String line;
      while (!closed && (line = lines.readLine()) != null) {
        if (line.isBlank()) {
          continue;
        }
        JsonNode parsed = EtcdGateway.parse(line);
        if (parsed.has("error")) {
          gateway.preferAnother(); // as where this one has lost the others
          throw new StoreException("etcd ended the watch: " + parsed.path("error").path("message"));
        }
        if (!take(parsed.path("result"))) {
          return;
        }
        begun = true;
      }
    } catch (IOException lost) {
      if (!begun) {
        throw lost;
      }
      LOG.debug("The stream of {} was lost", name, lost);
    } finally {
      open = null;
    }
    if (!begun && !closed) {
      throw new StoreException("etcd ended the watch before it began");
    }
    pause(FIRST_PAUSE_NANOS); // something in between may end each stream at once
  }

  /** Returns whether the stream goes on. */
  private boolean take(JsonNode result) {
    long revision = result.path("header").path("revision").asLong();
    if (result.path("canceled").asBoolean()) {
      cancelled(result);
      return false;
    }
    if (result.path("created").asBoolean()) {
      return created(revision);
    }
    boolean concerned = false;
    for (JsonNode event : result.path("events")) {
      JsonNode pair = event.path("kv");
      next = Math.max(next, pair.path("mod_revision").asLong() + 1);
      concerned |= EtcdKeys.isAtOrBelow(keys.name(pair.path("key")), name);
    }
    if (concerned) {
      call(listener::changed);
    }
    return true;
  }

  private boolean created(long revision) {
    boolean back = next > 0 && revision < next - 1;
    if (back) { // it would be silent until it has caught up
      LOG.warn(
          "etcd is at revision {}, and {} was seen: this member lags behind, or etcd was begun anew",
          revision,
          next - 1);
      next = 0;
    }
    pauseNanos = FIRST_PAUSE_NANOS;
    if (isLost) {
      isLost = false;
      call(listener::connected);
    }
    if (next == 0) {
      next = back ? 0 : revision + 1;
      call(listener::changed); // what came before the watch did
    }
    return !back;
  }

  private void cancelled(JsonNode result) {
    long oldest = result.path("compact_revision").asLong();
    if (oldest > 0) {
      LOG.info("etcd has forgotten revision {}; the watch of {} goes on at {}", next, name, oldest);
      next = oldest;
      call(listener::changed);
      return;
    }
    String reason = result.path("cancel_reason").asText();
    if (EtcdGateway.isOverToken(reason)) {
      gateway.forgetToken();
    } else {
      gateway.preferAnother(); // as where this one has lost the others
    }
    throw new StoreException("etcd ended the watch: " + reason);
  }

  private void lose(Throwable why) {
    debug(why);
    if (!isLost) {
      isLost = true;
      call(listener::disconnected);
    }
    pause(pauseNanos);
    pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
  }

  private void pause(long nanos) {
    if (!closed) {
      waiter.awaitUntil(ticker.nanoTime() + nanos);
    }
    boolean unused = Thread.interrupted(); // its life ends by close only
  }

  private void call(Runnable signal) {
    try {
      signal.run();
    } catch (RuntimeException | Error thrown) {
      report("A listener of {} threw", thrown);
    }
  }

  /** Never throws, or the watch would end. */
  private void report(String words, Throwable thrown) {
    try {
      LOG.error(words, name, thrown);
    } catch (Throwable loggers) { // no memory, no stack, or a logger that throws as well
      return;
    }
  }

  /** Never throws, as {@link #report}. */
  private void debug(Throwable why) {
    try {
      LOG.debug("The watch of {} was lost; tried again", name, why);
    } catch (Throwable loggers) {
      return;
    }
  }
}
