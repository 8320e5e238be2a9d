// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.door;

import dev.tenrec.core.internal.call.Execution;
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

  private final NotifyingReceiver<R, T> telling;
  private final boolean interruptsOnCancel;

  /**
   * Written before the execution starts, by the thread that makes this future; null again once it
   * is published, because futures are kept, and an execution has its caller's context. Read in no
   * order by threads that give the call up: one that is behind is refused by the execution.
   */
  private @Nullable Execution<?, R> execution;

  public ExecutionFuture(NotifyingReceiver<R, T> telling, boolean interruptsOnCancel) {
    this.telling = telling;
    this.interruptsOnCancel = interruptsOnCancel;
  }

  public void follow(Execution<?, R> started) {
    execution = started;
  }

  public Receiver<R> receiver() {
    return new PublicationListener<>() {
      @Override
      public void publish(R value, @Nullable Throwable error) {
        show();
      }

      @Override
      public void onValue(R value) {
        show(); // nothing, unless there was no memory for it when it was published
        deliver();
      }

      @Override
      public void onError(Throwable error) {
        show();
        deliver();
      }
    };
  }

  /** By the execution, once it has its ending. */
  private void show() {
    Execution<?, R> ended = execution;
    if (ended == null) {
      return;
    }
    Throwable error = telling.error(ended);
    if (error == null) {
      publish(telling.value(ended), null);
    } else {
      publish(null, error);
    }
    execution = null;
  }

  /** The execution first: the thread that claims its ending decides what this future shows. */
  @Override
  boolean giveUp(boolean mayInterrupt) {
    Execution<?, R> followed = execution;
    if (followed == null || !followed.cancel(mayInterrupt && interruptsOnCancel)) {
      return false; // it has its ending, or another thread has given it up
    }
    execution = null;
    return true;
  }
}
