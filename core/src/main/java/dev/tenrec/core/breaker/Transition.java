// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of a circuit's state.
 *
 * @param number 1 for the breaker's first, then counting up: the order they happened in
 * @param from the state before: CLOSED, OPEN or HALF_OPEN, for what is set by hand is no transition
 * @param to the state after, likewise
 * @param sinceCreationNanos when, in nanoseconds since the breaker was made, by the monotonic clock
 * @param at when, by the wall clock
 * @param reason why
 * @param health the numbers that tripped the circuit; the later transitions of the same trip repeat
 *     them
 * @param rules the thresholds in force
 * @param remark what was said when it was made by hand; else null
 */
public record Transition(
    long number,
    CircuitState from,
    CircuitState to,
    long sinceCreationNanos,
    Instant at,
    TransitionReason reason,
    HealthSnapshot health,
    BreakerRules rules,
    @Nullable String remark) {

  /** One that was not made by hand. */
  public Transition(
      long number,
      CircuitState from,
      CircuitState to,
      long sinceCreationNanos,
      Instant at,
      TransitionReason reason,
      HealthSnapshot health,
      BreakerRules rules) {
    this(number, from, to, sinceCreationNanos, at, reason, health, rules, null);
  }

  /** Why, as a sentence with the numbers and the limits. */
  public String explanation() {
    return switch (reason) {
      case THRESHOLD_REACHED -> trouble();
      case SLEEP_WINDOW_OVER ->
          "the sleep window of "
              + rules.sleepWindowNanos() / 1_000_000
              + " ms is over, after "
              + trouble();
      case TRIAL_FAILED -> "a trial failed or was slow, after " + trouble();
      case TRIALS_SUCCEEDED ->
          "as many trials succeeded as needed (" + rules.halfOpenTrials() + ")";
      case CLOSED_BY_HAND -> "closed by hand: " + remark;
    };
  }

  private String trouble() {
    return health.errors()
        + " of "
        + health.total()
        + " calls failed"
        + rejections()
        + " and "
        + health.slow()
        + " were slow ("
        + health.troublePercentage()
        + " %; limit "
        + rules.errorThresholdPercentage()
        + " % from "
        + rules.requestVolumeThreshold()
        + " calls on)";
  }

  /**
   * A call that a limit rejected is no fault of the dependency, so the explanation counts it apart.
   */
  private String rejections() {
    return health.rejected() == 0 ? "" : " (" + health.rejected() + " of them rejected)";
  }
}
