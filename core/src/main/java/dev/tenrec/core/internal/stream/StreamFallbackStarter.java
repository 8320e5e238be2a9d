// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Completion;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.FallbackStarter;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.work.StreamFallback;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Lets a fallback that is a stream go on where the source's stopped. Its permit is held until it
 * has ended, which may be long after this thread has gone.
 */
public final class StreamFallbackStarter<A extends @Nullable Object, R extends @Nullable Object>
    extends FallbackStarter<A, R> {

  private final @Nullable StreamFallback<A, R> fallback;

  public StreamFallbackStarter(
      CommandRuntime runtime,
      @Nullable StreamFallback<A, R> fallback,
      Completion<A, R> completion) {
    super(runtime, null, completion);
    this.fallback = fallback;
  }

  @Override
  public @Nullable Object fallback() {
    return fallback;
  }

  @Override
  public void run(Execution<A, R> execution, boolean ours) {
    StreamExecution<A, R> stream = (StreamExecution<A, R>) execution;
    UpstreamSubscriber<R> upstream;
    boolean open;
    try {
      upstream = stream.bridge.openFallback(runtime.commandKey + "'s fallback");
      open = upstream == null || runtime.engine.stages().addFallback(execution);
    } catch (Throwable thrown) { // no memory
      completion.leaveIfHolder(execution);
      ended(execution, null, thrown);
      return;
    }
    if (upstream == null) { // the subscriber has cancelled before it could begin
      runtime.fallbackGate.leave(fallback);
      completion.leaveIfHolder(execution);
      stream.cancelled();
      return;
    }
    Throwable failure = null;
    Scope scope = CallContext.NOTHING_TO_CLOSE;
    long foreign = leaveForeignDeadline(execution);
    try {
      scope = execution.context.open();
      A argument = execution.argument();
      if (execution.isAtFallback()) { // else a canceller has dropped the argument by now, or will
        Throwable cause = Errors.present(execution.cause);
        runtime.engine.listeners().fallbackStarts(execution, cause);
        upstream.take(
            Errors.requirePublisher(
                runtime.commandKey, "fallback", Errors.present(fallback).apply(argument, cause)));
      }
    } catch (Throwable thrown) { // Errors too: the subscriber is owed its first cause
      failure = thrown;
    }
    failure = CallContext.close(scope, failure);
    backToForeignDeadline(execution, foreign);
    if (failure != null) {
      keepInterrupt(execution, failure, ours);
      upstream.fail(failure);
    }
    completion.leaveIfHolder(execution);
    follow(execution, upstream);
    if (!open) {
      boolean aborted = execution.abort(Errors.closed(runtime.commandKey));
    }
  }

  private void follow(Execution<A, R> execution, UpstreamSubscriber<R> upstream) {
    try {
      CompletionStage<R> unused =
          upstream.whenComplete(
              (none, noError) -> over(execution, Errors.unwrap(upstream.failure())));
    } catch (Throwable thrown) { // no memory: its end would not be seen
      upstream.fail(thrown);
      over(execution, thrown);
    }
  }

  /** Its stream is over, be it because the execution was given up meanwhile. */
  private void over(Execution<A, R> execution, @Nullable Throwable thrown) {
    runtime.engine.stages().removeFallback(execution);
    ended(execution, null, thrown);
  }
}
