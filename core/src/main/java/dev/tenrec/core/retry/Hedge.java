// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a call whose work is slow gets a further attempt beside it: a <i>hedge</i>. The first
 * success answers, and what else is under way is given up. Immutable; each method returns a copy.
 *
 * <p><b>Only work that may be done twice may be hedged</b>, even at the same time: both attempts
 * may have their effect. That is for its author to know.
 *
 * <p>A hedge helps against a dependency that is sometimes slow, for a reason that has nothing to do
 * with the call: after J. Dean and L. A. Barroso, "The Tail at Scale", Communications of the ACM 56
 * (2), 2013. It does not help against one that is slow because it has too much to do: hedges are
 * more of that. So each is drawn on a budget, which cannot be switched off.
 *
 * <p>A hedge asks the circuit breaker, the rate limiter and the bulkhead as a call of its own. If
 * one of them refuses it, or the circuit is not closed, the call goes on without. None begins that
 * the deadline leaves less time for than half of the attempts took of late, and none while an
 * attempt still waits for a thread. The command's time-out covers all attempts, and the fallback
 * comes when none is under way any more. A failure ends the call if no other attempt is under way
 * and no retry follows; a bad request ends it at once.
 *
 * <p>What was outrun is given up as a call that timed out is: its thread is interrupted, unless
 * {@code execution.isolation.thread.interruptOnTimeout} is false, its cancellers run, its stage is
 * cancelled. Its permit comes back when its work has really stopped.
 *
 * <p>Its figures are settings of the command, {@code hedge.*}, and can be changed while it runs:
 * what is said here is said in code, and a property of the command wins over it.
 */
public final class Hedge {

  private static final int MOST = 10;
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  /**
   * How many hedges there may be; {@code own} if {@link Hedge#budget} has said it; {@code shared}
   * by that name, null for the command's own.
   */
  private record Budget(int percent, int perSecond, boolean own, @Nullable String shared) {}

  private final Duration after;
  private final int percentile;
  private final int atMost;
  private final Budget budget;

  private Hedge(Duration after, int percentile, int atMost, Budget budget) {
    this.after = after;
    this.percentile = percentile;
    this.atMost = atMost;
    this.budget = budget;
  }

  private static Hedge of(Duration after, int percentile) {
    return new Hedge(after, percentile, 1, new Budget(5, 1, false, null));
  }

  /**
   * A hedge begins when the last attempt's work is out for so long. At most one, on a budget of 5 %
   * and 1 a second.
   *
   * @param delay from a millisecond to a day
   * @throws IllegalArgumentException if it is not
   */
  public static Hedge after(Duration delay) {
    return of(inRange("delay", delay), 0);
  }

  /**
   * A hedge begins when the last attempt's work is out for longer than so many per cent of the
   * command's executions took, of late ({@code metrics.rollingPercentile.*}); none as long as there
   * are fewer than 100 of them, or percentiles are off. The figure is read once a second. At most
   * one, no earlier than after a millisecond ({@link #noEarlierThan}), on a budget of 5 % and 1 a
   * second.
   *
   * @param percentile from 1 to 99, as 95
   * @throws IllegalArgumentException if it is not
   */
  public static Hedge afterPercentile(int percentile) {
    return of(LEAST, inRange("percentile", percentile, 1, 99));
  }

  /**
   * Whatever the percentile says, no hedge begins earlier. Default: a millisecond. With a fixed
   * delay, replaces that.
   *
   * @param floor from a millisecond to a day
   * @throws IllegalArgumentException if it is not
   */
  public Hedge noEarlierThan(Duration floor) {
    return new Hedge(inRange("floor", floor), percentile, atMost, budget);
  }

  /**
   * How many hedges one call has at most; each begins so long after the one before. With a retry,
   * as many in each round of its attempts, which together are at most the retry's. Default: 1.
   *
   * @param hedges from 1 to 10
   * @throws IllegalArgumentException if it is not
   */
  public Hedge atMost(int hedges) {
    return new Hedge(after, percentile, inRange("atMost", hedges, 1, MOST), budget);
  }

  /**
   * How many hedges the command can afford: of any ten seconds, a share of what it executed
   * meanwhile, and a fixed number for each second besides. Of any ten seconds that is ten times the
   * fixed number, which may come at once. Retries of the same key spend from this as well. If it is
   * used up, the call goes on without, and HEDGE_REFUSED is counted. While more attempts fail than
   * succeed there is the fixed number alone, as for {@link Retry#budget retries}. Default: 5 % and
   * 1 a second.
   *
   * <p>Executions are counted by the rolling window ({@code
   * metrics.rollingStats.timeInMilliseconds}). One shorter than ten seconds knows fewer, and the
   * share is smaller by as much.
   *
   * @param percent of the executions, from 0 to 100
   * @param perSecond from 0 to 1000
   * @throws IllegalArgumentException if one is out of its range
   */
  public Hedge budget(int percent, int perSecond) {
    return new Hedge(
        after,
        percentile,
        atMost,
        new Budget(
            inRange("budget in per cent", percent, 0, 100),
            inRange("budget per second", perSecond, 0, 1_000),
            true,
            budget.shared));
  }

  /**
   * Draws hedges on a budget that several commands share, with their retries and hedges, if these
   * name it, too: a share of what they executed together, and a fixed number for each second
   * besides. Its figures are settings, {@code retrybudget.<name>.percent} and {@code
   * retrybudget.<name>.perSecond}, 20 % and 3 a second by default; those of {@link #budget}, if it
   * was called, are what code says of it, which has to be the same wherever it is named. The
   * command's own {@code hedge.budget*} mean nothing then. There is one of a name in each Tenrec,
   * as long as a command shares it. Default: a budget of the command's own.
   *
   * @param name not blank, nor {@code default}, which building the command refuses
   * @throws IllegalArgumentException if it is blank
   */
  public Hedge sharedBudget(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("hedge: the name of a shared budget is blank");
    }
    return new Hedge(
        after, percentile, atMost, new Budget(budget.percent, budget.perSecond, budget.own, name));
  }

  /** The delay before a hedge; with a percentile, what it is at least. */
  public Duration delay() {
    return after;
  }

  /** Which percentile says how long to wait; 0 if none does. */
  public int percentile() {
    return percentile;
  }

  /** How many hedges one call has at most. */
  public int atMost() {
    return atMost;
  }

  /** Whether {@link #budget} was called. If not, the properties say what the budget is. */
  public boolean hasOwnBudget() {
    return budget.own;
  }

  /** The name of the budget that is shared; null if the command has one of its own. */
  public @Nullable String sharedBudget() {
    return budget.shared;
  }

  /** The share of the executions that may be hedged, in per cent. */
  public int budgetPercent() {
    return budget.percent;
  }

  /** How many hedges there may be in each second besides. */
  public int budgetPerSecond() {
    return budget.perSecond;
  }

  private static int inRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "hedge: " + what + " is " + value + ", expected " + least + " to " + most);
    }
    return value;
  }

  private static Duration inRange(String what, Duration value) {
    Objects.requireNonNull(value, what);
    if (value.compareTo(LEAST) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "hedge: " + what + " is " + value + ", expected " + LEAST + " to " + LONGEST);
    }
    return value;
  }

  @Override
  public String toString() {
    return "up to "
        + atMost
        + " more, "
        + (percentile == 0 ? after : "p" + percentile + " and at least " + after)
        + " apart, budget "
        + (budget.shared == null ? "" : budget.shared + " with ")
        + budget.percent
        + " % and "
        + budget.perSecond
        + " a second";
  }
}
