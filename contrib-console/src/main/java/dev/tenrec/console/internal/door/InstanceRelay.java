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
import java.util.function.Predicate;

/** What the consoles of other instances answer, for whichever server asks. Waits for them. */
public final class InstanceRelay {

  private static final String STREAM = "stream";
  private static final String ADVICE = "advice?";

  private final InstanceLines lines;
  private final Predicate<byte[]> isAdvice;
  private final long patienceNanos;

  /**
   * Asks by these.
   *
   * @param isAdvice whether that is what an adviser can have said: an operator's form is filled
   *     with it
   * @param patienceNanos how long a page may take nothing of a stream
   */
  public InstanceRelay(InstanceLines lines, Predicate<byte[]> isAdvice, long patienceNanos) {
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
      return Reply.relayed(
          StreamResponse.CONTENT_TYPE,
          RelayedStream.start(instance, line, patienceNanos, Ticker.system(), Waiter.system()));
    } catch (NoLineException none) {
      return Reply.words(none.status(), none.words());
    }
  }

  /** As {@link #reply}, of a part that is no stream. */
  Reply ask(String instance, String part) {
    try (InstanceLine line = open(instance, part)) {
      byte[] said = line.readAll();
      if (part.startsWith(ADVICE) && !isAdvice.test(said)) {
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

  /** Ends all streams, and opens no other. Idempotent. */
  public void close() {
    lines.close();
  }
}
