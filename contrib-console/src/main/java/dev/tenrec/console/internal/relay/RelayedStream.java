// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenrec.hystrix.stream.internal.feed.Parts;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stream of an instance for a server whose own threads must not wait for it: read by a daemon
 * thread of its own, which goes on when the client has taken what was read last. A client that
 * takes nothing for too long loses it, as one that never comes.
 *
 * <p>Fields without a note are guarded by this object; the client is called without its lock.
 */
public final class RelayedStream implements Parts {

  private static final int PIECE = 16_384;

  private final String instance;
  private final InstanceLine line;
  private final long patienceNanos;
  private final Ticker ticker;
  private final Waiter waiter;
  private final Consumer<RelayedStream> whenOver;
  private final Thread thread;

  private Seat.@Nullable Client client;
  private byte @Nullable [] waiting;

  /** Nothing comes after what waits. */
  private boolean finished;

  private boolean ended;

  /**
   * Of a line, which this closes; nothing is read before {@link #start}.
   *
   * @param patienceNanos how long the client may take nothing
   * @param whenOver called once by the stream's thread at its end, or if that could not be started
   */
  public RelayedStream(
      String instance,
      InstanceLine line,
      long patienceNanos,
      Ticker ticker,
      Waiter waiter,
      Consumer<RelayedStream> whenOver) {
    this.instance = instance;
    this.line = line;
    this.patienceNanos = patienceNanos;
    this.ticker = ticker;
    this.waiter = waiter;
    this.whenOver = whenOver;
    this.thread = new Thread(this::run, "tenrec-console-instance");
    thread.setDaemon(true);
  }

  /** Begins to read. Once only. */
  public void start() {
    boolean started = false;
    try {
      thread.start();
      started = true;
    } finally {
      if (!started) {
        line.close();
        whenOver.accept(this);
      }
    }
  }

  /**
   * What comes after the last of an instance that has gone. What came of an event that was cut off
   * is before its last line.
   */
  public static byte[] goneEvent(String instance) {
    String words = "the instance " + instance + " has gone, or does not answer any more";
    return ("\nevent: gone\ndata: " + words + "\n\n").getBytes(UTF_8);
  }

  /**
   * Gives it to its client, of which there is one only.
   *
   * @return null if it has one already
   */
  public @Nullable Parts follow(Seat.Client follower) {
    boolean some;
    synchronized (this) {
      if (client != null) {
        return null;
      }
      client = follower;
      some = waiting != null;
    }
    if (some) {
      follower.onWaiting();
    }
    return this;
  }

  private void run() {
    try (line) {
      byte[] some = new byte[PIECE];
      int count = next(some);
      while (count >= 0 && give(Arrays.copyOf(some, count))) {
        count = next(some);
      }
      if (count < 0) {
        boolean unused = give(goneEvent(instance));
      }
    } finally {
      whenOver.accept(this);
      finish();
    }
  }

  /** Some of the stream; -1 if it has ended, however that was. */
  private int next(byte[] into) {
    try {
      return line.read(into);
    } catch (IOException gone) {
      return -1;
    }
  }

  /** Waits until the client has taken it; returns false if it does not. */
  private boolean give(byte[] part) {
    Seat.Client follower;
    synchronized (this) {
      if (ended) {
        return false;
      }
      waiting = part;
      follower = client;
    }
    if (follower != null) {
      follower.onWaiting();
    }
    long endNanos = ticker.nanoTime() + patienceNanos;
    while (isWaiting() && ticker.nanoTime() - endNanos < 0) {
      waiter.awaitUntil(endNanos);
    }
    return drop();
  }

  private synchronized boolean isWaiting() {
    return waiting != null;
  }

  /** What still waits is given up, and the stream with it; returns whether it goes on. */
  private synchronized boolean drop() {
    ended |= waiting != null;
    waiting = null;
    return !ended;
  }

  private void finish() {
    Seat.Client follower;
    synchronized (this) {
      finished = true;
      follower = client;
    }
    if (follower != null) {
      follower.onEnd();
    }
  }

  @Override
  public byte @Nullable [] poll() {
    byte[] part;
    synchronized (this) {
      part = waiting;
      waiting = null;
      ended |= part == null && finished;
    }
    if (part != null) {
      waiter.wake(thread);
    }
    return part;
  }

  @Override
  public synchronized boolean isEnded() {
    return ended;
  }

  @Override
  public void leave() {
    synchronized (this) {
      ended = true;
      waiting = null;
    }
    line.close(); // the thread may be reading
    waiter.wake(thread);
  }
}
