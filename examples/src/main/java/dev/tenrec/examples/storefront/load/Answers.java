// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.load;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * What the callers of one command got, by their own account: Tenrec's metrics are not asked.
 * Thread-safe.
 */
public final class Answers {

  /** Raised by each caller before its call. */
  private final AtomicLong sent = new AtomicLong();

  /** Written by answering threads, read after the run, ordered by the collection. */
  private final Collection<Answer> all = new ConcurrentLinkedQueue<>();

  void sent() {
    sent.incrementAndGet();
  }

  void add(Answer answer) {
    all.add(answer);
  }

  /** How many calls were made. */
  public long calls() {
    return sent.get();
  }

  /** How many were answered so. */
  public long count(Ending ending) {
    return all.stream().filter(answer -> answer.ending() == ending).count();
  }

  /** How many were answered, by how; those that never happened are there with 0. */
  public Map<Ending, Long> endings() {
    Map<Ending, Long> counts = new EnumMap<>(Ending.class);
    List.of(Ending.values()).forEach(ending -> counts.put(ending, count(ending)));
    return counts;
  }

  /** How many were answered. */
  public long answered() {
    return all.size();
  }

  /** The answers to calls sent in this time, since the run began. */
  public List<Answer> sentBetween(long fromNanos, long toNanos) {
    return which(answer -> answer.sentNanos() >= fromNanos && answer.sentNanos() < toNanos);
  }

  /** Half of all callers waited no longer; or 99 in a hundred; in milliseconds. */
  public double percentileMillis(double percentile) {
    return percentileMillis(which(answer -> true), percentile);
  }

  /** The same of some answers; 0 if there are none. */
  public static double percentileMillis(List<Answer> answers, double percentile) {
    long[] sorted = answers.stream().mapToLong(Answer::latencyNanos).sorted().toArray();
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percentile / 100 * sorted.length);
    return sorted[Math.max(1, rank) - 1] / 1e6;
  }

  private List<Answer> which(Predicate<Answer> wanted) {
    return all.stream().filter(wanted).toList();
  }
}
