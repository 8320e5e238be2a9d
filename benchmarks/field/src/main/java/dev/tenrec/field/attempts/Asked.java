// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import com.sun.net.httpserver.Headers;
import dev.tenrec.core.DeadlineHeader;
import dev.tenrec.metrics.time.Ticker;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one service of a chain was asked, with what the experiment needs to know: all services are
 * in one JVM, so that they have one clock.
 *
 * @param goneAtNanos when nobody waits any more for what the first service was asked
 * @param wayNanos how long the calls that led here were on their way, all together
 * @param left what the deadline's header says; null if there is none
 */
record Asked(long goneAtNanos, long wayNanos, @Nullable Duration left) {

  private static final Ticker TICKER = Ticker.system();

  private static final String GONE_AT = "Experiment-Gone-At";
  private static final String SENT_AT = "Experiment-Sent-At";
  private static final String WAY = "Experiment-Way";

  /** By a caller that waits for so long. */
  static Asked now(Duration patience) {
    return new Asked(nanos() + patience.toNanos(), 0, null);
  }

  static long nanos() {
    return TICKER.nanoTime();
  }

  /** As the headers have it, when they are read. */
  static Asked read(Headers headers) {
    String left = headers.getFirst(DeadlineHeader.MILLIS.name());
    long onItsWay = nanos() - number(headers, SENT_AT);
    return new Asked(
        number(headers, GONE_AT),
        number(headers, WAY) + onItsWay,
        left == null ? null : DeadlineHeader.MILLIS.read(left));
  }

  private static long number(Headers headers, String name) {
    String value = headers.getFirst(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no header " + name + ", expected nanoseconds");
    }
    return Long.parseLong(value);
  }

  /** Adds the headers, but for the deadline's. */
  HttpRequest.Builder writeTo(HttpRequest.Builder request) {
    return request
        .setHeader(GONE_AT, Long.toString(goneAtNanos))
        .setHeader(WAY, Long.toString(wayNanos))
        .setHeader(SENT_AT, Long.toString(nanos()));
  }
}
