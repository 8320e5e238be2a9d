// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import dev.tenrec.core.execution.Execution;
import dev.tenrec.core.execution.Visible;
import dev.tenrec.core.outcome.Receiver;
import org.jspecify.annotations.Nullable;

/**
 * The future of one execution. Completed by it; completed or cancelled from outside, it gives the
 * execution up, unless its ending was decided before: this future shows what was counted.
 *
 * @param <R> what the command returns
 */
final class ExecutionFuture<R extends @Nullable Object> extends TwoStepFuture<R> {

  private final boolean interruptsOnCancel;

  /**
   * Written before the execution starts, by the thread that publishes this future; null again once
   * the future is completed, because futures are kept, and an execution has its caller's context. A
   * thread that cancels and finds null in the middle of that is refused by the completed future.
   */
  private @Nullable Execution<?, R> execution;

  ExecutionFuture(boolean interruptsOnCancel) {
    this.interruptsOnCancel = interruptsOnCancel;
  }

  void follow(Execution<?, R> started) {
    execution = started;
  }

  Receiver<R> receiver() {
    return new Visible<>() {
      @Override
      public void publish(R value, @Nullable Throwable error) {
        ExecutionFuture.this.publish(value, error);
      }

      @Override
      public void onValue(R value) {
        execution = null;
        deliver();
      }

      @Override
      public void onError(Throwable error) {
        execution = null;
        deliver();
      }
    };
  }

  /** The execution first: the thread that claims its ending decides what this future shows. */
  @Override
  boolean giveUp(boolean mayInterrupt) {
    Execution<?, R> followed = execution;
    if (followed != null && !followed.cancel(mayInterrupt && interruptsOnCancel)) {
      return false;
    }
    execution = null;
    return true;
  }
}
