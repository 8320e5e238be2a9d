// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.collapser.Batch;
import dev.tenrec.core.collapser.BatchStarter;
import dev.tenrec.core.collapser.Batches;
import dev.tenrec.core.collapser.Batching;
import dev.tenrec.core.collapser.Part;
import dev.tenrec.core.collapser.Sharding;
import dev.tenrec.core.collapser.UnknownAnswers;
import dev.tenrec.core.context.CallContext;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the batches of one collapser as executions of its batch command.
 *
 * <p>They start on the callback executor, whoever noticed that it is time: the timer's thread must
 * run nothing of the user's, and a member that fills a batch is not to run, on its own thread, with
 * its own context, what belongs to all: propagators, the fallback of a refused batch, work on a
 * semaphore, what hangs on other members' futures. When the executor is full, the batch is
 * rejected.
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
  private final BatchStarter<A, R> withoutContext = batch -> handOver(batch, CallContext.NONE);

  /**
   * Makes what one built collapser runs its batches with.
   *
   * @param runtime what everything built for its key shares
   * @param pipeline the batch command's way
   * @param sharding divides batches
   * @param ofOneRequest whether a batch carries the context of its first member: all others are of
   *     the same request. A batch of several requests carries none, because it would be somebody
   *     else's for most of them
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

  private void handOver(Batch<A, R> batch, CallContext context) {
    Runnable reject = () -> reject(batch);
    long timeout = pipeline.runtime().plan().timeoutNanos;
    Runnable late = () -> batch.fail(() -> neverStarted(timeout));
    if (!TimedHandOver.tryBegin(
        engine,
        timeout,
        new HandOver(engine.handedOver(), null, () -> start(batch, context), reject),
        late)) {
      engine.callbacks().overflow(reject);
    }
  }

  /** On the callback executor. */
  private void start(Batch<A, R> batch, CallContext context) {
    if (runtime.isClosed()) {
      runtime.cancel(batch);
      return;
    }
    List<Part<A, R>> parts = batch.start(sharding, unknown);
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
    Runnable reject = () -> part.onError(runtime.startRejection(part.size()));
    long timeout = pipeline.runtime().plan().timeoutNanos;
    Runnable late = () -> part.onError(neverStarted(timeout));
    return TimedHandOver.tryBegin(
        engine,
        timeout,
        new HandOver(engine.handedOver(), null, () -> run(part, context), reject),
        late);
  }

  /** It waited for the callback executor for as long as it may take, and has not begun. */
  private CommandTimeoutException neverStarted(long timeoutNanos) {
    return new CommandTimeoutException(
        runtime.key(), timeoutNanos, timeoutNanos, false, runtime.command.stackTraces);
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
      Execution<List<A>, Map<A, R>> execution =
          pipeline.prepareBatch(part.arguments(), part.members(), part);
      part.follow(execution::outcome);
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
