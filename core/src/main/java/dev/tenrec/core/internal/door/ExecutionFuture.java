// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.LastingReceiver;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * The future of one execution. Completed by it; completed or cancelled from outside, it gives the
 * execution up, unless its ending was decided before: this future shows what was counted.
 *
 * @param <R> what the command returns
 * @param <T> what this is completed with
 */
public final class ExecutionFuture<R extends @Nullable Object, T extends @Nullable Object>
    extends TwoStepFuture<T> {

  private final NotifyingReceiver<R, T> notifying;

  /**
   * Written before the execution starts, by the thread that makes this future; null again once this
   * is completed, because futures are kept, and an execution has its caller's context. Read in no
   * order by threads that give the call up: one that is behind is refused by the execution.
   */
  private @Nullable Execution<?, R> execution;

  public ExecutionFuture(NotifyingReceiver<R, T> notifying) {
    this.notifying = notifying;
  }

  public void follow(Execution<?, R> started) {
    execution = started;
  }

  public Receiver<R> receiver() {
    return new Delivery();
  }

  /** Shows the ending, and completes this with it. */
  private final class Delivery extends LastingReceiver<R> implements PublicationListener<R> {

    @Override
    public void publish(R value, @Nullable Throwable error) {
      show();
    }

    @Override
    protected void run() {
      show(); // nothing, unless there was no memory for it when it was published
      deliver();
      execution = null;
    }

    /** Each dependent of the future runs once, even if this is called again. */
    @Override
    public boolean runsAgain() {
      return execution != null;
    }
  }

  /** By the execution, once it has its ending. */
  private void show() {
    Execution<?, R> ended = execution;
    if (ended == null || isPublished()) {
      return;
    }
    Throwable error = notifying.error(ended);
    if (error == null) {
      publish(notifying.value(ended), null);
    } else {
      publish(null, error);
    }
  }

  /** The execution first: the thread that claims its ending decides what this future shows. */
  @Override
  boolean giveUp(boolean mayInterrupt) {
    Execution<?, R> followed = execution;
    // else it has its ending, or another thread has given it up
    return followed != null && followed.cancel(mayInterrupt && followed.interruptsOnCancel());
  }

  @Override
  void deliverOrLater() {
    Execution<?, R> followed = execution;
    try {
      deliver();
      execution = null;
    } catch (VirtualMachineError noMemory) { // or no stack
      if (followed == null) {
        throw noMemory;
      }
      deliverLater(followed);
    }
  }

  private static <A extends @Nullable Object, R extends @Nullable Object> void deliverLater(
      Execution<A, R> followed) {
    followed.pipeline.completion.deliverLater(followed);
  }
}
