// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.breaker.BreakerRules;
import dev.tenrec.core.internal.breaker.ModelBreaker;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a command should do, said plainly for one thread: permits are a number, the health is two,
 * and time passes only between steps. Its window never ends, and no two calls end at one moment but
 * by time-outs.
 */
final class ModelCommand {

  /** What a fallback does. */
  enum FallbackKind {
    NONE,
    VALUE,
    FUNCTION,
    FAILING,
    WITHOUT_PERMITS
  }

  /** The health interval of every command here. */
  static final long INTERVAL_NANOS = 10_000_000;

  private static final long NOT_ARMED = Long.MAX_VALUE;

  // Its settings, which a step may change.
  int volume = 3;
  int percent = 50;
  long sleepNanos;
  int trials = 1;
  long timeoutNanos;
  int limit;
  int queue;
  FallbackKind fallback = FallbackKind.NONE;
  boolean fallbackEnabled = true;
  boolean forcedOpen;

  /** Whether its work runs on a pool, which its caller cannot stop. */
  boolean pooled;

  final Map<EventType, Long> counts = new EnumMap<>(EventType.class);
  final List<ModelCall> calls = new ArrayList<>();
  int inUse;

  /** The health, since the circuit last closed. */
  int total;

  int errors;
  private int working;

  private final ModelBreaker breaker = new ModelBreaker();
  private int closedPeriod;
  private long lastLook;
  private boolean unseen;
  private boolean troubleInWindow;
  private long armedAt = NOT_ARMED;

  ModelCommand(long now) {
    lastLook = now;
  }

  private CircuitState circuit() {
    return breaker.state();
  }

  /** What a view of it has. */
  CircuitState shownCircuit() {
    return forcedOpen ? CircuitState.FORCED_OPEN : circuit();
  }

  /** Those without an answer, or whose work goes on without them. */
  List<ModelCall> alive() {
    return calls.stream().filter(call -> !call.isAnswered() || call.abandonedRunning).toList();
  }

  /** Time has gone on: what was due by now has come, in its order. */
  void pass(long now) {
    while (true) {
      ModelCall next =
          calls.stream()
              .filter(call -> !call.isAnswered())
              .min(Comparator.comparingLong(call -> call.deadline))
              .orElse(null);
      long deadline = next == null ? ModelCall.NEVER : next.deadline;
      if (Math.min(deadline, armedAt) > now) {
        break;
      }
      if (armedAt < deadline) {
        armedAt = NOT_ARMED;
        if (unseen && circuit() == CircuitState.CLOSED) {
          look(now, true);
        }
      } else {
        release(next);
        end(next, EventType.TIMEOUT, now);
      }
    }
    takeUp();
  }

  /** A call comes. */
  ModelCall call(int number, long now) {
    int permission = forcedOpen ? ModelBreaker.REFUSED : admit(now);
    long deadline = timeoutNanos == 0 ? ModelCall.NEVER : now + timeoutNanos;
    ModelCall call = new ModelCall(number, deadline, fallbackEnabled, permission, closedPeriod);
    calls.add(call);
    if (permission == ModelBreaker.REFUSED) {
      end(call, EventType.SHORT_CIRCUITED, now);
    } else if (inUse >= limit + queue) {
      if (permission != ModelBreaker.CLOSED_CALL) {
        breaker.released(permission);
      }
      end(call, rejection(), now);
    } else {
      inUse++;
      takeUp();
    }
    return call;
  }

  private EventType rejection() {
    return pooled ? EventType.THREAD_POOL_REJECTED : EventType.SEMAPHORE_REJECTED;
  }

  private int admit(long now) {
    int permission = breaker.admit(now, rules());
    boolean looks = unseen ? isDueAfterError(now) : troubleInWindow && isDue(now);
    if (permission == ModelBreaker.CLOSED_CALL && looks) {
      look(now, false);
      permission = breaker.admit(now, rules());
    }
    return permission;
  }

  private BreakerRules rules() {
    return new BreakerRules(
        volume, percent, sleepNanos, trials, Math.max(sleepNanos, timeoutNanos));
  }

