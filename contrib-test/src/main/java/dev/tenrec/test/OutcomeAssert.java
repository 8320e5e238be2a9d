// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on how a call ended. Each returns itself, or throws an AssertionError that has the
 * outcome's explanation and its events.
 *
 * @param <R> what the command returns
 */
public final class OutcomeAssert<R extends @Nullable Object>
    extends AbstractAssert<OutcomeAssert<R>, @Nullable Outcome<R>> {

  OutcomeAssert(@Nullable Outcome<R> actual) {
    super(actual, OutcomeAssert.class);
  }

  /** The caller got this value, from the work or the fallback. */
  public OutcomeAssert<R> isAnsweredWith(@Nullable Object value) {
    require(
        outcome().isAnswered() && Objects.equals(outcome().value(), value),
        "to be answered with " + value + ", and its value was " + outcome().value());
    return this;
  }

  /** The work itself answered. */
  public OutcomeAssert<R> isAnsweredByWork() {
    require(outcome().isSuccess(), "to be answered by its work");
    return this;
  }

  /** The fallback answered. */
  public OutcomeAssert<R> isAnsweredByFallback() {
    require(outcome().isFromFallback(), "to be answered by its fallback");
    return this;
  }

  /** The caller got an exception. */
  public OutcomeAssert<R> isNotAnswered() {
    require(!outcome().isAnswered(), "not to be answered");
    return this;
  }

  /** The work failed, whether a fallback answered or not. */
  public OutcomeAssert<R> hasFailed() {
    return has(EventType.FAILURE);
  }

  /** The call timed out, whether a fallback answered or not. */
  public OutcomeAssert<R> hasTimedOut() {
    return has(EventType.TIMEOUT);
  }

  /** The circuit was open, whether a fallback answered or not. */
  public OutcomeAssert<R> wasShortCircuited() {
    return has(EventType.SHORT_CIRCUITED);
  }

  /** A pool, a semaphore or a rate limit refused the call, whether a fallback answered or not. */
  public OutcomeAssert<R> wasRejected() {
    require(
        Stream.of(
                EventType.THREAD_POOL_REJECTED,
                EventType.SEMAPHORE_REJECTED,
                EventType.RATE_LIMITED)
            .anyMatch(outcome()::has),
        "to be rejected");
    return this;
  }

  /** This is among its events. */
  public OutcomeAssert<R> has(EventType event) {
    require(outcome().has(event), "to have " + event);
    return this;
  }

  /** This is not among its events. */
  public OutcomeAssert<R> hasNot(EventType event) {
    require(!outcome().has(event), "not to have " + event);
    return this;
  }

  /** These are its events, all of them, in any order. */
  public OutcomeAssert<R> hasEvents(EventType... events) {
    List<EventType> expected = Stream.of(events).sorted().toList();
    require(outcome().events().equals(expected), "to have exactly " + expected);
    return this;
  }

  /** The work did not answer, because of an exception of this type. */
  public OutcomeAssert<R> hasCause(Class<? extends Throwable> type) {
    require(
        type.isInstance(outcome().cause()),
        "to have a cause of " + type.getName() + ", and it was " + outcome().cause());
    return this;
  }

  /** The caller got an exception of this type; a checked one is not yet wrapped. */
  public OutcomeAssert<R> hasError(Class<? extends Throwable> type) {
    require(
        type.isInstance(outcome().error()),
        "to have an error of " + type.getName() + ", and it was " + outcome().error());
    return this;
  }

  private Outcome<R> outcome() {
    isNotNull();
    return Objects.requireNonNull(actual);
  }

  private void require(boolean holds, String expected) {
    if (!holds) {
      failWithMessage(
          "%s",
          "expected the outcome "
              + expected
              + ":\n  "
              + outcome().explain()
              + "\n  events "
              + outcome().events());
    }
  }
}
