// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.load.Latency;
import dev.tenrec.field.load.Result;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Several results as one.
 *
 * @param due calls the arrivals asked for
 * @param sent calls begun
 * @param answered with status 200
 * @param failed otherwise
 * @param refused with status 503
 * @param neverSent due, and not begun
 * @param mostInFlight the most of any of them
 * @param balances whether each of them does
 * @param sinceIntended latency of those answered, since they were due
 * @param waited of all that ended, answered or not, since they were due
 * @param lag how late the injector itself was with them
 * @param failures why calls failed, with how many
 */
record Total(
    long due,
    long sent,
    long answered,
    long failed,
    long refused,
    long neverSent,
    long mostInFlight,
    boolean balances,
    Latency sinceIntended,
    Latency waited,
    Latency lag,
    Map<String, Long> failures) {

  private static final String STATUS = "IOException: status ";

  static Total of(Collection<Result> results) {
    long due = 0;
    long sent = 0;
    long answered = 0;
    long failed = 0;
    long refused = 0;
    long neverSent = 0;
    long mostInFlight = 0;
    boolean balances = true;
    Histogram micros = new Histogram(3);
    Histogram waited = new Histogram(3);
    Histogram lag = new Histogram(3);
    Map<String, Long> failures = new TreeMap<>();
    for (Result result : results) {
      due += result.counts().due();
      sent += result.counts().sent();
      answered += result.counts().answered();
      failed += result.counts().failed();
      refused += result.counts().refused();
      neverSent += result.counts().dropped();
      mostInFlight = Math.max(mostInFlight, result.mostInFlight());
      balances &= result.counts().balance();
      micros.add(result.sinceIntended().micros());
      waited.add(result.waited().micros());
      lag.add(result.lag().micros());
      result.failures().forEach((why, count) -> failures.merge(why, count, Long::sum));
    }
    return new Total(
        due,
        sent,
        answered,
        failed,
        refused,
        neverSent,
        mostInFlight,
        balances,
        new Latency(micros),
        new Latency(waited),
        new Latency(lag),
        failures);
  }

  /** Calls that failed with a reply that said so; the others have no reply. */
  long failedByStatus() {
    return failures.entrySet().stream()
        .filter(failure -> failure.getKey().startsWith(STATUS))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  double answeredShare() {
    return due == 0 ? 0 : (double) answered / due;
  }
}
