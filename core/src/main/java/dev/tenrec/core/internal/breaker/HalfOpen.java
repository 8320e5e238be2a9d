// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.metrics.view.CircuitState;
import java.util.ArrayList;
import java.util.List;

/** A few trials are out, and their results decide. */
final class HalfOpen extends BreakerState {

  /** Which opening this follows: all states of one half-open period share it. */
  final Open period;

  /**
   * The trials that have a place. A trial that lost its lease is not listed; by its own reference
   * to the period its result still counts.
   */
  private final List<TrialPermit> trials;

  final int successes;

  private HalfOpen(
      TransitionHistory history, Open period, List<TrialPermit> trials, int successes) {
    super(history);
    this.period = period;
    this.trials = List.copyOf(trials);
    this.successes = successes;
  }

  static HalfOpen begin(TransitionHistory history, TrialPermit first) {
    return new HalfOpen(history, first.period, List.of(first), 0);
  }

  boolean isPeriodOf(TrialPermit trial) {
    return trial.period == period;
  }

  /**
   * Whether another trial may start: those that count and those that may still count are fewer than
   * {@code halfOpenTrials}.
   */
  boolean hasRoom(long now, BreakerRules rules) {
    int taken = successes;
    for (TrialPermit trial : trials) {
      if (!trial.isExpired(now, rules.leaseNanos())) {
        taken++;
      }
    }
    return taken < rules.halfOpenTrials();
  }

  /**
   * One trial more. Those whose lease has expired lose it here, and only here: until another trial
   * wants their place, they keep it.
   */
  HalfOpen with(TrialPermit trial, long now, BreakerRules rules) {
    List<TrialPermit> next = new ArrayList<>(trials.size() + 1);
    for (TrialPermit other : trials) {
      if (!other.isExpired(now, rules.leaseNanos())) {
        next.add(other);
      }
    }
    next.add(trial);
    return new HalfOpen(history, period, next, successes);
  }

  boolean holds(TrialPermit trial) {
    return trials.contains(trial);
  }

  HalfOpen without(TrialPermit trial) {
    return new HalfOpen(history, period, others(trial), successes);
  }

  HalfOpen withSuccessOf(TrialPermit trial) {
    return new HalfOpen(history, period, others(trial), successes + 1);
  }

  private List<TrialPermit> others(TrialPermit trial) {
    List<TrialPermit> others = new ArrayList<>(trials);
    others.remove(trial);
    return others;
  }

  @Override
  CircuitState name() {
    return CircuitState.HALF_OPEN;
  }
}
