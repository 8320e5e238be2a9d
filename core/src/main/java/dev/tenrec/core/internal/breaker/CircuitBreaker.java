// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A circuit breaker that cannot get stuck.
 *
 * <pre>
 *        evaluate: enough trouble                 a call after the sleep window
 *   CLOSED ------------------------&gt; OPEN -------------------------------------&gt; HALF_OPEN
 *      ^                               ^                                          |     |
 *      |                               +---------- one trial failed --------------+     |
 *      +------------------------------------------ N trials succeeded ------------------+
 * </pre>
 *
 * <p>The state is one reference to an immutable object, changed by compare-and-set only. A call
 * holds the {@link Permission} it was let through by, which names the state of its beginning: a
 * result from before the last transition changes nothing. Whatever becomes of trials, ended late,
 * twice, neutrally or never, a call after {@code sleepWindowNanos} (open) or {@code leaseNanos}
 * (half-open) gets through.
 *
 * <p>Thread-safe and lock-free. Times are readings of one monotonic ticker, given by the caller;
 * the wall clock is read for the journal only.
 */
public final class CircuitBreaker {

  private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);
  private static final VarHandle STATE;

  static {
    try {
      STATE =
          MethodHandles.lookup().findVarHandle(CircuitBreaker.class, "state", BreakerState.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String commandKey;
  private final long createdAtNanos;
  private final InstantSource wallClock;
  private final TransitionListener listener;

  /**
   * Written by compare-and-set by every thread with a call that begins or ends, read by any thread.
   * It is the one word that orders everything.
   */
  private volatile BreakerState state;

  /**
   * Written by the thread that changes the settings, read by any thread, ordered by volatile
   * access, but not with the state: see {@link #admitTrial}.
   */
  private volatile BreakerRules rules;

  /**
   * A closed circuit.
   *
   * @param commandKey for messages
   * @param nowNanos the ticker's reading now
   * @param wallClock the time of day for the journal; read at transitions only
   */
  public CircuitBreaker(
      String commandKey,
      BreakerRules rules,
      long nowNanos,
      InstantSource wallClock,
      TransitionListener listener) {
    this.commandKey = commandKey;
    this.rules = rules;
    this.createdAtNanos = nowNanos;
    this.wallClock = wallClock;
    this.listener = listener;
    this.state = new Closed(TransitionHistory.EMPTY);
  }

  /** Replaces the rules from now on: for calls, trials and periods that have begun as well. */
  public void rules(BreakerRules replacement) {
    rules = replacement;
  }

  /**
   * Lets a call through, or not. The caller must end a permission by one of {@link #succeeded},
   * {@link #failed} and {@link #released}; nothing gets stuck if not.
   *
   * @return the permission, or a {@link Refused} that says why not
   */
  public Permission admit(long now) {
    return state instanceof Closed closed ? closed : admitTrial(now);
  }

  /**
   * The permission for a call that goes through whatever the state, because the breaker is forced
   * closed or only observes: it never is a trial. Also what to show to {@link #evaluate}, taken
   * before the health is read.
   */
  public Permission unrefused() {
    return state instanceof Closed closed ? closed : Permission.UNGUARDED;
  }

  /** Whether an evaluation could trip it now. */
  public boolean isClosed() {
    return state instanceof Closed;
  }

  /**
   * Whether the call began in the closed state that still lasts: the common case, in which its
   * result is of no interest here. One volatile read.
   */
  public boolean isUndisturbed(Permission permission) {
    return permission == state;
  }

  /** Whether it is for a trial of a half-open circuit, present or past. */
  public static boolean isTrial(Permission permission) {
    return permission instanceof TrialPermit;
  }

  /**
   * Whether a call's result says something about the present state; false if the call began before
   * the last transition.
   */
  public boolean isCurrent(Permission permission) {
    if (permission instanceof TrialPermit trial) {
      return halfOpenOf(trial) != null;
    }
    return permission == state || permission == Permission.UNGUARDED;
  }

  /**
   * The call succeeded. A trial of the present half-open period counts, also one that lost its
   * lease; {@code halfOpenTrials} of them close the circuit. Anything else changes nothing.
   */
  public void succeeded(Permission permission, long now) {
    if (permission instanceof TrialPermit trial && trial.claimEnding()) {
      HalfOpen seen;
      while ((seen = halfOpenOf(trial)) != null) {
        HalfOpen next = seen.withSuccessOf(trial);
        BreakerRules limits = rules;
        if (next.successes >= limits.halfOpenTrials()
            ? close(seen, now, limits)
            : replace(seen, next)) {
          return;
        }
      }
    }
  }

  /**
   * The call failed, timed out or was rejected. A trial of the present half-open period opens the
   * circuit again, also one that lost its lease, and the sleep window begins anew. Anything else
   * changes nothing: closed circuits trip by {@link #evaluate}.
   */
  public void failed(Permission permission, long now) {
    if (permission instanceof TrialPermit trial && trial.claimEnding()) {
      HalfOpen seen;
      while ((seen = halfOpenOf(trial)) != null) {
        if (open(seen, now, TransitionReason.TRIAL_FAILED, seen.period.health, rules)) {
          return;
        }
      }
    }
  }

  /**
   * The call ended without saying anything about the dependency: a bad request, cancelled, or
   * refused by a later gate. A trial gives its place to the next call, unless it has lost it
   * already.
   */
  public void released(Permission permission, long now) {
    if (permission instanceof TrialPermit trial && trial.claimEnding()) {
      HalfOpen seen;
      while ((seen = halfOpenOf(trial)) != null && seen.holds(trial)) {
        if (replace(seen, seen.without(trial))) {
          return;
        }
      }
    }
  }

  /**
   * Trips the circuit if it is closed and the numbers are bad: {@code total >=
   * requestVolumeThreshold} and {@code troublePercentage >= errorThresholdPercentage}.
   *
   * @param seen what {@link #unrefused} or {@link #admit} returned <em>before</em> the health was
   *     read: if the circuit has opened or closed since, the numbers are of another period and
   *     nothing happens
   */
  public void evaluate(Permission seen, HealthSnapshot health, long now) {
    BreakerRules limits = rules;
    if (seen instanceof Closed closed
        && health.total() > 0
        && health.total() >= limits.requestVolumeThreshold()
        && health.troublePercentage() >= limits.errorThresholdPercentage()) {
      // lost against another transition, such as another evaluation's
      boolean unused = open(closed, now, TransitionReason.THRESHOLD_REACHED, health, limits);
    }
  }

  /**
   * Closes the circuit if it is not closed. The health starts from zero, as after trials; calls
   * that began before change nothing any more.
   *
   * @param why for the journal
   * @return whether this call closed it
   */
  public boolean closeByHand(String why, long now) {
    while (true) {
      BreakerState seen = state;
      if (seen instanceof Closed) {
        return false;
      }
      HealthSnapshot health =
          seen instanceof HalfOpen halfOpen ? halfOpen.period.health : ((Open) seen).health;
      if (close(seen, health, TransitionReason.CLOSED_BY_HAND, why, now, rules)) {
        return true;
      }
    }
  }

  /**
   * From when on an open circuit lets a trial through, by the sleep window in force now; null if it
   * is not open, or that is beyond the end of time.
   */
  public @Nullable Instant nextTrialAt() {
    return state instanceof Open open
        ? endOfSleep(open.history.latest().at(), rules.sleepWindowNanos())
        : null;
  }

  /** Whether {@link #admit} would let a call through now. Changes nothing. */
  public boolean wouldAdmit(long now) {
    BreakerState seen = state;
    BreakerRules limits = rules;
    if (seen instanceof Open open) {
      return open.isSleepOver(now, limits.sleepWindowNanos());
    }
    return !(seen instanceof HalfOpen halfOpen)
        || halfOpen.successes >= limits.halfOpenTrials()
        || halfOpen.hasRoom(now, limits);
  }

  /** The state now. An open circuit whose sleep window is over stays open until a call comes. */
  public CircuitState state() {
    return state.name();
  }

  /** The last 16 transitions, oldest first. */
  public List<Transition> journal() {
    return state.history.transitions();
  }

  private Permission admitTrial(long now) {
    while (true) {
      BreakerState seen = state;
      BreakerRules limits = rules;
      if (seen instanceof Closed closed) {
        return closed;
      } else if (seen instanceof Open open) {
        if (!open.isSleepOver(now, limits.sleepWindowNanos())) {
          return open.refusal;
        }
        TrialPermit trial = new TrialPermit(open, now);
        Transition transition =
            transition(
                open,
                CircuitState.HALF_OPEN,
                now,
                TransitionReason.SLEEP_WINDOW_OVER,
                open.health,
                limits,
                null);
        if (change(open, HalfOpen.begin(open.history.plus(transition), trial))) {
          return trial;
        }
      } else if (seen instanceof HalfOpen halfOpen) {
        if (halfOpen.successes >= limits.halfOpenTrials()) {
          // Fewer trials are asked for than when the last one succeeded: no ending may come any
          // more to close the circuit.
          boolean unused = close(halfOpen, now, limits);
        } else if (!halfOpen.hasRoom(now, limits)) {
          return halfOpen.period.refusal;
        } else {
          TrialPermit trial = new TrialPermit(halfOpen.period, now);
          if (replace(halfOpen, halfOpen.with(trial, now, limits))) {
            return trial;
          }
        }
      }
    }
  }

  /** The present half-open period if it is the one of {@code trial}, else null. */
  private @Nullable HalfOpen halfOpenOf(TrialPermit trial) {
    return state instanceof HalfOpen halfOpen && halfOpen.isPeriodOf(trial) ? halfOpen : null;
  }

  private boolean close(HalfOpen seen, long now, BreakerRules limits) {
    return close(seen, seen.period.health, TransitionReason.TRIALS_SUCCEEDED, null, now, limits);
  }

  private boolean close(
      BreakerState seen,
      HealthSnapshot health,
      TransitionReason reason,
      @Nullable String remark,
      long now,
      BreakerRules limits) {
    try {
      listener.closing();
    } catch (Throwable e) {
      LOG.warn("{}: listener failed before the circuit closed", LogText.of(commandKey), e);
    }
    Transition transition =
        transition(seen, CircuitState.CLOSED, now, reason, health, limits, remark);
    return change(seen, new Closed(seen.history.plus(transition)));
  }

  private boolean open(
      BreakerState seen,
      long now,
      TransitionReason reason,
      HealthSnapshot health,
      BreakerRules limits) {
    Transition transition = transition(seen, CircuitState.OPEN, now, reason, health, limits, null);
    CircuitOpenException refusal =
        CircuitOpenException.shared(
            commandKey,
            transition.explanation(),
            transition.at(),
            endOfSleep(transition.at(), limits.sleepWindowNanos()));
    return change(seen, new Open(seen.history.plus(transition), now, health, new Refused(refusal)));
  }

  private boolean change(BreakerState seen, BreakerState next) {
    if (!replace(seen, next)) {
      return false;
    }
    try {
      listener.changed(next.history.latest());
    } catch (Throwable e) {
      LOG.warn("{}: listener failed at {}", LogText.of(commandKey), next.history.latest(), e);
    }
    return true;
  }

  private boolean replace(BreakerState seen, BreakerState next) {
    return STATE.compareAndSet(this, seen, next);
  }

  private Transition transition(
      BreakerState from,
      CircuitState to,
      long now,
      TransitionReason reason,
      HealthSnapshot health,
      BreakerRules limits,
      @Nullable String remark) {
    long number = from.history.nextNumber();
    return new Transition(
        number,
        from.name(),
        to,
        now - createdAtNanos,
        wallClock.instant(),
        reason,
        health,
        limits,
        remark);
  }

  private static @Nullable Instant endOfSleep(Instant openedAt, long sleepWindowNanos) {
    Duration sleep = Duration.ofNanos(sleepWindowNanos);
    return Duration.between(openedAt, Instant.MAX).compareTo(sleep) < 0
        ? null
        : openedAt.plus(sleep);
  }
}
