// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.metrics.view.CircuitState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a breaker should do, said plainly for one thread: trials are numbers, states are fields. */
public final class ModelBreaker {

  public static final int REFUSED = -1;
  public static final int CLOSED_CALL = -2;

  CircuitState state = CircuitState.CLOSED;
  int period;
  int successes;
  private long openedAt;
  private int lastTrial;
  private final Map<Integer, Integer> periodOfTrial = new HashMap<>();
  private final Map<Integer, Long> takenAt = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();

  public CircuitState state() {
    return state;
  }

  public int admit(long now, BreakerRules rules) {
    if (state == CircuitState.OPEN && now - openedAt >= rules.sleepWindowNanos()) {
      state = CircuitState.HALF_OPEN;
      successes = 0;
      takenAt.clear();
    }
    if (state == CircuitState.HALF_OPEN && successes >= rules.halfOpenTrials()) {
      state = CircuitState.CLOSED;
    }
    if (state == CircuitState.CLOSED) {
      return CLOSED_CALL;
    }
    if (state == CircuitState.OPEN || unexpired(now, rules) + successes >= rules.halfOpenTrials()) {
      return REFUSED;
    }
    takenAt.values().removeIf(taken -> now - taken >= rules.leaseNanos());
    int trial = ++lastTrial;
    takenAt.put(trial, now);
    periodOfTrial.put(trial, period);
    return trial;
  }

  int unexpired(long now, BreakerRules rules) {
    return (int)
        takenAt.values().stream().filter(taken -> now - taken < rules.leaseNanos()).count();
  }

  public void succeeded(int trial, BreakerRules rules) {
    if (counts(trial)) {
      takenAt.remove(trial);
      successes++;
      if (successes >= rules.halfOpenTrials()) {
        state = CircuitState.CLOSED;
      }
    }
  }

  public void failed(int trial, long now) {
    if (counts(trial)) {
      open(now);
    }
  }

  public void released(int trial) {
    if (counts(trial)) {
      takenAt.remove(trial);
    }
  }

  public void trip(long now) {
    if (state == CircuitState.CLOSED) {
      open(now);
    }
  }

  public boolean isCurrent(int trial) {
    return state == CircuitState.HALF_OPEN && periodOfTrial.get(trial) == period;
  }

  private boolean counts(int trial) {
    return ended.add(trial) && isCurrent(trial);
  }

  private void open(long now) {
    state = CircuitState.OPEN;
    openedAt = now;
    period++;
  }
}
