// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackTask;
import org.jspecify.annotations.Nullable;

/**
 * The fallback of a timed-out call that no caller waits for, on its way to a thread of the
 * command's share. While all threads of the share are stuck, the call waits for a moment only; then
 * it ends with its first cause. While one is about to come, or they go on with other tasks, it
 * waits up to a second.
 */
final class FallbackTask<A extends @Nullable Object, R extends @Nullable Object>
    extends TaskWithDeadline {

  private static final long PATIENCE_NANOS = CallbackExecutor.PATIENCE.toNanos();
  private static final long LONGEST_NANOS = 20 * PATIENCE_NANOS;

  private final Execution<A, R> execution;
  private final @Nullable CallbackTask delivery;

  // Both are written and read by the thread that opens it, before a watch is armed; then by the
  // timer's thread.
  private long givenUpAtNanos;
  private long begunBefore;

  /**
   * Made before the ending is claimed, so that nothing is left to fail for want of memory.
   *
   * @param delivery of the ending, if it is published without the fallback
   */
  FallbackTask(Execution<A, R> execution, @Nullable CallbackTask delivery) {
    this.execution = execution;
    this.delivery = delivery;
  }

  /** The ending is open to its fallback. By the thread that opened it; throws nothing. */
  void open() {
    FallbackStarter<A, R> starter = execution.pipeline.fallbackStarter;
    CommandRuntime runtime = execution.pipeline.runtime;
    if (starter.answersAtOnce(execution.plan)) {
      starter.answerAtOnce(execution, delivery);
      return;
    }
    long now = execution.pipeline.now();
    givenUpAtNanos = now + LONGEST_NANOS;
    begunBefore = runtime.callbacks().begun();
    if (!runtime.callbacks().offer(this)) {
      withdraw();
    } else {
      try {
        watch(runtime.engine.timer(), now + PATIENCE_NANOS);
      } catch (Throwable thrown) { // no memory: it waits for its share without a limit
        runtime.failedToSettle(thrown);
      }
    }
  }

  @Override
  public void begin() {
    execution.pipeline.fallbackStarter.startInShare(execution);
  }

  @Override
  public void notBegun(long deadlineNanos) {
    CommandRuntime runtime = execution.pipeline.runtime;
    long next = deadlineNanos + PATIENCE_NANOS;
    long begun = runtime.callbacks().begun();
    boolean progress = begun != begunBefore;
    if (runtime.callbacks().isBlocked() && !progress || next - givenUpAtNanos > 0) {
      withdraw();
    } else {
      watch(runtime.engine.timer(), next);
      begunBefore = begun; // only now: without memory for the watch, this is called again
    }
  }

  /** Throws nothing: it may be called by {@link #open}, after which no watch would come. */
  @Override
  public void withdrawn() {
    CommandRuntime runtime = execution.pipeline.runtime;
    try {
      runtime.engine.callbacks().countRefused();
    } catch (Throwable thrown) { // no memory for a first count
      runtime.failedToSettle(thrown);
    }
    execution.pipeline.fallbackStarter.refuse(execution, delivery); // throws nothing
  }

  @Override
  protected void abort() {
    execution.closed();
  }
}
