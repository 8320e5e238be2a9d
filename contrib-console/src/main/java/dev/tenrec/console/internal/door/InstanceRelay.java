// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.door;

import dev.tenrec.console.internal.relay.InstanceLine;
import dev.tenrec.console.internal.relay.InstanceLines;
import dev.tenrec.console.internal.relay.NoLineException;
import dev.tenrec.console.internal.relay.RelayedStream;
import dev.tenrec.hystrix.stream.internal.feed.StreamResponse;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/** What the consoles of other instances answer, for whichever server asks. Waits for them. */
public final class InstanceRelay {

  private static final String STREAM = "stream";
  private static final String ADVICE = "advice?";

  private final InstanceLines lines;
  private final BiPredicate<String, byte[]> isAdvice;
  private final long patienceNanos;

  /**
   * Streams that are read. Written by threads that begin one and by the streams' own, read by the
   * closing thread; a concurrent set.
   */
  private final Set<RelayedStream> streams = ConcurrentHashMap.newKeySet();

  /**
   * Written by the closing thread before it goes through the streams, read by a thread that has
   * added one. Volatile: one of the two threads sees what the other wrote, and ends the stream.
   */
  private volatile boolean closed;

  /**
   * Asks by these.
   *
   * @param isAdvice whether that is what an adviser can have said that was asked for this part: an
   *     operator's form is filled with it
   * @param patienceNanos how long a page may take nothing of a stream
   */
  public InstanceRelay(
      InstanceLines lines, BiPredicate<String, byte[]> isAdvice, long patienceNanos) {
    this.lines = lines;
    this.isAdvice = isAdvice;
    this.patienceNanos = patienceNanos;
  }

  /**
   * Whether the answer is a stream.
   *
   * @param part of an instance's page, with its query
   */
  static boolean isStream(String part) {
    return part.equals(STREAM);
  }

  /**
   * A story, advice or a stream that is read from now on; or why there is none.
   *
   * @param part its name, with its query
   */
  public Reply reply(String instance, String part) {
    return isStream(part) ? stream(instance) : ask(instance, part);
  }

  private Reply stream(String instance) {
    try {
      InstanceLine line = open(instance, STREAM);
      RelayedStream stream =
          new RelayedStream(
              instance, line, patienceNanos, Ticker.system(), Waiter.system(), streams::remove);
      streams.add(stream);
      stream.start();
      if (closed) {
        stream.leave();
      }
      return Reply.relayed(StreamResponse.CONTENT_TYPE, stream);
    } catch (NoLineException none) {
      return Reply.words(none.status(), none.words());
    }
  }

  /** As {@link #reply}, of a part that is no stream. */
  Reply ask(String instance, String part) {
    try (InstanceLine line = open(instance, part)) {
      byte[] said = line.readAll();
      if (part.startsWith(ADVICE) && !isAdvice.test(part, said)) {
        return Reply.words(502, "the instance " + instance + " advises what no adviser does");
      }
      return Reply.json(said);
    } catch (NoLineException none) {
      return Reply.words(none.status(), none.words());
    } catch (IOException gone) {
      return Reply.words(502, "the instance " + instance + " has gone");
    }
  }

  /** As {@link InstanceLines#open}. */
  InstanceLine open(String instance, String part) throws NoLineException {
    return lines.open(instance, part);
  }

  /** Ends all streams, whatever their clients take, and opens no other. Idempotent. */
  public void close() {
    closed = true;
    lines.close();
    streams.forEach(RelayedStream::leave);
  }
}
