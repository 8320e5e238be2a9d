// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.metrics.latency.LatencyTotals;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of one observation come, and how long they take. A mean rate does not know whether
 * calls come one by one or many at once. So they are taken to come in groups as large as it takes
 * for a {@link Replay} under the present limits to refuse as many, and to have as many in flight at
 * once, as there were.
 *
 * @param latencies of the calls that began their work
 * @param perSecond how many come
 * @param group how many come at once; 1 if they come as calls do that know nothing of each other
 * @param burst in words, what shows that they come in groups; null if they do not
 */
record Traffic(LatencyTotals latencies, double perSecond, int group, @Nullable String burst) {

  /** Larger groups are too few for a replay to say much. */
  private static final int MOST_AT_ONCE = 512;

  /** What is refused beyond chance: that share of it more, and one call in two hundred. */
  private static final double BEYOND_CHANCE = 1.5;

  private static final double BEYOND_CHANCE_SHARE = 0.005;
  private static final int BEYOND_CHANCE_CALLS = 2;

  /** What was observed, of which there is at least one latency. */
  static Traffic of(Observation seen) {
    LatencyTotals latencies = seen.execution();
    double perSecond = seen.perSecond();
    Limits limits = seen.limits();
    double refused = seen.refused() / (double) seen.arrivals();
    Replay alone = Replay.play(latencies, perSecond, 1, limits);
    boolean refusesMore = refused > alone.risk().refused() * BEYOND_CHANCE + BEYOND_CHANCE_SHARE;
    boolean holdsMore = seen.mostInFlight() > alone.most() * BEYOND_CHANCE + BEYOND_CHANCE_CALLS;
    if (!refusesMore && !holdsMore) {
      return new Traffic(latencies, perSecond, 1, null);
    }
    int low = 1; // too small
    int high = 2;
    while (high < MOST_AT_ONCE && !explains(seen, refusesMore, holdsMore, refused, high)) {
      low = high;
      high *= 2;
    }
    while (high - low > Math.max(1, low / 8)) {
      int middle = (low + high) >>> 1;
      if (explains(seen, refusesMore, holdsMore, refused, middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return new Traffic(latencies, perSecond, high, burst(seen, refused, alone, high));
  }

  private static boolean explains(
      Observation seen, boolean refusesMore, boolean holdsMore, double refused, int group) {
    Replay replay = Replay.play(seen.execution(), seen.perSecond(), group, seen.limits());
    return (!refusesMore || replay.risk().refused() >= refused)
        && (!holdsMore || replay.most() >= seen.mostInFlight());
  }

  private static String burst(Observation seen, double refused, Replay alone, int group) {
    return String.format(
        Locale.ROOT,
        "calls come in bursts, reckoned with as %d at once: up to %d were in flight and %.2f %% were"
            + " refused, where calls that come one by one are up to %d and %.2f %%",
        group,
        seen.mostInFlight(),
        refused * 100,
        alone.most(),
        alone.risk().refused() * 100);
  }

  /** How many are at work in the mean, by Little's law. */
  double atWork() {
    double[] nanos = {0};
    latencies.forEachSlot((from, to, count) -> nanos[0] += (from + (to - from) / 2.0) * count);
    return perSecond * nanos[0] / latencies.count() / 1e9;
  }

  /** What limits would do to it. */
  Risk risk(Limits limits) {
    return Replay.play(latencies, perSecond, group, limits).risk();
  }

  /** The share of latencies beyond a time-out. */
  double beyond(@Nullable Duration timeout) {
    return timeout == null
        ? 0
        : 1 - latencies.countsUpTo(timeout.toNanos())[0] / (double) latencies.count();
  }

  /** The end of the slot in which that share of latencies is reached: never too short. */
  Duration percentile(double share) {
    long wanted = (long) Math.ceil(share * latencies.count());
    long[] seen = {0};
    long[] found = {0};
    latencies.forEachSlot(
        (from, to, count) -> {
          if (seen[0] < wanted) {
            found[0] = to;
          }
          seen[0] += count;
        });
    return Duration.ofNanos(found[0]);
  }
}
