// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.load.engine.Engines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A result as a driver might have made it. */
public final class SomeResult {

  private final Arrivals arrivals;
  private final Counts counts;
  private Latency answered = millis(1);
  private Latency waited = millis(1);
  private Latency lag = millis(0);
  private long mostInFlight = 1;
  private long lastAnswerNanos = 1_000_000_000L;

  public SomeResult(Arrivals arrivals, long answered, long failed, long refused) {
    long sent = answered + failed + refused;
    this.arrivals = arrivals;
    this.counts = new Counts(answered, failed, refused, 0, sent, sent, 0);
  }

  /** Of all answered calls. */
  public SomeResult answeredAfter(int millis) {
    answered = millis(millis);
    return this;
  }

  /** Of all calls. */
  public SomeResult waited(int millis) {
    waited = millis(millis);
    return this;
  }

  public SomeResult lag(int millis) {
    lag = millis(millis);
    return this;
  }

  public SomeResult mostInFlight(long most) {
    mostInFlight = most;
    return this;
  }

  public SomeResult seconds(long seconds) {
    lastAnswerNanos = seconds * 1_000_000_000L;
    return this;
  }

  public Result result() {
    Plan plan =
        new Plan(Engines.ASYNC, 1, arrivals, 1_000, Duration.ofSeconds(10), Duration.ofSeconds(1));
    return new Result(
        plan,
        counts,
        mostInFlight,
        lastAnswerNanos,
        answered,
        answered,
        waited,
        lag,
        presence(),
        Map.of(),
        List.of());
  }

  private Presence presence() {
    if (arrivals instanceof Arrivals.Closed closed) {
      double seconds = lastAnswerNanos / 1e9;
      return new Presence(closed.users(), seconds, closed.users(), counts.answered(), "");
    }
    return Presence.OPEN;
  }

  private static Latency millis(int millis) {
    Histogram micros = new Histogram(3);
    micros.recordValue(millis * 1_000L);
    return new Latency(micros);
  }
}