  /** Work ends: of a call that waits for it, or of one that has gone. */
  void stop(ModelCall call, EventType event, long now) {
    release(call);
    takeUp();
    if (call.abandonedRunning) {
      call.abandonedRunning = false;
    } else {
      end(call, event, now);
    }
  }

  /** The caller goes. A stage stops with that; work on a pool goes on. */
  void cancel(ModelCall call, long now) {
    call.abandonedRunning = pooled && call.begun;
    if (!call.abandonedRunning) {
      release(call);
    }
    end(call, EventType.CANCELLED, now);
    takeUp();
  }

  private void release(ModelCall call) {
    inUse--;
    if (call.begun) {
      working--;
    }
  }

  /** As many work as there are threads; the others wait in their order. */
  void takeUp() {
    for (ModelCall call : calls) {
      boolean waits = !call.begun && !call.isAnswered();
      if (waits && (!pooled || working < limit)) {
        call.begun = true;
        working++;
      }
    }
  }

  private boolean isDue(long now) {
    return now - lastLook >= INTERVAL_NANOS;
  }

  private boolean isDueAfterError(long now) {
    return now - lastLook >= INTERVAL_NANOS / 10;
  }

  private void end(ModelCall call, EventType event, long now) {
    boolean rejected = event == rejection();
    boolean bad = rejected || event == EventType.FAILURE || event == EventType.TIMEOUT;
    boolean due = bad ? isDueAfterError(now) : isDue(now);
    count(call, event);
    boolean counts = bad || event == EventType.SUCCESS;
    if (counts && (rejected || isCurrent(call))) {
      total++;
      errors += bad ? 1 : 0;
    }
    if (!rejected && event != EventType.SHORT_CIRCUITED) {
      notifyBreaker(call, event, now);
    }
    if (due) {
      lastLook = now;
      look(now, true);
    } else if (bad && !unseen && circuit() == CircuitState.CLOSED) {
      unseen = true;
      if (armedAt == NOT_ARMED) {
        armedAt = now + INTERVAL_NANOS;
      }
    }
    answer(call, event);
  }

  private boolean isCurrent(ModelCall call) {
    return call.permission == ModelBreaker.CLOSED_CALL
        ? circuit() == CircuitState.CLOSED && call.closedPeriod == closedPeriod
        : breaker.isCurrent(call.permission);
  }

  private void notifyBreaker(ModelCall call, EventType event, long now) {
    if (call.permission == ModelBreaker.CLOSED_CALL) {
      return;
    }
    boolean halfOpen = circuit() == CircuitState.HALF_OPEN;
    switch (event) {
      case SUCCESS -> breaker.succeeded(call.permission, rules());
      case FAILURE, TIMEOUT -> breaker.failed(call.permission, now);
      default -> breaker.released(call.permission);
    }
    if (halfOpen && circuit() == CircuitState.CLOSED) {
      closedPeriod++;
      total = 0;
      errors = 0;
      unseen = false;
      troubleInWindow = true;
    }
  }

  private void look(long now, boolean byEndOrTimer) {
    unseen = false;
    troubleInWindow = byEndOrTimer && errors > 0;
    if (total >= volume && total > 0 && errors * 100 / total >= percent) {
      breaker.trip(now);
    }
  }

  private void answer(ModelCall call, EventType event) {
    if (event == EventType.CANCELLED || event == EventType.SUCCESS) {
      return;
    }
    if (event == EventType.BAD_REQUEST) {
      count(call, EventType.EXCEPTION_THROWN);
    } else if (fallback == FallbackKind.NONE) {
      unanswered(call, EventType.FALLBACK_MISSING);
    } else if (!call.fallbackEnabled) {
      unanswered(call, EventType.FALLBACK_DISABLED);
    } else if (fallback == FallbackKind.WITHOUT_PERMITS) {
      unanswered(call, EventType.FALLBACK_REJECTION);
    } else if (fallback == FallbackKind.FAILING) {
      unanswered(call, EventType.FALLBACK_FAILURE);
    } else {
      count(call, EventType.FALLBACK_SUCCESS);
    }
  }

  private void unanswered(ModelCall call, EventType why) {
    count(call, why);
    count(call, EventType.EXCEPTION_THROWN);
  }

  private void count(ModelCall call, EventType event) {
    call.events.add(event);
    counts.merge(event, 1L, Long::sum);
  }
}
