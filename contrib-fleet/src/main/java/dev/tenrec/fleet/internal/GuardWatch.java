// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.IdentityHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a canary's guard trips, by what was counted since it was joined. Not thread-safe.
 */
final class GuardWatch {

  private final long canary;
  private final CanaryGuard guard;

  /** By the commands themselves: one that is built anew, with an old one's key, begins at 0. */
  private final IdentityHashMap<CommandView, EventCounts> before = new IdentityHashMap<>();

  private GuardWatch(long canary, CanaryGuard guard) {
    this.canary = canary;
    this.guard = guard;
  }

  /** From now on. */
  static GuardWatch start(long canary, CanaryGuard guard, Tenrec tenrec) {
    GuardWatch watch = new GuardWatch(canary, guard);
    for (CommandView view : tenrec.commands()) {
      watch.before.put(view, view.counts().cumulative());
    }
    return watch;
  }

  /** The canary it guards. */
  long canary() {
    return canary;
  }

  /** Why the canary has to be left; null if it may stay. */
  @Nullable String tripped(Tenrec tenrec) {
    for (CommandView view : tenrec.commands()) {
      String command = guard.command();
      if (command == null || command.equals(view.key())) {
        String why = tripped(view);
        if (why != null) {
          return why;
        }
      }
    }
    return null;
  }

  private @Nullable String tripped(CommandView view) {
    EventCounts now = view.counts().cumulative();
    long errors =
        since(view, now, EventType.FAILURE)
            + since(view, now, EventType.TIMEOUT)
            + since(view, now, EventType.DEADLINE_EXCEEDED);
    long refused =
        since(view, now, EventType.SHORT_CIRCUITED)
            + since(view, now, EventType.THREAD_POOL_REJECTED)
            + since(view, now, EventType.SEMAPHORE_REJECTED)
            + since(view, now, EventType.RATE_LIMITED);
    long calls = errors + refused + since(view, now, EventType.SUCCESS);
    if (calls < guard.leastCalls()) {
      return null;
    }
    Integer errorLimit = guard.errorPercent();
    if (errorLimit != null && errors * 100 > calls * errorLimit) {
      return words(view, errors + " errors", calls, errorLimit + " %");
    }
    Integer refusedLimit = guard.refusedPercent();
    if (refusedLimit != null && refused * 100 > calls * refusedLimit) {
      return words(view, refused + " refusals", calls, refusedLimit + " %");
    }
    Long p99Limit = guard.p99Millis();
    if (p99Limit != null) {
      long p99Nanos = view.callerLatency().valueAtPercentile(99);
      if (p99Nanos > TimeUnit.MILLISECONDS.toNanos(p99Limit)) {
        return words(view, "a p99 of " + p99Nanos / 1_000_000 + " ms", calls, p99Limit + " ms");
      }
    }
    return null;
  }

  private long since(CommandView view, EventCounts now, EventType event) {
    long earlier = before.getOrDefault(view, EventCounts.NONE).get(event);
    return Math.max(0, now.get(event) - earlier);
  }

  private static String words(CommandView view, String what, long calls, String limit) {
    return "command "
        + view.key()
        + " had "
        + what
        + " in "
        + calls
        + " calls, and the guard's limit is "
        + limit;
  }
}
