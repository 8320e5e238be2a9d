// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a load came to. Latencies are those of answered calls, where nothing else is said; of a
 * closed load, of those that ended inside its window. Counts are of all calls.
 *
 * @param plan what was asked for
 * @param counts what became of the calls
 * @param mostInFlight the most that had been sent and not ended
 * @param lastAnswerNanos when the last answer came, since the load began
 * @param sinceIntended from when a call was due to its answer: what its caller waits
 * @param sinceSent from when the engine got to it: what many a tool shows instead
 * @param waited from when a call was due to its end, answered or not; calls never sent have none
 * @param lag how late the injector itself handed calls to the engine; large ones spoil the rest
 * @param presence whether the users of a closed load were there
 * @param failures why calls failed or were not sent, with how many
 * @param seconds what ended in each second of the load
 */
public record Result(
    Plan plan,
    Counts counts,
    long mostInFlight,
    long lastAnswerNanos,
    Latency sinceIntended,
    Latency sinceSent,
    Latency waited,
    Latency lag,
    Presence presence,
    Map<String, Long> failures,
    List<Second> seconds) {

  /** The lag of the injector for a table, p99 and maximum in ms; a dash if there is none. */
  public String lagSaid() {
    return plan.arrivals() instanceof Arrivals.Open && !lag.isEmpty()
        ? String.format(Locale.ROOT, "%.1f / %.1f", lag.percentileMillis(99), lag.maxMillis())
        : "-";
  }

  /**
   * Answers in a second: of a closed load over its window, of any other over the time until the
   * last answer, after a ramp. 0 if there is no such time.
   */
  public double perSecond() {
    if (presence.exempt().isEmpty()) {
      return presence.seconds() == 0 ? 0 : presence.answered() / presence.seconds();
    }
    long nanos = lastAnswerNanos;
    long answered = counts.answered();
    if (plan.arrivals() instanceof Arrivals.Open open && !open.ramp().isZero()) {
      nanos -= open.ramp().toNanos();
      answered = sinceIntended.micros().getTotalCount();
    }
    return nanos <= 0 ? 0 : answered * 1e9 / nanos;
  }
}
