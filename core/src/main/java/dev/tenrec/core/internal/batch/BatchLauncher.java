// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.collapser.Batch;
import dev.tenrec.core.internal.collapser.BatchStarter;
import dev.tenrec.core.internal.collapser.Batches;
import dev.tenrec.core.internal.collapser.Batching;
import dev.tenrec.core.internal.collapser.Deliverer;
import dev.tenrec.core.internal.collapser.Part;
import dev.tenrec.core.internal.collapser.Sharding;
import dev.tenrec.core.internal.collapser.UnknownAnswers;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the batches of one collapser as executions of its batch command.
 *
 * <p>They start in a share of the callback threads of their own, whichever thread noticed that it
 * is time: the timer's must run nothing of the user's, and a member that fills a batch is not to
 * run, on its own thread, with its own context, what belongs to all: propagators, the fallback of a
 * refused batch, work on a semaphore. When too many wait there, the batch is rejected.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class BatchLauncher<A extends @Nullable Object, R extends @Nullable Object>
    implements Batching<A, R> {

  private final CollapserRuntime runtime;
  private final Pipeline<List<A>, Map<A, R>> pipeline;
  private final Sharding<A> sharding;
  private final boolean ofOneRequest;
  private final Engine engine;
  private final UnknownAnswers unknown;
  private final Deliverer deliverer;
  private final BatchStarter<A, R> withoutContext = batch -> handOver(batch, CallContext.NONE);

  /**
   * Makes what one built collapser runs its batches with.
   *
   * @param runtime what everything built for its key shares
   * @param pipeline the batch command's way
   * @param sharding divides batches
   * @param ofOneRequest whether a batch carries the context of its first member: all its members
   *     are of one request. A batch of several requests carries none, because for most members it
   *     would be foreign
   */
  public BatchLauncher(
      CollapserRuntime runtime,
      Pipeline<List<A>, Map<A, R>> pipeline,
      Sharding<A> sharding,
      boolean ofOneRequest) {
    this.runtime = runtime;
    this.pipeline = pipeline;
    this.sharding = sharding;
    this.ofOneRequest = ofOneRequest;
    this.engine = runtime.command.engine;
    this.unknown = new UnknownAnswers(runtime.key());
    this.deliverer = runtime.deliverer();
  }

  /** Batches for one scope. */
  public Batches<A, R> newBatches() {
    return new Batches<>(this, engine.timer(), engine.ticker());
  }

  @Override
  public String key() {
    return runtime.key();
  }

  @Override
  public int maxRequests() {
    return runtime.settings().maxRequestsInBatch();
  }

  @Override
  public long delayNanos() {
    return runtime.settings().timerDelayNanos();
  }

  @Override
  public BatchStarter<A, R> opening() {
    if (!ofOneRequest) {
      return withoutContext;
    }
    CallContext context = CallContext.capture(engine.propagators());
    return batch -> handOver(batch, context);
  }

  @Override
  public Deliverer deliverer() {
    return deliverer;
  }

  private void handOver(Batch<A, R> batch, CallContext context) {
    long timeout = pipeline.runtime().plan().timeoutNanos;
    BatchStartTask turn =
        new BatchStartTask(
            () -> start(batch, context),
            () -> batch.fail(() -> neverStarted(timeout)),
            () -> runtime.cancel(batch));
    if (!isHandedOver(turn, timeout)) {
      reject(batch);
    }
  }

  /** False if there is no room. */
  private boolean isHandedOver(BatchStartTask turn, long timeoutNanos) {
    long now = engine.ticker().nanoTime();
    if (!runtime.starts.offer(turn)) {
      return false;
    }
    if (timeoutNanos != Plan.NEVER) {
      try {
        turn.watch(engine.timer(), now + timeoutNanos);
      } catch (Throwable thrown) { // no memory: it waits for its share without a limit
        runtime.command.failedToSettle(thrown);
      }
    }
    return true;
  }

  /** On a thread of the share. */
  private void start(Batch<A, R> batch, CallContext context) {
    if (runtime.isClosed()) {
      runtime.cancel(batch);
      return;
    }
    List<Part<A, R>> parts = batch.start(sharding, unknown);
    try {
      start(parts, context);
    } catch (Throwable thrown) { // no memory: those that have not begun have no ending of their own
      for (int i = 0; i < parts.size(); i++) { // an iterator would take memory
        parts.get(i).failApart(thrown);
      }
    }
  }

  private void start(List<Part<A, R>> parts, CallContext context) {
    int last = parts.size() - 1;
    for (int i = 0; i <= last; i++) {
      Part<A, R> part = parts.get(i);
      // work that keeps this thread must not keep the other shards
      if (i == last || !pipeline.blocksCaller() || !startedElsewhere(part, context)) {
        run(part, context);
      }
    }
  }

  private boolean startedElsewhere(Part<A, R> part, CallContext context) {
    long timeout = pipeline.runtime().plan().timeoutNanos;
    BatchStartTask turn =
        new BatchStartTask(
            () -> run(part, context),
            () -> part.failApart(neverStarted(timeout)),
            () -> part.failApart(Errors.closed(runtime.key())));
    return isHandedOver(turn, timeout);
  }

  /** It waited for a thread for as long as it may take, and has not begun. */
  private CommandTimeoutException neverStarted(long timeoutNanos) {
    return new CommandTimeoutException(
        runtime.key(), timeoutNanos, timeoutNanos, false, runtime.command.stackTraces);
  }

  /** It ended in time, or not; but the thread that was to answer its members did not come to it. */
  private CommandTimeoutException unanswered(long timeoutNanos) {
    return new CommandTimeoutException(
        runtime.key(), timeoutNanos, timeoutNanos, true, runtime.command.stackTraces);
  }

  private void run(Part<A, R> part, CallContext context) {
    Scope scope;
    try {
      scope = context.open();
    } catch (Throwable thrown) { // a propagator is user code
      part.onError(thrown);
      return;
    }
    try (scope) {
      long timeout = pipeline.runtime().plan().timeoutNanos;
      BatchReceiver<A, R> receiver = new BatchReceiver<>(part, engine, () -> unanswered(timeout));
      Execution<List<A>, Map<A, R>> execution =
          pipeline.prepareBatch(part.arguments(), part.members(), receiver);
      receiver.follow(execution);
      runtime.metrics.countBatch(part.size(), part.members(), execution.startNanos);
      try (Scope within = engine.requests().within.enter(part)) {
        pipeline.run(execution);
      }
    }
  }

  /** There was no room, or there is none any more. */
  private void reject(Batch<A, R> batch) {
    if (runtime.isClosed()) {
      runtime.cancel(batch);
    } else {
      batch.fail(() -> runtime.startRejection(batch.size()));
    }
  }
}
