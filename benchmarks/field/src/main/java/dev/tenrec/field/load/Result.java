// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.Locale;
import java.util.Map;

/**
 * What a load came to. Latencies are those of answered calls, where nothing else is said.
 *
 * @param plan what was asked for
 * @param counts what became of the calls
 * @param mostInFlight the most that had been sent and not ended
 * @param lastAnswerNanos when the last answer came, since the load began
 * @param sinceIntended from when a call was due to its answer: what its caller waits
 * @param sinceSent from when the engine got to it: what many a tool shows instead
 * @param waited from when a call was due to its end, answered or not; calls never sent have none
 * @param lag how late the injector itself handed calls to the engine; large ones spoil the rest
 * @param failures why calls failed or were not sent, with how many
 * @param answersBySecond answers in each second of the load
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and written once
public record Result(
    Plan plan,
    Counts counts,
    long mostInFlight,
    long lastAnswerNanos,
    Latency sinceIntended,
    Latency sinceSent,
    Latency waited,
    Latency lag,
    Map<String, Long> failures,
    long[] answersBySecond) {

  /** The lag of the injector for a table, p99 and maximum in ms; a dash if there is none. */
  public String lagSaid() {
    return plan.arrivals() instanceof Arrivals.Open
        ? String.format(Locale.ROOT, "%.1f / %.1f", lag.percentileMillis(99), lag.maxMillis())
        : "-";
  }

  /** Answers in a second, over the time until the last one. */
  public double perSecond() {
    return lastAnswerNanos == 0 ? 0 : counts.answered() * 1e9 / lastAnswerNanos;
  }
}
