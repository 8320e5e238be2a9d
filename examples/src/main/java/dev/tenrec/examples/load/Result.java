// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load;

import java.util.Map;

/**
 * What a load came to. Latencies are those of answered calls.
 *
 * @param plan what was asked for
 * @param counts what became of the calls
 * @param mostInFlight the most that had been sent and not ended
 * @param lastAnswerNanos when the last answer came, since the load began
 * @param sinceIntended from when a call was due to its answer: what its caller waits
 * @param sinceSent from when the engine got to it: what many a tool shows instead
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
    Latency lag,
    Map<String, Long> failures,
    long[] answersBySecond) {

  /** Answers in a second, over the time until the last one. */
  public double perSecond() {
    return lastAnswerNanos == 0 ? 0 : counts.answered() * 1e9 / lastAnswerNanos;
  }
}
