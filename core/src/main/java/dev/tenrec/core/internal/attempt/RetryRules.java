// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.config.RetrySettings;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.retry.Backoff;
import dev.tenrec.core.internal.retry.RetryBudget;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.internal.retry.SharedBudget;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Whether another attempt follows one that failed, after how long, and whether the budget has one.
 * It begins none. For attempts that follow one another, and for rounds of attempts.
 */
final class RetryRules {

  /** What {@link #delayNanos} says if no attempt follows. */
  static final long NONE = -1;

  /** A call without a time-out would wait for whatever another side says. */
  private static final Duration LONGEST_HINT_WITHOUT_DEADLINE = Duration.ofMinutes(1);

  /** Longer than any call: what a failure says is its own, and may be anything. */
  private static final Duration LONGEST_HINT = Duration.ofDays(365);

  private final CommandRuntime runtime;
  private final Retry retry;

  /** What retries are drawn on; null for the command's own budget. */
  private final @Nullable SharedBudget shared;

  RetryRules(CommandRuntime runtime, Retry retry, @Nullable SharedBudget shared) {
    this.runtime = runtime;
    this.retry = retry;
    this.shared = shared;
  }

  /**
   * Whether retries are switched on, by the settings of now. If not, a call that waits for its next
   * attempt gets none either.
   */
  boolean areOn() {
    return runtime.settings().retry().enabled();
  }

  /** Whether refusals by our own gates are retried. */
  boolean followRefusals() {
    return retry.retriesRefusals();
  }

  /** The earlier of the call's deadline and the time-out of an attempt that begins now. */
  static long deadlineNanos(Execution<?, ?> whole, long now) {
    long call = whole.deadlineNanos();
    long limit = whole.plan.settings.retry().attemptTimeoutNanos();
    return limit > 0 && (call == Plan.NEVER || call - now > limit) ? now + limit : call;
  }

  /**
   * After how long another attempt follows, {@link #NONE} if none does. Nothing is drawn on the
   * budget here.
   *
   * @param tookTooLong whether it is over because one attempt has so much time, and not because the
   *     call has
   * @param attempts how many attempts there were so far
   * @param retries how many there would be with this one
   * @param previousNanos the delay before the last retry; any value for the first
   */
  long delayNanos(
      Execution<?, ?> ended,
      EventType event,
      Throwable cause,
      boolean tookTooLong,
      int attempts,
      int retries,
      long previousNanos,
      long now) {
    Execution<?, ?> whole = ended.whole();
    RetrySettings figures = ended.plan.settings.retry();
    if (!figures.allowsAfter(attempts)
        || whole.isLate(now) // so no users' code is asked beyond the deadline
        || !areOn()
        || CircuitBreaker.isTrial(ended.permission) // it says that it is too early
        || runtime.isClosed()
        || !isRetried(event, cause, tookTooLong)) {
      return NONE;
    }
    long backoff =
        new Backoff(figures.firstDelayNanos(), figures.longestDelayNanos(), retry.jitter())
            .delayNanos(retries, previousNanos);
    long hint = event == EventType.FAILURE ? hintNanos(cause) : 0;
    long delay = Math.max(backoff, hint);
    if (whole.hasDeadline()) {
      long needed = retry.looksAhead() ? runtime.medianNanos(now) : 0;
      return delay >= whole.deadlineNanos() - now - needed ? NONE : delay;
    }
    return hint > LONGEST_HINT_WITHOUT_DEADLINE.toNanos() ? NONE : delay;
  }

  /** Runs the user's predicate. Throws nothing. */
  private boolean isRetried(EventType event, Throwable cause, boolean tookTooLong) {
    if (event != EventType.FAILURE && !tookTooLong) {
      return retry.retriesRefusals() && isRefusal(event);
    }
    if (Classification.isUnrecoverable(cause)
        || cause instanceof CancellationException
        || cause instanceof InterruptedException
        || cause instanceof CommandInterruptedException
        || isNestedRefusal(cause) && !retry.retriesRefusals()) {
      return false;
    }
    try {
      return retry.accepts(cause);
    } catch (Throwable predicate) {
      runtime.failedToSettle(predicate);
      return false;
    }
  }

  /** Runs the user's function. Throws nothing. */
  private long hintNanos(Throwable cause) {
    try {
      Duration said = retry.hintOf(cause);
      return said.compareTo(LONGEST_HINT) < 0 ? said.toNanos() : LONGEST_HINT.toNanos();
    } catch (Throwable thrown) {
      runtime.failedToSettle(thrown);
      return 0;
    }
  }

  private static boolean isRefusal(EventType event) {
    return event == EventType.SHORT_CIRCUITED
        || event == EventType.THREAD_POOL_REJECTED
        || event == EventType.SEMAPHORE_REJECTED
        || event == EventType.RATE_LIMITED;
  }

  /** Of a command that the work called. */
  private static boolean isNestedRefusal(Throwable cause) {
    return cause instanceof CircuitOpenException || cause instanceof CommandRejectedException;
  }

  /** By the settings of now: the budget is no call's. Null if none is left. */
  @Nullable RetryToken draw(long now) {
    RetrySettings figures = runtime.settings().retry();
    RetryToken drawn =
        draw(runtime, shared, figures.budgetPercent(), figures.budgetPerSecond(), now);
    if (drawn == null) {
      String name = retry.sharedBudget();
      if (name != null) {
        runtime.usedUp(name);
      }
      runtime.recorder.count(EventType.RETRY_BUDGET_EXHAUSTED, now);
    }
    return drawn;
  }

  /**
   * Draws one further attempt, on the shared budget, or on the command's own by these figures. Null
   * if none is left.
   */
  static @Nullable RetryToken draw(
      CommandRuntime runtime, @Nullable SharedBudget shared, int percent, int perSecond, long now) {
    return shared != null
        ? shared.draw(now)
        : runtime
            .retryBudget()
            .draw(percent, perSecond, () -> runtime.retryBase(RetryBudget.WINDOW_NANOS, now), now);
  }

  /** Throws nothing: the attempt is drawn, and begins. */
  void countRetry(long now) {
    try {
      runtime.recorder.count(EventType.RETRY, now);
    } catch (Throwable thrown) { // no memory for a first count
      runtime.failedToSettle(thrown);
    }
  }
}
