// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.collapser.Part;
import dev.tenrec.core.internal.timeout.ClosedTimeout;
import dev.tenrec.core.internal.timeout.Timeout;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the ending of a batch's execution to its members: an error as soon as it is published, an
 * answer when it is delivered, because the map it comes in is user code. And looks after the
 * members: each ends in time, even if the thread that answers them does not come back.
 */
final class BatchReceiver<A extends @Nullable Object, R extends @Nullable Object>
    implements PublicationListener<Map<A, R>> {

  /** As good as never; only closing asks for the members of a batch without a time-out. */
  private static final long LONG_NANOS = 3_600_000_000_000L;

  private static final long PATIENCE_NANOS = CallbackExecutor.PATIENCE.toNanos();

  /** How often a claimed ending is looked for: a second, for its thread may have to wait. */
  private static final int MOST_LOOKS = 20;

  private final Part<A, R> part;
  private final Engine engine;
  private final Supplier<? extends Throwable> timedOut;

  /**
   * How often the timer has found the batch ended and members unanswered. Written and read by the
   * timer's thread alone.
   */
  private int looks;

  /** Written once, before the execution starts; read by the timer's thread. */
  private @Nullable Execution<?, ?> execution;

  BatchReceiver(Part<A, R> part, Engine engine, Supplier<? extends Throwable> timedOut) {
    this.part = part;
    this.engine = engine;
    this.timedOut = timedOut;
  }

  /** The batch is about to run. */
  void follow(Execution<?, ?> batch) {
    execution = batch;
    part.follow(batch::outcome);
    watch(batch.hasDeadline() ? batch.plan.timeoutNanos + PATIENCE_NANOS : LONG_NANOS);
  }

  private void watch(long nanos) {
    boolean unused = engine.timer().arm(new Watch(engine.ticker().nanoTime() + nanos));
  }

  @Override
  public void publish(Map<A, R> answers, @Nullable Throwable error) {
    if (error != null) {
      part.failApart(error);
    }
  }

  @Override
  public void onValue(Map<A, R> answers) {
    part.onValue(answers);
  }

  @Override
  public void onError(Throwable error) {
    part.onError(error); // those that found no memory when it was published
  }

  private String batchKey() {
    Execution<?, ?> batch = execution;
    return batch == null ? "a batch" : batch.commandKey();
  }

  /** The timer's node: the deadline of the members. */
  private final class Watch extends Timeout implements ClosedTimeout {

    private Watch(long deadlineNanos) {
      super(deadlineNanos);
    }

    @Override
    protected boolean isEnded() {
      return part.isOver();
    }

    @Override
    protected void expired() {
      Execution<?, ?> batch = execution;
      if (batch != null && batch.isAtFallback()) {
        watch(PATIENCE_NANOS); // which may take as long as it needs
      } else if (batch != null && !batch.hasDeadline() && !batch.isClaimed()) {
        watch(LONG_NANOS);
      } else if (looks < mostLooks(batch)) { // a thread is about to answer
        looks++;
        watch(PATIENCE_NANOS);
      } else {
        part.failApart(timedOut.get());
      }
    }

    private int mostLooks(@Nullable Execution<?, ?> batch) {
      return batch != null && batch.isClaimed() ? MOST_LOOKS : 1;
    }

    @Override
    public void closed() {
      part.failApart(Errors.closed(batchKey()));
    }
  }
}
