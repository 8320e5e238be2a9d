// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when a call that failed is attempted again. Immutable; each method returns a copy.
 *
 * <p><b>Only work that may be done twice may be retried.</b> That is for its author to know: a call
 * that failed may have had its effect all the same. Work that is not idempotent by itself can send
 * a key that the other side remembers.
 *
 * <p>The command's time-out covers all attempts and the waiting between them. Each attempt asks the
 * circuit breaker, the rate limiter and the bulkhead, and counts as a call of its own there; while
 * a call waits for its next attempt it holds no permit and no thread of a pool. The fallback comes
 * after the last attempt. A call whose time is over between two attempts ends with its last
 * failure, and counts no time-out, which none of them had.
 *
 * <p>What is retried: exceptions of the work and results that {@code failIf} accepts. Never
 * retried: bad requests, ignored exceptions, cancellations and interrupts, errors of the JVM, the
 * command's own time-out (that of one attempt is another: {@link #attemptTimeout}), a failed trial
 * of a half-open circuit, and what a closed command ends with. Refusals by Tenrec itself, of this
 * command or of one that the work called, only with {@link #onRefusals}.
 *
 * <p>Its figures are settings of the command, {@code retry.*}, and can be changed while it runs:
 * what is said here is said in code, and a property of the command wins over it.
 *
 * <p>Every retry is drawn on a budget, which cannot be switched off: retries of a dependency that
 * fails altogether would otherwise multiply its load. See {@link #budget}.
 */
public final class Retry {

  private static final int MOST_ATTEMPTS = 100;
  private static final Duration LONGEST = Duration.ofDays(1);

  private static final Retry DEFAULT =
      new Retry(
          2,
          new Backoff(
              Duration.ofMillis(50).toNanos(), Duration.ofSeconds(1).toNanos(), Jitter.FULL, false),
          new Choice(thrown -> true, thrown -> null, false, true),
          new Budget(20, 3, false, null),
          null);

  /** How long to wait; {@code own} if {@link Retry#backoff} has said it. */
  private record Backoff(long firstNanos, long longestNanos, Jitter jitter, boolean own) {}

  /** Which endings are retried. */
  private record Choice(
      Predicate<Throwable> retried,
      Function<Throwable, @Nullable Duration> hint,
      boolean refusals,
      boolean looksAhead) {}

  /**
   * How many retries there may be; {@code own} if {@link Retry#budget} has said it; {@code shared}
   * by that name, null for the command's own.
   */
  private record Budget(int percent, int perSecond, boolean own, @Nullable String shared) {}

  private final int attempts;
  private final Backoff backoff;
  private final Choice choice;
  private final Budget budget;
  private final @Nullable Duration attemptTimeout;

  private Retry(
      int attempts,
      Backoff backoff,
      Choice choice,
      Budget budget,
      @Nullable Duration attemptTimeout) {
    this.attempts = attempts;
    this.backoff = backoff;
    this.choice = choice;
    this.budget = budget;
    this.attemptTimeout = attemptTimeout;
  }

  private Retry with(Backoff changed) {
    return new Retry(attempts, changed, choice, budget, attemptTimeout);
  }

  private Retry with(Choice changed) {
    return new Retry(attempts, backoff, changed, budget, attemptTimeout);
  }

  /**
   * So many attempts, with the defaults: a delay of 50 ms that doubles up to 1 s, with full jitter;
   * every failure of the work is retried, as long as the budget of 20 % and 3 a second has some
   * left.
   *
   * @param attempts the first one included, from 2 to 100
   * @throws IllegalArgumentException if it is not
   */
  public static Retry attempts(int attempts) {
    inRange("attempts", attempts, 2, MOST_ATTEMPTS);
    return new Retry(attempts, DEFAULT.backoff, DEFAULT.choice, DEFAULT.budget, null);
  }

  /**
   * How long one attempt may take, from its gates on; waiting for a thread counts. A longer one
   * counts as a time-out. It is interrupted or cancelled as a call that timed out, and keeps its
   * permit until its work stops. It is retried as any failure: {@link #on} and {@link #onlyIf} are
   * asked about a {@link dev.tenrec.core.outcome.CommandTimeoutException} whose limit is {@code
   * ATTEMPT}. The command's own time-out holds besides, for all attempts together, and is never
   * retried. Work on its caller's own thread is not stopped: it is judged when it returns. Default:
   * none, and each attempt has the time that its call has left.
   *
   * <p>It is a setting, {@code retry.attemptTimeoutInMilliseconds}. Where it is set, each attempt
   * is an object of its own, the first included.
   *
   * @param longest from a millisecond to a day
   * @throws IllegalArgumentException if it is not
   */
  public Retry attemptTimeout(Duration longest) {
    inRange("attempt time-out", longest, Duration.ofMillis(1));
    return new Retry(attempts, backoff, choice, budget, longest);
  }

  /**
   * How long to wait before the second attempt, and before each further one twice as long, up to a
   * longest delay; {@link #jitter} makes less of it. Default: 50 ms, up to 1 s.
   *
   * @param first from zero to a day
   * @param longest from {@code first} to a day
   * @throws IllegalArgumentException if one is out of its range
   */
  public Retry backoff(Duration first, Duration longest) {
    inRange("first delay", first, Duration.ZERO);
    inRange("longest delay", longest, first);
    return with(new Backoff(first.toNanos(), longest.toNanos(), backoff.jitter, true));
  }

  /**
   * A failure may say itself when to come again, as an HTTP answer does with {@code Retry-After}
   * (RFC 9110, 10.2.3). Where it does, the next attempt begins no earlier: it waits for what is
   * said or for its own delay, whichever is longer. If the call's time does not suffice for that,
   * or it has no time-out and would wait for more than a minute, the failure is the answer.
   * Default: no failure says anything.
   *
   * @param hint how long to wait from now on, as the failure says; null, zero or less if it says
   *     nothing. Runs on the thread that ended the attempt, before any answer, so it should decide
   *     at once; asked once for each failure of the work that may be retried. If it throws, that is
   *     logged, and the failure has said nothing
   */
  public Retry notBefore(Function<? super Throwable, @Nullable Duration> hint) {
    Objects.requireNonNull(hint, "hint");
    return with(new Choice(choice.retried, hint::apply, choice.refusals, choice.looksAhead));
  }

  /** How much of the delay is left to chance. Default: {@link Jitter#FULL}. */
  public Retry jitter(Jitter jitter) {
    Objects.requireNonNull(jitter, "jitter");
    return with(new Backoff(backoff.firstNanos, backoff.longestNanos, jitter, backoff.own));
  }

  /**
   * Retries these exceptions only, and their subclasses. Replaces an earlier choice. A result that
   * {@code failIf} accepts is a {@link dev.tenrec.core.outcome.FailedResultException}.
   */
  @SafeVarargs
  public final Retry on(Class<? extends Throwable>... types) {
    List<Class<? extends Throwable>> all = new ArrayList<>();
    for (Class<? extends Throwable> type : types) {
      all.add(Objects.requireNonNull(type, "type"));
    }
    return onlyIf(thrown -> all.stream().anyMatch(type -> type.isInstance(thrown)));
  }

  /**
   * Retries only what this accepts. Replaces an earlier choice.
   *
   * @param retried runs on the thread that ended the attempt, before any answer, so it should
   *     decide at once; asked once for each failed attempt but the last. If it throws, that is
   *     logged, and the attempt was the last
   */
  public Retry onlyIf(Predicate<? super Throwable> retried) {
    Objects.requireNonNull(retried, "retried");
    return with(new Choice(retried::test, choice.hint, choice.refusals, choice.looksAhead));
  }

  /**
   * Retries refusals by Tenrec as well: by this command's open circuit, rate limiter or full
   * bulkhead, and by those of a command that the work called. They say that there is too much to do
   * already, so think twice. They are not asked of {@link #onlyIf}, unless they came out of the
   * work.
   */
  public Retry onRefusals() {
    return with(new Choice(choice.retried, choice.hint, true, choice.looksAhead));
  }

  /**
   * Begins an attempt as long as the time-out has not come. Otherwise none is begun if less time is
   * left than half of the attempts took of late (the median of the execution latency).
   */
  public Retry howeverLittleTimeIsLeft() {
    return with(new Choice(choice.retried, choice.hint, choice.refusals, false));
  }

  /**
   * How many retries the command can afford: of any ten seconds, a share of what it executed
   * meanwhile, and a fixed number for each second besides, so that commands with few calls have
   * some. Of any ten seconds that is ten times the fixed number, which may come at once. Commands
   * of one key have one budget. If it is used up, the first failure is the answer, and
   * RETRY_BUDGET_EXHAUSTED is counted. Default: 20 % and 3 a second.
   *
   * <p>Executions are counted by the rolling window ({@code
   * metrics.rollingStats.timeInMilliseconds}). One shorter than ten seconds knows fewer, and the
   * share is smaller by as much.
   *
   * <p>There is no share, and the fixed number alone, while more of the command's attempts fail or
   * time out than succeed, by the health of its rolling window: retries help where something fails
   * now and then, and prolong the trouble of a dependency that has more to do than it can.
   *
   * <p>The shape is that of Finagle's RetryBudget, with a smaller fixed number. That retries stop
   * where failures prevail is gRPC's retry throttling (gRFC A6).
   *
   * @param percent of the executions, from 0 to 100
   * @param perSecond from 0 to 1000
   * @throws IllegalArgumentException if one is out of its range
   */
  public Retry budget(int percent, int perSecond) {
    inRange("budget in per cent", percent, 0, 100);
    inRange("budget per second", perSecond, 0, 1_000);
    Budget changed = new Budget(percent, perSecond, true, budget.shared);
    return new Retry(attempts, backoff, choice, changed, attemptTimeout);
  }

  /**
   * Draws retries on a budget that several commands share, as those of one dependency, or all of a
   * process: a share of what they executed together, and a fixed number for each second besides. A
   * command whose failures prevail adds nothing to what it is a share of. Its figures are settings,
   * {@code retrybudget.<name>.percent} and {@code retrybudget.<name>.perSecond}, 20 % and 3 a
   * second by default; those of {@link #budget}, if it was called, are what code says of it, which
   * has to be the same wherever it is named. The command's own {@code retry.budget*} mean nothing
   * then. There is one of a name in each Tenrec, as long as a command shares it. Default: a budget
   * of the command's own.
   *
   * @param name not blank, nor {@code default}, which building the command refuses
   * @throws IllegalArgumentException if it is blank
   */
  public Retry sharedBudget(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("retry: the name of a shared budget is blank");
    }
    Budget changed = new Budget(budget.percent, budget.perSecond, budget.own, name);
    return new Retry(attempts, backoff, choice, changed, attemptTimeout);
  }

  /** How many attempts there are at most, the first one included. */
  public int attempts() {
    return attempts;
  }

  /** The delay before the second attempt, without jitter. */
  public Duration firstDelay() {
    return Duration.ofNanos(backoff.firstNanos);
  }

  /** What no delay exceeds. */
  public Duration longestDelay() {
    return Duration.ofNanos(backoff.longestNanos);
  }

  /** Whether {@link #backoff} was called. If not, the properties say how long to wait. */
  public boolean hasOwnBackoff() {
    return backoff.own;
  }

  /** Whether {@link #budget} was called. If not, the properties say what the budget is. */
  public boolean hasOwnBudget() {
    return budget.own;
  }

  /** The name of the budget that is shared; null if the command has one of its own. */
  public @Nullable String sharedBudget() {
    return budget.shared;
  }

  /** What {@link #attemptTimeout} said; null if it was not called, and the properties say it. */
  public @Nullable Duration attemptTimeout() {
    return attemptTimeout;
  }

  /** How much of the delay is left to chance. */
  public Jitter jitter() {
    return backoff.jitter;
  }

  /** Whether this failure of the work may be retried. Runs user code, and throws what that does. */
  public boolean accepts(Throwable thrown) {
    return choice.retried.test(thrown);
  }

  /**
   * How long this failure of the work says to wait; zero if it says nothing. Runs user code, and
   * throws what that does.
   */
  public Duration hintOf(Throwable thrown) {
    Duration said = choice.hint.apply(thrown);
    return said == null || said.isNegative() ? Duration.ZERO : said;
  }

  /** Whether refusals by Tenrec are retried. */
  public boolean retriesRefusals() {
    return choice.refusals;
  }

  /** Whether an attempt needs as much time as half of them took. */
  public boolean looksAhead() {
    return choice.looksAhead;
  }

  /** The share of the executions that may be retried, in per cent. */
  public int budgetPercent() {
    return budget.percent;
  }

  /** How many retries there may be in each second besides. */
  public int budgetPerSecond() {
    return budget.perSecond;
  }

  private static void inRange(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "retry: " + what + " is " + value + ", expected " + least + " to " + most);
    }
  }

  private static void inRange(String what, Duration value, Duration least) {
    Objects.requireNonNull(value, what);
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "retry: " + what + " is " + value + ", expected " + least + " to " + LONGEST);
    }
  }

  @Override
  public String toString() {
    return attempts
        + " attempts, "
        + firstDelay()
        + " to "
        + longestDelay()
        + " apart with "
        + backoff.jitter
        + " jitter"
        + (attemptTimeout == null ? "" : ", " + attemptTimeout + " for each")
        + ", budget "
        + (budget.shared == null ? "" : budget.shared + " with ")
        + budget.percent
        + " % and "
        + budget.perSecond
        + " a second";
  }
}
