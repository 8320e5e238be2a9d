// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.server;

import dev.tenrec.hystrix.stream.internal.feed.Feed;
import dev.tenrec.hystrix.stream.internal.feed.Seat;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A client whose parts are written by the thread that serves it. That thread is interrupted when
 * the seat is lost: nothing else ends a write to a connection that takes nothing.
 */
final class BlockingClient implements Seat.Client {

  /** So that a client which takes a large part slowly is seen to move. */
  private static final int PIECE = 16_384;

  private final ServingThreads threads;
  private final Thread writer = Thread.currentThread();

  /** Whether the thread may be held up by a write. Guarded by this object. */
  private boolean writing;

  /** What cuts the last write off. Guarded by this object. */
  private @Nullable Future<?> cutting;

  private BlockingClient(ServingThreads threads) {
    this.threads = threads;
  }

  /** Begins to answer, once there is a place. */
  interface Answer {
    OutputStream begin() throws IOException;
  }

  /**
   * Serves the current thread's client until it leaves or the feed ends.
   *
   * @return false if there was no place for it
   */
  static boolean serve(Feed feed, ServingThreads threads, Answer answer) throws IOException {
    BlockingClient client = new BlockingClient(threads);
    Seat seat = feed.take(client);
    if (seat == null) {
      return false;
    }
    try (OutputStream out = answer.begin()) {
      threads.leaveToItself(); // the feed looks after it now
      try {
        client.write(seat, out);
      } finally {
        client.stop();
        threads.watch();
      }
    } finally {
      seat.leave();
      client.stop();
    }
    return true;
  }

  private void write(Seat seat, OutputStream out) throws IOException {
    byte[] part = next(seat);
    while (part != null) {
      for (int from = 0; from < part.length; from += PIECE) {
        out.write(part, from, Math.min(PIECE, part.length - from));
        seat.moved();
      }
      out.flush();
      part = next(seat);
    }
  }

  /** Waits for the next part; null at the end. */
  private synchronized byte @Nullable [] next(Seat seat) {
    while (true) {
      byte[] part = seat.poll();
      writing = part != null; // before an end can come, which looks at it
      if (part != null || seat.isEnded()) {
        return part;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        return null; // the server closes
      }
    }
  }

  @Override
  public synchronized void onWaiting() {
    notifyAll();
  }

  /**
   * A write that moves ends in a moment; cut off, its client would take the end for a fault. The
   * thread that brings the end does not wait for it.
   */
  @Override
  public synchronized void onEnd() {
    if (writing) {
      cutting = threads.inAMoment(this::cutOff);
    } else {
      notifyAll(); // the answer ends as it should
    }
  }

  private synchronized void cutOff() {
    if (writing) {
      writer.interrupt(); // its client takes nothing
    }
  }

  /** The thread goes on to other work, and is not to be interrupted for this client's sake. */
  private synchronized void stop() {
    writing = false;
    if (cutting != null) {
      boolean unused = cutting.cancel(false);
    }
    var unused = Thread.interrupted();
  }
}
