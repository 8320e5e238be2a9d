// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a command: its circuit, what it has counted, its permits. Each waits, at most a
 * minute of real time, for what other threads are still at, as the timer's after time has been
 * moved; then it returns itself, or throws an AssertionError that has the command's explanation.
 */
public final class CommandAssert extends AbstractAssert<CommandAssert, @Nullable CommandDetails> {

  private final Duration patience;

  CommandAssert(@Nullable CommandDetails actual) {
    this(actual, Settling.PATIENCE);
  }

  CommandAssert(@Nullable CommandDetails actual, Duration patience) {
    super(actual, CommandAssert.class);
    this.patience = patience;
  }

  /** Its circuit is in this state. */
  public CommandAssert hasCircuit(CircuitState state) {
    CommandDetails command = command();
    return requireSoon(
        () -> command.circuitState(),
        state::equals,
        is -> "a circuit that is " + state + ", and it was " + is);
  }

  /**
   * Its circuit went from CLOSED into exactly these states, one after the other; none if it never
   * left it. Of a circuit that did so very often, the latest transitions are looked at. Where tests
   * share a Tenrec ({@link SharedTenrec}), it is what it did since the test began.
   */
  public CommandAssert hasTransitions(CircuitState... states) {
    CommandDetails command = command();
    List<CircuitState> expected = List.of(states);
    return requireSoon(
        () -> Baselines.transitions(command).stream().map(Transition::to).toList(),
        expected::equals,
        went -> "transitions to " + expected + ", were " + went);
  }

  /**
   * It has counted this event so often since its beginning; where tests share a Tenrec ({@link
   * SharedTenrec}), since the test began.
   */
  public CommandAssert hasCounted(EventType event, long times) {
    CommandDetails command = command();
    return requireSoon(
        () -> Baselines.count(command, event),
        count -> count == times,
        count -> times + " " + event + ", and there were " + count);
  }

  /** No call of it holds a permit now. */
  public CommandAssert holdsNoPermit() {
    CommandDetails command = command();
    return requireSoon(
        () -> command.concurrency(),
        out -> out == 0,
        out -> "no permit out, and there were " + out);
  }

  private CommandDetails command() {
    isNotNull();
    return Objects.requireNonNull(actual);
  }

  private <T> CommandAssert requireSoon(
      Supplier<T> look, Predicate<T> holds, Function<T, String> expected) {
    T seen = Settling.settled(look, holds, patience);
    if (!holds.test(seen)) {
      failWithMessage(
          "%s",
          "expected of command '"
              + command().key()
              + "': "
              + expected.apply(seen)
              + "\n"
              + command().explain());
    }
    return this;
  }
}
