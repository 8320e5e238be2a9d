// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.http;

import dev.tenrec.metrics.time.Ticker;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** When a call has to be over, however many steps it takes: each may take what the others left. */
final class Deadline {

  private static final Ticker TICKER = Ticker.system();

  private final long beganNanos = TICKER.nanoTime();
  private final Duration timeout;

  private Deadline(Duration timeout) {
    this.timeout = timeout;
  }

  static Deadline after(Duration timeout) {
    return new Deadline(timeout);
  }

  /**
   * What is left, at least 1, for 0 would mean for ever.
   *
   * @throws SocketTimeoutException if nothing is
   */
  int leftMillis() throws SocketTimeoutException {
    long nanos = timeout.toNanos() - (TICKER.nanoTime() - beganNanos);
    if (nanos <= 0) {
      throw passed("no reply");
    }
    return (int) Math.max(1, nanos / 1_000_000);
  }

  /** What there was not in time. */
  SocketTimeoutException passed(String missing) {
    return new SocketTimeoutException(missing + " in " + timeout.toMillis() + " ms");
  }
}
