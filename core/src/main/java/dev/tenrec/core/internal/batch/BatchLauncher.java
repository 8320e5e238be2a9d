// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.LoadedEarly;
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
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the batches of one collapser as executions of its batch command.
 *
 * <p>They start in a share of the callback threads of their own, whichever thread noticed that it
 * is time. The timer's thread must run nothing of the user's. A member that fills a batch must not
 * run on its own thread, with its own context, what belongs to all members: propagators, the
 * fallback of a refused batch, work on a semaphore. When too many wait there, the batch is
 * rejected.
 *
 * @param <A> what a member asks with
 * @param <R> what it is answered
 */
public final class BatchLauncher<A extends @Nullable Object, R extends @Nullable Object>
    implements Batching<A, R> {

  static {
    LoadedEarly.initialize(MethodHandles.lookup(), BatchReceiver.class);
  }

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
    this.unknown = new UnknownAnswers(runtime.key(), runtime.command.callbacks()::execute);
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
  public long deadlineNanos() {
    return pipeline.runtime.plan().deadlines
        ? engine.requests().deadlines.current()
        : Deadlines.NONE;
  }

  @Override
  public Deliverer deliverer() {
    return deliverer;
  }

  private void handOver(Batch<A, R> batch, CallContext context) {
    long timeout = timeoutNanos();
    long now = engine.ticker().nanoTime();
    BatchStartTask task =
        new BatchStartTask(
            () -> start(batch, context, now),
            () -> batch.fail(() -> neverStarted(timeout)),
            () -> runtime.cancel(batch));
    if (!isHandedOver(task, now, timeout)) {
      reject(batch);
    }
  }

  private long timeoutNanos() {
    return pipeline.runtime.plan().timeoutNanos;
  }

  /** False if there is no room. */
  private boolean isHandedOver(BatchStartTask task, long now, long timeoutNanos) {
    if (!runtime.starts.offer(task)) {
      return false;
    }
    if (timeoutNanos != Plan.NEVER) {
      try {
        task.watch(engine.timer(), now + timeoutNanos);
      } catch (Throwable thrown) { // no memory: it waits for its share without a limit
        runtime.command.failedToSettle(thrown);
      }
    }
    return true;
  }

  /**
   * On a thread of the share.
   *
   * @param handedOver when: the members' time runs since then
   */
  private void start(Batch<A, R> batch, CallContext context, long handedOver) {
    if (runtime.isClosed()) {
      runtime.cancel(batch);
      return;
    }
    long deadline = batch.latestDeadline();
    List<Part<A, R>> parts;
    try {
      parts = divided(batch, handedOver);
    } catch (Throwable thrown) { // no memory
      batch.end(thrown);
      return;
    }
    List<@Nullable BatchReceiver<A, R>> receivers = watched(parts, handedOver);
    int last = receivers.size() - 1;
    for (int i = 0; i <= last; i++) { // an iterator would take memory
      BatchReceiver<A, R> receiver = receivers.get(i);
      if (receiver != null) {
        start(receiver, i == last, context, deadline);
      }
    }
  }

  /** Its parts; none if its members have had their ending by the time it was divided. */
  private List<Part<A, R>> divided(Batch<A, R> batch, long handedOver) {
    if (!sharding.runsUserCode()) {
      return batch.start(sharding, unknown);
    }
    long timeout = timeoutNanos();
    DivisionWatch watch =
        new DivisionWatch(
            batch,
            runtime.key(),
            BatchReceiver.deadline(handedOver, timeout),
            () -> neverStarted(timeout),
            timeout == Plan.NEVER ? engine : null);
    if (!engine.timer().arm(watch)) { // it closes
      watch.closed();
      return List.of();
    }
    List<Part<A, R>> parts = batch.start(sharding, unknown);
    Throwable ended = watch.divided();
    if (ended == null) {
      return parts;
    }
    fail(parts, ended);
    return List.of();
  }

  /** Takes no memory. */
  private void fail(List<Part<A, R>> parts, Throwable error) {
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).failApart(error);
    }
  }

  /** Their receivers, before the first of them runs; none if all failed for want of memory. */
  private List<@Nullable BatchReceiver<A, R>> watched(List<Part<A, R>> parts, long handedOver) {
    List<@Nullable BatchReceiver<A, R>> receivers;
    try {
      receivers = new ArrayList<>(parts.size());
    } catch (Throwable thrown) {
      fail(parts, thrown);
      return List.of();
    }
    for (int i = 0; i < parts.size(); i++) {
      receivers.add(watched(parts.get(i), handedOver));
    }
    return receivers;
  }

  /** Its receiver, which looks after its members; null if it failed for want of memory. */
  private @Nullable BatchReceiver<A, R> watched(Part<A, R> part, long handedOver) {
    long timeout = timeoutNanos();
    try {
      BatchReceiver<A, R> receiver =
          new BatchReceiver<>(part, engine, () -> neverStarted(timeout), () -> unanswered(timeout));
      receiver.watch(handedOver, timeout);
      return receiver;
    } catch (Throwable thrown) {
      part.failApart(thrown);
      return null;
    }
  }

  /** Begins one part; what goes wrong with it concerns the other parts nothing. */
  private void start(
      BatchReceiver<A, R> receiver, boolean isLast, CallContext context, long deadline) {
    boolean elsewhere;
    try { // work that keeps this thread must not keep the other shards
      elsewhere =
          !isLast && pipeline.blocksCaller() && startedElsewhere(receiver, context, deadline);
    } catch (Throwable thrown) { // no memory for its task
      receiver.part().failApart(thrown);
      return;
    }
    if (!elsewhere) {
      run(receiver, context, deadline);
    }
  }

  private boolean startedElsewhere(
      BatchReceiver<A, R> receiver, CallContext context, long deadline) {
    long timeout = timeoutNanos();
    long now = engine.ticker().nanoTime();
    BatchStartTask task =
        new BatchStartTask(
            () -> run(receiver, context, deadline),
            () -> receiver.part().failApart(neverStarted(timeout)),
            () -> receiver.part().failApart(Errors.closed(runtime.key())));
    return isHandedOver(task, now, timeout);
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

  /** Runs it. If it cannot begin, as without memory, its members have no other ending. */
  private void run(BatchReceiver<A, R> receiver, CallContext context, long deadline) {
    try {
      runWithin(receiver, context, deadline);
    } catch (Throwable thrown) {
      receiver.part().failApart(thrown);
    }
  }

  /**
   * Runs it in its context.
   *
   * @param deadline the latest of its batch's members; the context has that of the first one
   */
  private void runWithin(BatchReceiver<A, R> receiver, CallContext context, long deadline) {
    Part<A, R> part = receiver.part();
    if (part.isOver()) {
      return;
    }
    Scope scope;
    try {
      scope = context.open();
    } catch (Throwable thrown) { // a propagator is user code
      part.onError(thrown);
      return;
    }
    try (scope;
        Scope within = bound(deadline)) {
      if (part.isOver()) { // a propagator took longer than its members wait
        return;
      }
      Execution<List<A>, Map<A, R>> execution =
          pipeline.prepareBatch(part.arguments(), part.members(), receiver);
      receiver.follow(execution);
      runtime.metrics.countBatch(part.size(), part.members(), execution.startNanos);
      try (Scope inside = engine.requests().within.enter(part)) {
        pipeline.run(execution);
      }
    }
  }

  private Scope bound(long deadline) {
    return pipeline.runtime.plan().deadlines
        ? engine.requests().deadlines.bind(deadline)
        : CallContext.NOTHING_TO_CLOSE;
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
