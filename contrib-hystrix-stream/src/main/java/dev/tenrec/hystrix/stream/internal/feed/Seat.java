// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.feed;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One client's place at a feed: what waits for it, within a bound. All fields are guarded by this
 * object; the client is called without its lock.
 */
public final class Seat implements Parts {

  private final Feed feed;
  private final Client client;
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();

  /** When the client took something, or first had something to take. */
  private long movedNanos;

  private boolean fresh = true;
  private boolean ended;

  Seat(Feed feed, Client client) {
    this.feed = feed;
    this.client = client;
  }

  /**
   * Reads what it is given. Its methods are called by the feed's thread, or by what else has the
   * parts, and must not wait.
   */
  public interface Client {

    /** There is something to {@link Seat#poll}. */
    void onWaiting();

    /** There will be no more. Called once, also by the thread that closes the feed. */
    void onEnd();
  }

  @Override
  public synchronized byte @Nullable [] poll() {
    moved();
    return waiting.poll();
  }

  /** The client got rid of some of what it has taken. */
  public synchronized void moved() {
    movedNanos = feed.now();
  }

  @Override
  public synchronized boolean isEnded() {
    return ended;
  }

  @Override
  public void leave() {
    synchronized (this) {
      ended = true;
      waiting.clear();
    }
    feed.remove(this);
  }

  /** Whether it has had no reading yet; asked once. */
  synchronized boolean takeFresh() {
    boolean was = fresh;
    fresh = false;
    return was;
  }

  /** Keeps the last readings up to the bound. */
  void offer(byte[] reading, int backlog) {
    synchronized (this) {
      if (ended) {
        return;
      }
      if (waiting.isEmpty()) {
        moved();
      }
      while (waiting.size() >= backlog) {
        waiting.remove();
      }
      waiting.add(reading);
    }
    call(client::onWaiting);
  }

  /** It is to be given a first reading again. */
  synchronized void makeFresh() {
    fresh = true;
  }

  /** Whether what is offered next would push something out. */
  synchronized boolean isFull(int backlog) {
    return waiting.size() >= backlog;
  }

  /** Has this wait in the place of all that waits. A client that stalls is not seen to move. */
  void replace(byte[] whole) {
    synchronized (this) {
      if (ended) {
        return;
      }
      if (waiting.isEmpty()) {
        moved();
      }
      waiting.clear();
      waiting.add(whole);
    }
    call(client::onWaiting);
  }

  /** Says that the connection is alive, if there is nothing else to say. */
  void ping(byte[] ping) {
    synchronized (this) {
      if (ended || !waiting.isEmpty()) {
        return;
      }
      moved();
      waiting.add(ping);
    }
    call(client::onWaiting);
  }

  synchronized boolean isStalled(long nowNanos, long limitNanos) {
    return !waiting.isEmpty() && nowNanos - movedNanos >= limitNanos;
  }

  void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      waiting.clear();
    }
    call(client::onEnd);
  }

  /** A client that throws is given up alone. */
  private void call(Runnable client) {
    try {
      client.run();
    } catch (RuntimeException | Error e) {
      leave();
      feed.reportFailed(e);
    }
  }
}
