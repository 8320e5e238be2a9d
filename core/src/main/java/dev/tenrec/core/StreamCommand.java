// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.stream.StreamDoor;
import dev.tenrec.core.view.CommandDetails;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * A call that brings any number of items, behind its isolation, time-outs, circuit breaker and
 * fallback. Built once, subscribed to often; thread-safe.
 *
 * <p>It has one door, {@link #toFlowable}. There is no {@code execute}, no future, and no request
 * cache: a caller that wants all items at once collects them ({@code toFlowable(a).toList()}), or
 * builds a {@link Command}.
 *
 * @param <A> what it is subscribed with
 * @param <R> one item
 */
public final class StreamCommand<A extends @Nullable Object, R> {

  private final Pipeline<A, R> pipeline;
  private final StreamDoor<A, R> door;

  StreamCommand(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
    this.door = new StreamDoor<>(pipeline);
  }

  /** The key it was built with. */
  public String key() {
    return pipeline.commandKey();
  }

  /**
   * A cold stream: each subscription is an execution, each disposal gives one up.
   *
   * <p>The subscriber's demand goes to the source as it is, and nothing is buffered. Items come on
   * the thread the source sends them on. What {@link Command#execute} would throw, unwrapped, ends
   * the stream as an error: after a time-out on a thread of the callback executor.
   *
   * <p>A subscriber that throws at its subscription or at an item has cancelled; what it threw goes
   * up to the call that brought it these, in the second case the publisher's. What it throws at the
   * end is logged.
   *
   * @param argument handed to the work; may be null
   */
  public Flowable<R> toFlowable(A argument) {
    return new Flowable<>() {
      @Override
      protected void subscribeActual(Subscriber<? super R> subscriber) {
        door.subscribe(argument, subscriber);
      }
    };
  }

  /**
   * Closes its circuit, unless it is closed: a transition as any other, in the journal with its
   * reason. The health starts from zero. A circuit that {@code circuitBreaker.forceOpen} keeps open
   * goes on refusing.
   *
   * @param why what the journal says
   * @return whether it was open or half-open
   */
  public boolean closeCircuit(String why) {
    return pipeline.runtime.closeCircuit(Objects.requireNonNull(why, "why"));
  }

  /**
   * The rolling windows of its metrics begin now, with nothing in them, and with them its health
   * and its latencies. What is counted since the beginning goes on, for publishers, and the circuit
   * stays as it is.
   */
  public void resetMetrics() {
    pipeline.runtime.resetMetrics();
  }

  /**
   * Whether its key was removed ({@link Tenrec#remove}), or its Tenrec closed: every call that
   * begins from now on is rejected. A removed key may be built anew.
   */
  public boolean isClosed() {
    return pipeline.runtime.isClosed();
  }

  /**
   * Where its work is called at present; a change of settings may have it called elsewhere from the
   * next subscription on.
   */
  public IsolationStrategy isolation() {
    return pipeline.runtime.settings().isolationStrategy();
  }

  /** Its counts, latencies and circuit, live. */
  public CommandDetails view() {
    return pipeline.runtime.view();
  }

  /** The last transitions of its circuit, oldest first, each with its reason and numbers. */
  public List<Transition> transitions() {
    return pipeline.runtime.transitions();
  }

  @Override
  public String toString() {
    return "StreamCommand " + key();
  }
}
