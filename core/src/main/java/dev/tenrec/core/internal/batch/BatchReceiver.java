// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.collapser.Part;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.timeout.Timeout;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the ending of a batch's execution to its members: an error as soon as it is published, an
 * answer when it is delivered, because the map it comes in is user code. It also watches the
 * members before the execution exists. Each member ends in time, and when its Tenrec closes, even
 * if a propagator blocks before the execution begins, or the thread that answers does not come
 * back.
 */
final class BatchReceiver<A extends @Nullable Object, R extends @Nullable Object>
    implements PublicationListener<Map<A, R>> {

  /**
   * How often the members of a batch without a time-out are looked for: for the sake of closing,
   * which finds them by their watch.
   */
  static final long LONG_NANOS = 3_600_000_000_000L;

  private static final long PATIENCE_NANOS = CallbackExecutor.PATIENCE.toNanos();

  /**
   * How often a claimed ending is looked for until a thread answers with it: a second, for that
   * thread may have to wait for others. Once it does, there is one more look.
   */
  private static final int MOST_LOOKS = 20;

  private final Part<A, R> part;
  private final Engine engine;
  private final Supplier<? extends Throwable> notBegun;
  private final Supplier<? extends Throwable> unanswered;

  /**
   * How often the timer has found the batch ended and members unanswered. Written and read by the
   * timer's thread alone.
   */
  private int looks;

  /** Whether one of those looks found a thread that answers. The timer's thread's alone. */
  private boolean answeringSeen;

  /**
   * Written once, before the execution starts; read by the timer's thread and by the closing one,
   * ordered by volatile access.
   */
  private volatile @Nullable Execution<?, ?> execution;

  /**
   * Looks after nothing yet.
   *
   * @param notBegun what members end with whose execution is not made in time
   * @param unanswered what members end with that nothing answers in time
   */
  BatchReceiver(
      Part<A, R> part,
      Engine engine,
      Supplier<? extends Throwable> notBegun,
      Supplier<? extends Throwable> unanswered) {
    this.part = part;
    this.engine = engine;
    this.notBegun = notBegun;
    this.unanswered = unanswered;
  }

  Part<A, R> part() {
    return part;
  }

  /**
   * From now on its members end in time.
   *
   * @param handedOverNanos when the batch was handed over
   * @param timeoutNanos from then until its execution has to be over; {@link Plan#NEVER} without an
   *     end
   */
  void watch(long handedOverNanos, long timeoutNanos) {
    arm(new Watch(deadline(handedOverNanos, timeoutNanos), timeoutNanos == Plan.NEVER));
  }

  /**
   * By when members have their ending, unless the execution says more. Without an end, when they
   * are looked for.
   */
  static long deadline(long handedOverNanos, long timeoutNanos) {
    return handedOverNanos
        + (timeoutNanos == Plan.NEVER ? LONG_NANOS : timeoutNanos + PATIENCE_NANOS);
  }

  /** The batch is about to run. */
  void follow(Execution<?, ?> batch) {
    part.follow(batch::outcome, batch::workBegan);
    execution = batch;
  }

  private void arm(Watch watch) {
    if (!engine.timer().arm(watch)) { // it closes
      watch.closed();
    }
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

  /** The timer's node: the deadline of the members. */
  private final class Watch extends Timeout {

    /** Whether they have no end before their execution has one. */
    private final boolean endless;

    private Watch(long deadlineNanos, boolean endless) {
      super(deadlineNanos);
      this.endless = endless;
    }

    @Override
    protected boolean isEnded() {
      return part.isOver();
    }

    @Override
    protected void expired() {
      Execution<?, ?> batch = execution;
      long now = engine.ticker().nanoTime();
      if (batch == null && endless) {
        again(now + LONG_NANOS);
      } else if (batch == null) {
        part.failApart(notBegun.get());
      } else if (batch.isAtFallback()) {
        again(now + PATIENCE_NANOS); // which may take as long as it needs
      } else if (!batch.hasDeadline() && !batch.isClaimed()) {
        again(now + LONG_NANOS);
      } else if (batch.hasDeadline() && batch.deadlineNanos() + PATIENCE_NANOS - now > 0) {
        again(batch.deadlineNanos() + PATIENCE_NANOS); // it began later than it was handed over
      } else if (mayBeAnswered(batch)) {
        again(now + PATIENCE_NANOS);
      } else {
        part.failApart(unanswered.get());
      }
    }

    private void again(long nextNanos) {
      postpone(nextNanos);
      arm(this);
    }

    /** Whether a thread is about to answer, or answers and has not long done so. */
    private boolean mayBeAnswered(Execution<?, ?> batch) {
      if (part.isAnswering()) {
        boolean before = answeringSeen;
        answeringSeen = true;
        return !before;
      }
      return looks++ < (batch.isClaimed() ? MOST_LOOKS : 1);
    }

    @Override
    public void closed() {
      part.failApart(Errors.closed(part.key()));
    }
  }
}
