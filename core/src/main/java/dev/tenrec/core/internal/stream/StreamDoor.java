// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.gate.Plan;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * Where subscribers to a stream command come in: each subscription is one execution.
 *
 * @param <A> what the command is subscribed with
 * @param <R> one item
 */
public final class StreamDoor<A extends @Nullable Object, R extends @Nullable Object> {

  private final Pipeline<A, R> pipeline;
  private final StreamFaults faults;

  /**
   * Before one command.
   *
   * @param pipeline the way of a command whose body is a stream
   */
  public StreamDoor(Pipeline<A, R> pipeline) {
    this.pipeline = pipeline;
    this.faults = new StreamFaults(pipeline.commandKey());
  }

  /**
   * Gives the subscriber its subscription, and then, unless it has cancelled, executes. One that
   * throws at its subscription has cancelled (2.13), and whatever it threw is thrown here.
   */
  public void subscribe(A argument, Subscriber<? super R> subscriber) {
    boolean hasListeners = !pipeline.runtime.engine.listeners().isEmpty();
    StreamBridge<R> bridge = new StreamBridge<>(subscriber, faults, hasListeners);
    try {
      subscriber.onSubscribe(new Demand(bridge));
    } catch (Throwable thrown) { // Errors too
      bridge.cancel();
      throw thrown;
    }
    Plan plan = pipeline.runtime.plan();
    new StreamExecution<>(pipeline, plan, argument, bridge, pipeline.now()).begin();
  }
}
