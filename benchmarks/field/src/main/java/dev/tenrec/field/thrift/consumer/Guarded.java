// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift.consumer;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Call;
import dev.tenrec.field.thrift.wire.Echoed;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/** Through a command, which breaks the connection off at its deadline. */
final class Guarded implements Route {

  private static final String KEY = "Echo";

  /** Of every strategy, which so have the same time. */
  private static final int MOST_ATTEMPTS = 3;

  /** Those an attempt can end with: they add up to the calls and their further attempts. */
  private static final EventType[] ENDINGS = {
    EventType.SUCCESS,
    EventType.FAILURE,
    EventType.TIMEOUT,
    EventType.THREAD_POOL_REJECTED,
    EventType.SHORT_CIRCUITED,
    EventType.ATTEMPT_OUTRUN
  };

  /** What further attempts there were, and what they were refused for. */
  private static final EventType[] ATTEMPTS = {
    EventType.RETRY, EventType.RETRY_BUDGET_EXHAUSTED, EventType.HEDGE, EventType.HEDGE_REFUSED
  };

  private final LongAdder trips = new LongAdder();
  private final LongAdder closings = new LongAdder();
  private final Tenrec tenrec;
  private final Command<Caller, Echoed> echo;
  private final Caller caller;

  private Guarded(
      Caller caller, UnaryOperator<CommandBuilder<Caller, Echoed>> settings, Duration timeout) {
    this.caller = caller;
    this.tenrec = Tenrec.builder().listen(new Transitions()).build();
    this.echo =
        settings
            .apply(
                tenrec
                    .command(
                        KEY,
                        (Caller guarded, Call call) ->
                            guarded.call(call::remaining, call::onCancel))
                    .timeout(timeout))
            .build();
  }

  /**
   * Few threads and no queue, so that the provider is never asked more at once; and, if wanted, a
   * circuit that opens when half of the calls fail or are refused. What is refused is answered at
   * once.
   *
   * @param threads how many calls may be in flight
   * @param circuit whether there is a circuit as well
   * @param timeout of a call with all its attempts
   */
  static Guarded limited(Caller caller, int threads, boolean circuit, Duration timeout) {
    return new Guarded(
        caller,
        builder ->
            builder
                .isolation(Isolation.threadPool().coreSize(threads))
                .errorThreshold(50, 20)
                .sleepWindow(timeout)
                .property("circuitBreaker.enabled", Boolean.toString(circuit))
                .property("metrics.rollingStats.timeInMilliseconds", "2000")
                .property("metrics.healthSnapshot.intervalInMilliseconds", "100"),
        timeout);
  }

  /**
   * No limit that is ever met and no circuit: what there is to see is what further attempts do.
   *
   * @param callers how many call at once; each may have two attempts with the provider
   * @param attempt how long one attempt may take; a call has the time for all of them
   */
  static Guarded attempting(Caller caller, Strategy strategy, int callers, Duration attempt) {
    return new Guarded(
        caller,
        builder ->
            strategy
                .apply(builder, attempt)
                .isolation(Isolation.threadPool().coreSize(2 * callers))
                .withoutCircuitBreaker(),
        attempt.multipliedBy(MOST_ATTEMPTS).plus(attempt));
  }

  @Override
  public Reply call() {
    Outcome<Echoed> outcome = echo.attempt(caller);
    Echoed echoed = outcome.value();
    if (echoed != null) {
      return new Reply(ANSWERED, "sum " + echoed.sum());
    }
    Throwable cause = outcome.cause();
    int status =
        cause instanceof CommandRejectedException || cause instanceof CircuitOpenException
            ? REFUSED
            : cause instanceof CommandTimeoutException ? TIMED_OUT : FAILED;
    return new Reply(status, outcome.explain());
  }

  @Override
  public Map<String, Long> gauges() {
    CommandView view = echo.view();
    Map<String, Long> gauges = new LinkedHashMap<>();
    for (EventType ending : ENDINGS) {
      gauges.put("command." + ending, view.cumulativeCount(ending));
    }
    for (EventType attempt : ATTEMPTS) {
      gauges.put("command." + attempt, view.cumulativeCount(attempt));
    }
    gauges.put("command.stillBusy", (long) view.stillBusy());
    gauges.put("command.inFlight", (long) view.concurrency());
    gauges.put("command.callerP99Micros", view.callerLatency().valueAtPercentile(99) / 1_000);
    gauges.put("circuit.trips", trips.sum());
    gauges.put("circuit.closings", closings.sum());
    gauges.put("circuit.closed", view.circuitState() == CircuitState.CLOSED ? 1L : 0L);
    return gauges;
  }

  @Override
  public void close() {
    tenrec.close();
  }

  private final class Transitions implements CommandListener {

    @Override
    public void onTransition(String commandKey, Transition transition) {
      if (transition.to() == CircuitState.CLOSED) {
        closings.increment();
      } else if (transition.from() == CircuitState.CLOSED) {
        trips.increment();
      }
    }
  }
}
